import assert from 'node:assert/strict';
import { parseDiff } from '../../src/patch/parseDiff.ts';
import { applySparse, filled, unknownText, type SparseText } from '../../src/patch/sparseText.ts';

/** Applies hunks, in which lines are numbers as words or digits. */
function patched(before: SparseText | undefined, ...hunks: readonly string[]): SparseText | undefined {
	const text = `--- a/x\n+++ b/x\n${hunks.join('')}`;
	const [file] = parseDiff(text).files;
	return before && applySparse(before, text, file!);
}

function hunk(old: string, fresh: string, lines: string): string {
	return `@@ -${old} +${fresh} @@\n${lines.replaceAll(',', '\n')}\n`;
}

const mark = '\\ No newline at end of file';

/** Lines with their numbers in the base, and gaps as ranges. */
function shown(text: SparseText | undefined): string {
	assert.ok(text);
	return text.pieces
		.map((piece) =>
			piece.kind === 'gap'
				? `${piece.from}-${piece.to ?? ''}`
				: `${piece.text}@${piece.base ?? ''}${piece.hasLineEnd ? '' : '!'}`,
		)
		.join(' ');
}

function learnt(text: SparseText | undefined): string {
	return Array.from(text?.learnt ?? [], ([base, line]) => `${base}:${line.text}${line.hasLineEnd ? '' : '!'}`).join(
		' ',
	);
}

const first = patched(unknownText(true), hunk('3,3', '3,4', ' three,+new, four, five'));
const second = patched(first, hunk('9,3', '9,2', ' eight,-nine, ten'));

suite('text known from patches only', () => {
	test('has gaps between the lines of the hunks', () => {
		assert.equal(shown(first), '1-2 three@3 new@ four@4 five@5 6-');
		assert.equal(learnt(first), '3:three 4:four 5:five');
		assert.equal(shown(second), '1-2 three@3 new@ four@4 five@5 6-7 eight@8 ten@10 11-');
		assert.equal(learnt(second), '3:three 4:four 5:five 8:eight 9:nine 10:ten');
		assert.equal(shown(unknownText(true)), '1-');
	});

	test('takes several hunks of one patch', () => {
		const both = patched(
			unknownText(true),
			hunk('2,2', '2,2', '-two,+II, three'),
			hunk('9,2', '9,2', '-nine,+IX, ten'),
		);
		assert.equal(shown(both), '1-1 II@ three@3 4-8 IX@ ten@10 11-');
	});

	test('changes in a gap, at its borders and behind it', () => {
		assert.equal(
			shown(patched(second, hunk('7,2', '7,2', '-six,+VI, seven'))),
			'1-2 three@3 new@ four@4 five@5 VI@ seven@7 eight@8 ten@10 11-',
		);
		assert.equal(
			shown(patched(second, hunk('2,2', '2,2', '-two,+II, three'))),
			'1-1 II@ three@3 new@ four@4 five@5 6-7 eight@8 ten@10 11-',
		);
		assert.equal(
			shown(patched(second, hunk('9,2', '9,2', '-eight,+VIII, ten'))),
			'1-2 three@3 new@ four@4 five@5 6-7 VIII@ ten@10 11-',
		);
		assert.equal(
			shown(patched(second, hunk('4,2', '4,1', '-new, four'))),
			'1-2 three@3 four@4 five@5 6-7 eight@8 ten@10 11-',
		);
		assert.equal(
			shown(patched(second, hunk('8,2', '8,3', ' seven,+and, eight'))),
			'1-2 three@3 new@ four@4 five@5 6-6 seven@7 and@ eight@8 ten@10 11-',
		);
	});

	test('ends at a line without a line end', () => {
		const ended = patched(first, hunk('9,2', '9,2', `-eight,+VIII, nine,${mark}`));
		assert.equal(shown(ended), '1-2 three@3 new@ four@4 five@5 6-7 VIII@ nine@9!');
		assert.equal(learnt(ended), '3:three 4:four 5:five 8:eight 9:nine!');
		assert.equal(patched(ended, hunk('11,3', '11,3', ' ten,-eleven,+XI, twelve')), undefined);
	});

	test('is empty at first if the file is new', () => {
		const made = patched(unknownText(false), '@@ -0,0 +1,2 @@\n+one\n+two\n');
		assert.equal(shown(made), 'one@ two@');
		assert.equal(learnt(made), '');
		assert.equal(shown(patched(made, hunk('1,2', '1,2', '-one,+I, two'))), 'I@ two@');
		assert.equal(shown(patched(made, '@@ -0,0 +1,1 @@\n+zero\n')), 'zero@ one@ two@');
		assert.equal(patched(made, hunk('2,2', '2,2', '-two,+II, three')), undefined);
	});

	test('is unknown after a contradictory, damaged or binary patch', () => {
		assert.equal(patched(first, hunk('3,3', '3,3', ' three,-new,+old, other')), undefined);
		assert.equal(patched(first, hunk('5,2', '5,2', `-four,+IV, five,${mark}`)), undefined);
		assert.equal(
			patched(unknownText(true), hunk('9,3', '9,3', ' a,-b,+c, d'), hunk('2,3', '2,3', ' a,-b,+c, d')),
			undefined,
		);
		assert.equal(patched(unknownText(true), hunk('9,9', '9,9', ' a,-b,+c, d')), undefined);
		const text = 'diff --git a/x b/x\nindex 1111111..2222222 100644\nBinary files a/x and b/x differ\n';
		assert.equal(applySparse(unknownText(true), text, parseDiff(text).files[0]!), undefined);
	});
});

suite('gaps of a text', () => {
	const other = (...hunks: readonly string[]): SparseText =>
		hunks.reduce<SparseText | undefined>((text, each) => patched(text, each), unknownText(true))!;

	test('are filled with lines that another text of the same base knows', () => {
		const known = other(
			hunk('12,3', '12,3', ' twelve,-13,+XIII, fourteen'),
			hunk('6,3', '6,3', ' six,-seven,+VII, eight'),
		);
		const both = filled(second!, known);
		assert.equal(
			shown(both),
			'1-2 three@3 new@ four@4 five@5 six@6 seven@7 eight@8 ten@10 11-11 twelve@12 13@13 fourteen@14 15-',
		);
		assert.equal(learnt(both), '3:three 4:four 5:five 8:eight 9:nine 10:ten 12:twelve 13:13 14:fourteen 6:six 7:seven');
	});

	test('may be filled partly, at the start or the end', () => {
		const at = (place: number, ...lines: readonly string[]): string =>
			shown(filled(second!, other(hunk(`${place},2`, `${place},2`, `-${lines[0]},+changed, ${lines[1]}`))));
		assert.equal(at(1, 'one', 'two'), 'one@1 two@2 three@3 new@ four@4 five@5 6-7 eight@8 ten@10 11-');
		assert.equal(at(5, 'five', 'six'), '1-2 three@3 new@ four@4 five@5 six@6 7-7 eight@8 ten@10 11-');
		assert.equal(at(7, 'seven', 'eight'), '1-2 three@3 new@ four@4 five@5 6-6 seven@7 eight@8 ten@10 11-');
		assert.equal(at(10, 'ten', 'eleven'), '1-2 three@3 new@ four@4 five@5 6-7 eight@8 ten@10 eleven@11 12-');
		assert.equal(at(3, 'three', 'four'), shown(second));
	});

	test('end at a line without a line end', () => {
		const known = other(hunk('12,2', '12,2', `-twelve,+XII, end,${mark}`));
		assert.equal(
			shown(filled(second!, known)),
			'1-2 three@3 new@ four@4 five@5 6-7 eight@8 ten@10 11-11 twelve@12 end@13!',
		);
	});
});
