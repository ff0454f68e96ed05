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

/** What the editor takes for a link in a notice: text in brackets, directly followed by an address in parentheses. */
const drawnLink = /\[[^\]]+\]\([^)\s]+[^)]*\)/;

suite('notices', () => {
	test('nothing in a text of others becomes a link, however it is nested', () => {
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

	test('a warning or an error of more than a line has a button, because the editor cuts it off otherwise', async () => {
		resetStub();
		const long = 'The forge failed with HTTP status 503. Try again later, or ask its operator.';
		stubbed.answers.push('Close', undefined, 'Undo', 'Close');
		const chosen = [
			await notify('error', long),
			await notify('information', 'Copied'),
			await notify('information', long, 'Undo'),
			// Nobody chose it who did not offer it.
			await notify('warning', long, 'Undo'),
		];
		assert.deepEqual(chosen, [undefined, undefined, 'Undo', undefined]);
		assert.deepEqual(stubbed.buttons, [['Close'], [], ['Undo'], ['Undo']]);
	});

	test('one that only informs has no button of that kind, because it would stay until somebody closes it', async () => {
		resetStub();
		await notify('information', 'Nothing was undone: someone has changed the status since.');
		await notify('warning', 'Nothing was undone: someone has changed the status since.');
		assert.deepEqual(stubbed.buttons, [[], ['Close']]);
	});

	test('the text looks as before', () => {
		assert.equal(withoutLinks('[a](command:x) and [b]').replaceAll('\u2060', ''), '[a](command:x) and [b]');
	});

	test('hidden characters in notices, lists and boxes are written out, and the own joiners are not', () => {
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

	suite('passing words', () => {
		setup(() => {
			resetStub();
			mock.timers.enable({ apis: ['setTimeout'] });
		});
		teardown(() => mock.timers.reset());

		test('are said to screen readers, and have no pictures of others', () => {
			tellBriefly('File 1 of 3: $(bug).c');
			const text = 'File 1 of 3: $\u2060(bug).c';
			assert.deepEqual(
				stubbed.passing.map((each) => [each.text, each.accessibilityInformation]),
				[[text, { label: text, role: 'alert' }]],
			);
		});

		test('follow one another, each for as long as the last one', () => {
			tellBriefly('Copied');
			mock.timers.tick(4000);
			tellBriefly('Copied');
			// It is told anew, or nothing would be said.
			assert.deepEqual(stubbed.shown, ['Copied', 'Copied']);
			assert.equal(stubbed.passing.length, 1);
			mock.timers.tick(4000);
			assert.equal(stubbed.passing.length, 1);
			mock.timers.tick(1000);
			assert.equal(stubbed.passing.length, 0);
		});
	});

	test('nothing in a choice becomes a picture', () => {
		assert.doesNotMatch(withoutPictures('$(trash) $$(bug) $(sync~spin)'), /\$\([a-z]/);
	});

	test('what stands under a box that asks is neither link nor picture', () => {
		const text = plainUnderBox('[Sign in](command:x) $(zap)');
		assert.doesNotMatch(text, drawnLink);
		assert.doesNotMatch(text, /\$\([a-z]/);
	});

	test('and no box is told otherwise; lines are asked for in one place', () => {
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

	test('there is one door for notices and passing words', () => {
		const root = join(import.meta.dirname, '../../../../src');
		const others = readdirSync(root, { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts') && file !== join('editor', 'ask', 'notify.ts'))
			.filter((file) =>
				/show(?:Information|Warning|Error)Message|setStatusBarMessage/.test(readFileSync(join(root, file), 'utf8')),
			);
		assert.deepEqual(others, []);
	});
});
