import assert from 'node:assert/strict';
import { isPatchBreak } from '../../src/patch/patchBreak.ts';
import { runCases } from '../../../../test/support/shellCases.ts';

const lines = [
	'diff --git a/x b/x', 'diff -u', 'diff', 'diff x', 'Index: x', 'Index:x', 'Index', '---', '--- ', '---\t', '--- \t ', '--- a/x', '--- \ta', '---  a',
	'---a', '----', '--', '-- ', ' ---', 'x ---', '+++ b/x',
] as const; // prettier-ignore

suite('first line of a patch', () => {
	let byGit: readonly boolean[] = [];
	suiteSetup(() => {
		const mails = lines.map((line) => ({ mail: `From: A <a@b>\nSubject: s\n\nprose\n${line}\nrest\n` }));
		byGit = runCases('git mailinfo message patch <mail >info', mails).map(({ file }) => file('patch')?.length !== 0);
	});

	test('is the same as for git mailinfo', () => {
		assert.deepEqual(
			lines.filter((line) => isPatchBreak(`prose\n${line}\nrest\n`, 6)),
			lines.filter((_, at) => byGit[at]),
		);
		assert.deepEqual(
			['---', '--- ', '---\r\n', '---x'].map((text) => isPatchBreak(text, 0)),
			[true, true, true, false],
		);
	});
});
