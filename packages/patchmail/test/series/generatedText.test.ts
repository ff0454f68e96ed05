import assert from 'node:assert/strict';
import { generatedFrom } from 'patchmail/series/generatedText.ts';

const shortlog = 'Bob Builder (2):\n  fold: find in a tree\n  fold: move the header\n';
const diffstat =
	' src/fold.c      | 3 ++-\n doc/lamp.png    | Bin 0 -> 12 bytes\n 2 files changed, 2 insertions(+), 1 deletion(-)\n create mode 100644 doc/lamp.png\n';
const base = `base-commit: ${'1'.repeat(40)}\nprerequisite-patch-id: ${'2'.repeat(40)}\n`;

/** The text above the generated part, and that part. */
function split(text: string): readonly [string, string] {
	const at = generatedFrom(text);
	return [text.slice(0, at), text.slice(at)];
}

suite('generated text of cover letters', () => {
	test('begins at the shortlog and goes to the end', () => {
		const generated = `${shortlog}\n${diffstat}\n\n${base}`;
		assert.deepEqual(split(`Folds nest.\n\n${generated}`), ['Folds nest.\n\n', generated]);
	});

	test('may have one part alone', () => {
		assert.deepEqual(split(`Folds nest.\n\n${diffstat}`), ['Folds nest.\n\n', diffstat]);
		assert.deepEqual(split(`Folds nest.\n\n${base}`), ['Folds nest.\n\n', base]);
		assert.deepEqual(split(diffstat), ['', diffstat]);
	});

	test('takes the mark above the diffstat of a patch with it, and leaves notes between them', () => {
		assert.deepEqual(split(`Why.\n\nSigned-off-by: Bob\n---\n${diffstat}\n`), [
			'Why.\n\nSigned-off-by: Bob\n',
			`---\n${diffstat}\n`,
		]);
		assert.deepEqual(split(`Why.\n---\nNew in v2.\n\n${diffstat}`), ['Why.\n---\nNew in v2.\n\n', diffstat]);
	});

	test('has the shortlogs of several authors', () => {
		const generated = `Ann (1):\n  one\n\n${shortlog}\n${diffstat}`;
		assert.deepEqual(split(`Hi.\n\n${generated}`), ['Hi.\n\n', generated]);
	});

	for (const [what, text] of [
		['a list that a person wrote', 'Changes (2):\n  one\n  two\n'],
		['a table', ' a | 1\n b | 2\n'],
		['statistics in the middle', `${diffstat}\nAnd so on.\n`],
		['nothing', ''],
		['blank lines', '\n\n'],
	] as const) {
		test(`is not ${what}`, () => assert.deepEqual(split(text), [text, '']));
	}

	test('takes no longer for hostile lines', () => {
		const long = ` ${'a |'.repeat(100_000)}\n`;
		assert.deepEqual(split(`${long}${diffstat}`), [`${long}${diffstat}`, '']);
	});
});
