import assert from 'node:assert/strict';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { carriedThreads } from '../../src/review/carriedThreads.ts';
import { blobId } from '../../src/patch/blobId.ts';
import type { RangePair } from '../../src/review/rangeDiff.ts';
import type { CommentPlace } from '../../src/review/reviewComment.ts';
import type { ReviewThread } from '../../src/review/reviewThreads.ts';
import type { SeriesMail, SeriesPatch } from '../../src/series/seriesReading.ts';
import { editLine, numberedLines } from '../../../../test/support/editedFile.ts';
import { makePatchMail } from '../../../../test/support/patchMails.ts';
import { standFor } from '../../../../test/support/standFor.ts';

function patch(id: number, diff: string): SeriesPatch {
	return { mail: standFor<SeriesMail>({ id }), patch: makePatchMail(`Why.\n---\n${diff}-- \n2.39.5\n`), index: 1 };
}

const head = 'diff --git a/a.c b/a.c\nindex 1234567..89abcde 100644\n--- a/a.c\n+++ b/a.c\n';
const earlier = patch(1, `${head}@@ -10,4 +10,4 @@\n ten\n-old\n+new\n twelve\n thirteen\n`);
/** On another base, six lines further down, with another word. */
const later = patch(
	2,
	`${head.replace('1234567', '7654321')}@@ -2 +2 @@\n-two\n+zwei\n@@ -16,5 +16,5 @@\n nine\n ten\n-old\n+newer\n twelve\n fourteen\n`,
);
const other = patch(3, head.replaceAll('a.c', 'b.c') + '@@ -1 +1 @@\n-one\n+eins\n');

function carried(
	place: CommentPlace,
	to = later,
	pairs?: readonly RangePair[],
): readonly (readonly [string, boolean])[] {
	const thread: ReviewThread = { key: 'thread', place, comments: [] };
	const changed: RangePair = { kind: 'changed', old: 0, new: 0, hunks: [] };
	const found = runAtOnce(
		carriedThreads([thread], { earlier: { patches: [earlier] }, later: { patches: [to] }, pairs: pairs ?? [changed] }),
	);
	return found.map(({ thread: { place: at }, isChanged }) => [
		at.kind === 'line'
			? `${at.mailId} ${at.side} ${at.line} ${to.patch.diffText.slice(at.start, at.end)}`
			: `${at.kind} ${at.kind === 'elsewhere' ? '' : at.mailId}`,
		isChanged,
	]);
}

const line = (side: 'old' | 'new', at: number): CommentPlace => ({
	kind: 'line',
	mailId: 1,
	file: 0,
	hunk: 0,
	side,
	line: at,
	firstLine: at,
	start: 0,
	end: 0,
});

suite('threads from an earlier version', () => {
	test('stay on the same lines of the later version, on both sides and on another base', () => {
		assert.deepEqual(carried(line('new', 10)), [['2 new 17  ten', false]]);
		assert.deepEqual(carried(line('old', 11)), [['2 old 18 -old', false]]);
		assert.deepEqual(carried(line('new', 12)), [['2 new 19  twelve', false]]);
	});

	test('move to the changed line, or to the file if no line corresponds', () => {
		assert.deepEqual(carried(line('new', 11)), [['2 new 18 +newer', true]]);
		assert.deepEqual(carried(line('new', 13)), [['2 new 20  fourteen', true]]);
		assert.deepEqual(carried(line('new', 90)), [['file 2', true]]);
	});

	test('stay on the file if the later diff shows other hunks alone, even with an equal line', () => {
		const far = patch(5, `${head}@@ -90,4 +90,4 @@\n ninety\n-x\n+y\n twelve\n end\n`);
		assert.deepEqual(carried(line('new', 11), far), [['file 5', true]]);
		assert.deepEqual(carried(line('new', 12), far), [['file 5', true]], 'an equal line elsewhere');
		const near = patch(6, `${head}@@ -11,3 +11,3 @@\n a\n-x\n+twelve\n b\n`);
		assert.deepEqual(carried(line('new', 12), near), [['6 new 12 +twelve', false]], 'the same line numbers');
	});

	test('stay on a patch that a partial re-roll keeps', () => {
		const place = line('new', 11);
		assert.deepEqual(carried(place, earlier, []), [['1 new 11 ', false]]);
		assert.deepEqual(carried({ kind: 'general', mailId: 1 }, earlier, []), [['general 1', false]]);
	});

	test('follow their line of the message, or say that it changed', () => {
		const longer = { ...later, patch: { ...later.patch, message: `First.\n\n${earlier.patch.message}` } };
		const thread: ReviewThread = { key: 'thread', place: { kind: 'message', mailId: 1, line: 1 }, comments: [] };
		const versions = {
			earlier: { patches: [earlier] },
			pairs: [{ kind: 'changed', old: 0, new: 0, hunks: [] } as const],
		};
		const [found] = runAtOnce(carriedThreads([thread], { ...versions, later: { patches: [longer] } }));
		assert.deepEqual([found?.thread.place, found?.isChanged], [{ kind: 'message', mailId: 2, line: 3 }, false]);
		const reworded = { ...later, patch: { ...later.patch, message: 'Because.' } };
		const [gone] = runAtOnce(carriedThreads([thread], { ...versions, later: { patches: [reworded] } }));
		assert.equal(gone?.isChanged, true);
	});

	const edited = (before: string, at: number, text: string) => {
		const { after, diff } = editLine('a.c', before, at, text);
		return { diff, whole: () => ({ before: Buffer.from(before), after: Buffer.from(after) }) };
	};

	/** The place of a thread from one patch in the other, given the whole files of both. */
	function inWhole(
		at: { readonly side: 'old' | 'new'; readonly line: number },
		old: ReturnType<typeof edited>,
		young: ReturnType<typeof edited>,
	): readonly unknown[] {
		const found = runAtOnce(
			carriedThreads([{ key: 'thread', place: line(at.side, at.line), comments: [] }], {
				earlier: { patches: [patch(1, old.diff)], whole: old.whole },
				later: { patches: [patch(2, young.diff)], whole: young.whole },
				pairs: [{ kind: 'changed', old: 0, new: 0, hunks: [] }],
			}),
		);
		return found.flatMap(({ thread: { place }, isChanged, inWhole: there }) => [
			place.kind === 'line' ? place.line : place.kind,
			isChanged,
			there?.line,
		]);
	}

	test('find their line in the whole file if the patch does not show it, unless the line is gone', () => {
		const before = numberedLines('line', 60);
		const old = edited(before, 10, 'TEN');
		const young = edited(`one more\n${before.replace('line 9\n', '')}`, 40, 'FORTY');
		assert.deepEqual(inWhole({ side: 'new', line: 8 }, old, young).slice(1), [true, 9]);
		assert.deepEqual(inWhole({ side: 'old', line: 10 }, old, young).slice(1), [true, 10]);
		assert.deepEqual(inWhole({ side: 'new', line: 10 }, old, young).slice(2), [undefined], 'it is another one');
		assert.deepEqual(inWhole({ side: 'new', line: 9 }, old, young).slice(2), [undefined], 'it is gone');
		assert.deepEqual(inWhole({ side: 'new', line: 13 }, old, edited(before, 16, 'X')), [13, false, undefined]);
	});

	test('identify the whole file by blob ids and hold no contents', () => {
		const before = numberedLines('line', 60);
		const [old, young] = [edited(before, 10, 'TEN'), edited(before, 40, 'FORTY')];
		const [found] = runAtOnce(
			carriedThreads([{ key: 'thread', place: line('new', 8), comments: [] }], {
				earlier: { patches: [patch(1, old.diff)], whole: old.whole },
				later: { patches: [patch(2, young.diff)], whole: young.whole },
				pairs: [{ kind: 'changed', old: 0, new: 0, hunks: [] }],
			}),
		);
		const { before: left, after: right } = young.whole();
		assert.deepEqual(found?.inWhole, {
			mailId: 2,
			file: 0,
			side: 'new',
			line: 8,
			contents: { before: blobId(left), after: blobId(right) },
		});
	});

	test('move to the later patch if it leaves their file alone, and vanish without a later patch', () => {
		assert.deepEqual(carried(line('new', 10), other), [['general 3', true]]);
		assert.deepEqual(carried({ kind: 'message', mailId: 1, line: 1 }), [['message 2', false]]);
		assert.deepEqual(carried({ kind: 'file', mailId: 1, file: 0 }), [['file 2', false]]);
		const gone: RangePair = { kind: 'removed', old: 0 };
		assert.deepEqual(carried(line('new', 10), later, [gone]), []);
		const named = carried(line('new', 10), later, [gone, { kind: 'added', new: 0 }]);
		assert.deepEqual(named, [['2 new 17  ten', false]], 'by its subject');
		assert.deepEqual(carried({ kind: 'elsewhere' }), []);
		assert.deepEqual(carried({ kind: 'cover', mailId: 9, line: 1 }), []);
	});

	test('find an unchanged line of the later patch through the whole files', () => {
		// Both hunks show a pair of lines like another pair on the other side of the line.
		const before = numberedLines('line', 60)
			.replaceAll(/line (?:35|41)\n/g, 'alpha\n')
			.replaceAll(/line (?:36|42)\n/g, 'beta\n');
		const [old, young] = [edited(before, 43, 'X'), edited(before, 37, 'Y')];
		assert.deepEqual(inWhole({ side: 'new', line: 40 }, old, young), [40, false, undefined]);
	});

	test('stay on the patch as a whole, and on the file if the later one is binary', () => {
		assert.deepEqual(carried({ kind: 'general', mailId: 1 }), [['general 2', false]]);
		const binary = patch(
			4,
			'diff --git a/a.c b/a.c\nindex 1234567..89abcde 100644\nBinary files a/a.c and b/a.c differ\n',
		);
		assert.deepEqual(carried(line('new', 10), binary), [['file 4', true]]);
	});

	test('treat lines without a line end like others', () => {
		const none = '\\ No newline at end of file\n';
		const open = patch(5, `${head}@@ -10,4 +10,4 @@\n ten\n-old\n+new\n twelve\n thirteen\n${none}`);
		assert.deepEqual(carried(line('new', 12), open), [['5 new 12  twelve', false]]);
		const whole = (text: string) => () => ({ before: Buffer.from(text), after: Buffer.from(text) });
		const texts = numberedLines('line', 60);
		const found = inWhole(
			{ side: 'new', line: 8 },
			{ ...edited(texts, 10, 'TEN'), whole: whole(texts.trimEnd()) },
			{ ...edited(texts, 40, 'FORTY'), whole: whole(texts.trimEnd()) },
		);
		assert.deepEqual(found.slice(1), [true, 8]);
	});
});
