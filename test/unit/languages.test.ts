import assert from 'node:assert/strict';
import { languages } from '../harness/languages.ts';
import { localizedManifest } from '../harness/localizedManifest.ts';
import { uiTexts } from '../harness/uiTexts.ts';

/** Parts that every translation keeps: placeholders, variables, icons, link targets, code. */
const keptParts = /\{\d+\}|\$\{[^}]*\}|\$\([^)]*\)|\]\([^)]*\)|\*\*|``[^`]*``|`[^`]*`/g;

/** Key names follow the language's keyboards. */
const partsOf = (text: string): readonly string[] =>
	(text.match(keptParts) ?? []).map((part) => part.replaceAll('Strg+', 'Ctrl+')).toSorted();

const endOf = (text: string): string => /[.:?…]$/.exec(text)?.[0] ?? '';

/** "Choose what to open" may become a question. */
const hasEndOf = (text: string, translation: string): boolean =>
	endOf(text) === endOf(translation) || (endOf(text) === '' && endOf(translation) === '?');

suite('languages', () => {
	let texts: readonly string[];
	suiteSetup(async () => {
		texts = await uiTexts();
	});

	test('the sources and the manifest provide the texts', () => {
		assert.ok(texts.length > 3_000, String(texts.length));
		const known = [
			'Wrap lines',
			'Sign In…',
			'Git reads this message differently and would create a different commit message.',
		];
		assert.deepEqual(
			known.filter((text) => !texts.includes(text)),
			[],
		);
	});

	for (const { language, texts: translations } of languages()) {
		suite(language, () => {
			const entries = Object.entries(translations);

			test('has exactly the existing texts; "npm run languages" updates the file', () => {
				const keys = Object.keys(translations);
				assert.deepEqual(
					{
						missing: texts.filter((text) => !keys.includes(text)),
						unused: keys.filter((text) => !texts.includes(text)),
						empty: keys.filter((text) => translations[text] === ''),
					},
					{ missing: [], unused: [], empty: [] },
				);
			});

			test('keeps placeholders, icons, links, code, lines and the last character', () => {
				const wrong = entries.filter(
					([text, translation]) =>
						partsOf(text).join(' ') !== partsOf(translation).join(' ') ||
						text.split('\n').length !== translation.split('\n').length ||
						!hasEndOf(text, translation) ||
						translation !== translation.trim(),
				);
				assert.deepEqual(wrong, []);
			});
		});
	}
});

suite('localised manifest', () => {
	test('has a key for each text, and the texts by key', () => {
		const { manifest, texts } = localizedManifest({
			displayName: 'Forge Desk',
			contributes: {
				views: { forge: [{ id: 'forge.inbox', name: 'Inbox' }] },
				commands: [{ command: 'forge.next', title: 'Next', icon: '$(arrow-down)' }],
				languageModelTools: [{ name: 'forge_a', displayName: 'Read', inputSchema: { description: 'For models' } }],
				configuration: { properties: { 'forge.b': { enumDescriptions: ['One', 'Two'] } } },
			},
		});
		assert.deepEqual(manifest, {
			displayName: 'Forge Desk',
			contributes: {
				views: { forge: [{ id: 'forge.inbox', name: '%contributes.views.forge.0.name%' }] },
				commands: [{ command: 'forge.next', title: '%contributes.commands.0.title%', icon: '$(arrow-down)' }],
				languageModelTools: [
					{
						name: 'forge_a',
						displayName: '%contributes.languageModelTools.0.displayName%',
						inputSchema: { description: 'For models' },
					},
				],
				configuration: {
					properties: {
						'forge.b': {
							enumDescriptions: [
								'%contributes.configuration.properties.forge.b.enumDescriptions.0%',
								'%contributes.configuration.properties.forge.b.enumDescriptions.1%',
							],
						},
					},
				},
			},
		});
		assert.deepEqual(Object.values(texts), ['Inbox', 'Next', 'Read', 'One', 'Two']);
	});
});
