import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** What is handed to `l10n.t` first, wherever a line breaks; in some files the function is called `t` alone. */
const call = /\bt\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g;

interface Said {
	readonly text: string;
	readonly place: string;
}

function inSources(): readonly Said[] {
	const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
	return files
		.filter((file) => file.endsWith('.ts') && !file.startsWith('sampleForge'))
		.flatMap((file) => {
			const source = readFileSync(join(root, 'src', file), 'utf8');
			return source.includes('l10n')
				? Array.from(source.matchAll(call), ([, one, other]) => ({
						text: (one ?? other ?? '').replaceAll(/\\(['"\\])/g, '$1').replaceAll(String.raw`\n`, '\n'),
						place: file,
					}))
				: [];
		});
}

const seenKeys = new Set([
	'title',
	'description',
	'markdownDescription',
	'enumDescriptions',
	'contents',
	'displayName',
	'userDescription',
	'patternErrorMessage',
]);

/** Texts of the manifest that a person sees; what a language model is given is not one of them. */
function inManifest(value: unknown, key: string, path: string): readonly Said[] {
	if (typeof value === 'string') {
		return seenKeys.has(key) ? [{ text: value, place: `package.json ${path}` }] : [];
	}
	if (Array.isArray(value)) {
		return value.flatMap((each: unknown) => inManifest(each, key, path));
	}
	return value !== null && typeof value === 'object'
		? Object.entries(value)
				.filter(([name]) => name !== 'inputSchema')
				.flatMap(([name, each]) => inManifest(each, name, `${path}.${name}`))
		: [];
}

const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const sources = inSources();
const said = [...sources, ...inManifest(manifest, '', '')];
const page = readFileSync(join(root, 'docs/words.md'), 'utf8');

/** Words in backticks: those that no text has, and those of the glossary's last column. */
function unusedWords(): readonly string[] {
	const [, line = ''] = /^Words that no text has: (.*)$/m.exec(page) ?? [];
	const columns = Array.from(page.matchAll(/^\|[^|]*\|[^|]*\|([^|]*)\|$/gm), ([, column = '']) => column);
	return [line, ...columns].flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, word = '']) => word));
}

function withWord(word: string): readonly string[] {
	const pattern = new RegExp(`(?<![\\w-])${word.replaceAll(/[{}]/g, String.raw`\$&`)}(?![\\w-])`, 'i');
	return found((text) => pattern.test(text));
}

function found(isWrong: (text: string) => boolean): readonly string[] {
	return said.filter(({ text }) => isWrong(text)).map(({ text, place }) => `${place}: ${text}`);
}

/** Small words of titles, and names that are written as they are. */
const smallWords = /^(?:a|an|and|as|at|by|for|from|in|of|on|or|the|to|with|git|am|\.mbox)$/;

function isTitle(text: string): boolean {
	return text.split(/[\s…]+/).every((word, at) => (at > 0 && smallWords.test(word)) || !/^[a-z]/.test(word));
}

suite('the texts that people see', () => {
	test('are all found', () => {
		const calls = sources.length;
		assert.ok(calls > 1500, String(calls));
		assert.ok(said.length > calls + 150, String(said.length));
		assert.ok(sources.some(({ text }) => text === 'Wrap lines'));
		assert.ok(said.some(({ text }) => text === 'Sign In…'));
	});

	test('have none of the words that docs/words.md says are not used', () => {
		const words = unusedWords();
		assert.ok(words.length > 50, String(words.length));
		assert.deepEqual(
			words.flatMap((word) => withWord(word).map((each) => `"${word}" in ${each}`)),
			[],
		);
	});

	test('have no blanks at their ends and none twice', () => {
		assert.deepEqual(
			found((text) => text !== text.trim() || text.includes('  ')),
			[],
		);
	});

	test('have straight quotes, one character for an ellipsis, and nobody shouts', () => {
		assert.deepEqual(
			found((text) => /[“”‘’„]|\.\.\.|\w!/.test(text)),
			[],
		);
	});

	test('end as a sentence where they hold one', () => {
		assert.deepEqual(
			found((text) => /[.?] [A-Z]/.test(text) && !/[.?:}…)"]$/.test(text)),
			[],
		);
	});

	test('are written in one case where they are the same', () => {
		const spellings = new Map<string, Set<string>>();
		for (const { text } of said) {
			const key = text.toLowerCase();
			const spelled = text.slice(0, 1).toLowerCase() + text.slice(1);
			spellings.set(key, (spellings.get(key) ?? new Set()).add(spelled));
		}
		assert.deepEqual(
			Array.from(spellings.values(), (each) => [...each]).filter((each) => each.length > 1),
			[],
		);
	});

	test('are titles where they are commands', () => {
		const titles = said.filter(({ place }) => /^package\.json \.contributes\.commands\.title$/.test(place));
		assert.ok(titles.length > 100, String(titles.length));
		assert.deepEqual(
			titles.map(({ text }) => text).filter((text) => !isTitle(text)),
			[],
		);
	});
});
