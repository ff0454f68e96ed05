import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mock } from 'node:test';
import { assert as property, property as given, stringMatching } from 'fast-check';
import { counts, seed } from '../../../support/counts.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { notify, plainUnderBox, tellBriefly, withoutLinks, withoutPictures } =
	await import('../../../../src/editor/ask/notify.ts');

/** A link for the editor: text in brackets, directly followed by an address in parentheses. */
const drawnLink = /\[[^\]]+\]\([^)\s]+[^)]*\)/;

suite('notices', () => {
	test('a foreign text never becomes a link, for any nesting', () => {
		for (const text of [
			'[a](command:x)',
			'[[a](b)](command:x)',
			'[a][b](command:x)',
			'[[[a]](b)](c)](command:x "t")',
		]) {
			assert.doesNotMatch(withoutLinks(text), drawnLink);
		}
		property(
			given(stringMatching(/^[[\]()a:]{0,20}$/), (text) => !drawnLink.test(withoutLinks(text))),
			{ numRuns: counts({ small: 500, full: 50_000 }), seed: seed() },
		);
	});

	test('a long warning or error has a button, because the editor truncates it otherwise', async () => {
		resetStub();
		const long = 'The forge failed with HTTP status 503. Try again later, or ask its operator.';
		stubbed.answers.push('Close', undefined, 'Undo', 'Close');
		const chosen = [
			await notify('error', long),
			await notify('information', 'Copied'),
			await notify('information', long, 'Undo'),
			// A button that the caller did not offer counts as no choice.
			await notify('warning', long, 'Undo'),
		];
		assert.deepEqual(chosen, [undefined, undefined, 'Undo', undefined]);
		assert.deepEqual(stubbed.buttons, [['Close'], [], ['Undo'], ['Undo']]);
	});

	test('a message of information has no extra button, because it would stay until the user closes it', async () => {
		resetStub();
		await notify('information', 'Nothing was undone: someone has changed the status since.');
		await notify('warning', 'Nothing was undone: someone has changed the status since.');
		assert.deepEqual(stubbed.buttons, [[], ['Close']]);
	});

	test('the text looks unchanged', () => {
		assert.equal(withoutLinks('[a](command:x) and [b]').replaceAll('\u2060', ''), '[a](command:x) and [b]');
	});

	test('shows hidden characters in notices, lists and boxes, except for its own joiners', () => {
		const text = 'a\u{E0041}b\uFE0F [c](command:x) $(bug)';
		const hidden = /\u{E0041}|\uFE0F/u;
		for (const shown of [withoutLinks(text), withoutPictures(text), plainUnderBox(text)]) {
			assert.doesNotMatch(shown, hidden);
			assert.match(shown, /^a⟨U\+E0041⟩b⟨U\+FE0F⟩ /);
		}
		assert.equal(withoutPictures(withoutPictures(text)), withoutPictures(text));
		assert.equal(plainUnderBox(plainUnderBox(text)), plainUnderBox(text));
		assert.doesNotMatch(plainUnderBox(withoutPictures(text)), /\$\(|\]\(/);
	});

	suite('brief messages', () => {
		setup(() => {
			resetStub();
			mock.timers.enable({ apis: ['setTimeout'] });
		});
		teardown(() => mock.timers.reset());

		test('a message of the status bar is a notice while the user hides the bar', () => {
			resetStub();
			stubbed.settings.set('workbench.statusBar.visible', false);
			tellBriefly('See [here](command:x)');
			assert.deepEqual([stubbed.passing, stubbed.shown], [[], ['See [here]\u2060(command:x)']]);
			stubbed.settings.set('workbench.statusBar.visible', true);
			tellBriefly('Copied');
			assert.deepEqual([stubbed.passing.length, stubbed.shown.length], [1, 2]);
		});

		test('reach screen readers, and contain no icons from foreign text', () => {
			tellBriefly('File 1 of 3: $(bug).c');
			const text = 'File 1 of 3: $\u2060(bug).c';
			assert.deepEqual(
				stubbed.passing.map((each) => [each.text, each.accessibilityInformation]),
				[[text, { label: text, role: 'alert' }]],
			);
		});

		test('replace each other, and restart the timeout', () => {
			tellBriefly('Copied');
			mock.timers.tick(4000);
			tellBriefly('Copied');
			// Shown again, so that screen readers repeat it.
			assert.deepEqual(stubbed.shown, ['Copied', 'Copied']);
			assert.equal(stubbed.passing.length, 1);
			mock.timers.tick(4000);
			assert.equal(stubbed.passing.length, 1);
			mock.timers.tick(1000);
			assert.equal(stubbed.passing.length, 0);
		});
	});

	test('a choice never contains an icon from foreign text', () => {
		assert.doesNotMatch(withoutPictures('$(trash) $$(bug) $(sync~spin)'), /\$\([a-z]/);
	});

	test('text below a box contains neither links nor icons', () => {
		const text = plainUnderBox('[Sign in](command:x) $(zap)');
		assert.doesNotMatch(text, drawnLink);
		assert.doesNotMatch(text, /\$\([a-z]/);
	});

	test('only one module creates boxes and sets their messages', () => {
		const root = join(import.meta.dirname, '../../../../src');
		const asking = readdirSync(root, { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.filter((file) => /\bshowInputBox\b/.test(readFileSync(join(root, file), 'utf8')));
		assert.deepEqual(asking, [join('editor', 'ask', 'ask.ts')]);
		const others = readdirSync(root, { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.flatMap((file) =>
				Array.from(
					readFileSync(join(root, file), 'utf8').matchAll(
						/\.(?:prompt|validationMessage) = (?![^;]*plainUnderBox\(|undefined)[^;]*;/g,
					),
					([found]) => `${file}: ${found}`,
				),
			);
		assert.deepEqual(others, []);
	});

	test('only one module shows notices and brief messages', () => {
		const root = join(import.meta.dirname, '../../../../src');
		const others = readdirSync(root, { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts') && file !== join('editor', 'ask', 'notify.ts'))
			.filter((file) =>
				/show(?:Information|Warning|Error)Message|setStatusBarMessage/.test(readFileSync(join(root, file), 'utf8')),
			);
		assert.deepEqual(others, []);
	});
});
