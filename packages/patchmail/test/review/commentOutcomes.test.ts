import assert from 'node:assert/strict';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { commentOutcomes, outcomeCounts, type CommentOutcome } from '../../src/review/commentOutcomes.ts';
import type { RangePair } from '../../src/review/rangeDiff.ts';
import type { CommentPlace, ReviewComment } from '../../src/review/reviewComment.ts';
import type { SeriesMail, SeriesPatch } from '../../src/series/seriesReading.ts';
import { makePatchMail } from '../../../../test/support/patchMails.ts';
import { standFor } from '../../../../test/support/standFor.ts';

function patch(id: number, message: string, diff: string): SeriesPatch {
	return {
		mail: standFor<SeriesMail>({ id }),
		patch: makePatchMail(`${message}\n---\n${diff}-- \n2.39.5\n`),
		index: 1,
	};
}

const head = 'diff --git a/a.c b/a.c\nindex 1234567..89abcde 100644\n--- a/a.c\n+++ b/a.c\n';
const earlier = patch(
	1,
	'Why.\n\nBecause.',
	`${head}@@ -10,5 +10,6 @@\n ten\n-old\n+new\n+more\n twelve\n thirteen\n end\n`,
);
const later = patch(
	2,
	'Why.\n\nFor speed.',
	`${head}@@ -10,5 +10,5 @@\n ten\n-old\n+newer\n twelve\n thirteen\n end\n`,
);
const pair: RangePair = { kind: 'changed', old: 0, new: 0, hunks: [] };

const line = (at: number, firstLine = at): CommentPlace => ({
	kind: 'line',
	mailId: 1,
	file: 0,
	hunk: 0,
	side: 'new',
	line: at,
	firstLine,
	start: 0,
	end: 0,
});

function comment(place: CommentPlace, account: string, createdMs: number, isCourtesy = false): ReviewComment {
	const mail = standFor<SeriesMail>({ id: createdMs, parentId: undefined, account, createdMs });
	return standFor<ReviewComment>({ mail, place, isCourtesy, prose: 'Why?', answers: undefined });
}

function outcomes(
	place: CommentPlace,
	{ comments = [comment(place, '~me', 1)], to = later, pairs = [pair] } = {},
): readonly CommentOutcome[] {
	return runAtOnce(
		commentOutcomes(
			[{ key: 'thread', place, comments }],
			{ earlier: { patches: [earlier] }, later: { patches: [to] }, pairs },
			({ account }) => account === '~me',
			({ account }) => account === '~bob',
		),
	);
}

function changeOf(...of: Parameters<typeof outcomes>): unknown {
	const [found] = outcomes(...of);
	return found && [found.change, found.at?.kind, found.hunk.filter((each) => !each.startsWith(' '))];
}

suite('outcomes of comments', () => {
	test('are changed lines with the hunk that changed them', () => {
		assert.deepEqual(changeOf(line(11)), ['changed', 'line', ['-old', '+newer']]);
		assert.deepEqual(changeOf(line(12, 10)), ['changed', 'line', ['-old', '+newer']], 'any quoted line counts');
	});

	test('are the same lines', () => {
		assert.deepEqual(changeOf(line(13)), ['same', 'line', []]);
		assert.deepEqual(changeOf(line(10)), ['same', 'line', []]);
	});

	test('are unknown where the later version shows nothing, unless the line was added', () => {
		const elsewhere = patch(2, 'Why.', `${head}@@ -90,3 +90,3 @@\n x\n-y\n+z\n w\n`);
		assert.deepEqual(changeOf(line(10), { to: elsewhere }), ['unknown', 'file', []]);
		assert.deepEqual(changeOf(line(12), { to: elsewhere }), ['changed', 'file', []]);
	});

	test('are changed for a dropped patch, and unknown without a comparison', () => {
		assert.deepEqual(changeOf(line(13), { pairs: [{ kind: 'removed', old: 0 }] }), ['changed', undefined, []]);
		assert.deepEqual(changeOf(line(13), { pairs: [] }), ['unknown', undefined, []]);
		assert.deepEqual(changeOf({ kind: 'elsewhere' }), ['unknown', undefined, []]);
	});

	test('compare lines of the commit message, and nothing for the patch as a whole', () => {
		const message = (at: number): CommentPlace => ({ kind: 'message', mailId: 1, line: at });
		const at = earlier.patch.message.split('\n').indexOf('Because.') + 1;
		assert.deepEqual(changeOf(message(at)), ['changed', 'message', []]);
		assert.deepEqual(changeOf(message(earlier.patch.message.split('\n').indexOf('Why.') + 1)), ['same', 'message', []]);
		assert.deepEqual(changeOf({ kind: 'general', mailId: 1 }), ['unknown', 'general', []]);
	});

	test('count only replies by the author to the comment, and no thanks', () => {
		const place = line(13);
		const mine = comment(place, '~me', 5);
		const between: ReviewComment = { ...comment(place, '~carol', 6), answers: mine };
		const isAnswered = (last: ReviewComment): boolean =>
			outcomes(place, { comments: [mine, between, last] })[0]?.answer === last;
		assert.ok(isAnswered({ ...comment(place, '~bob', 7), answers: mine }));
		assert.ok(isAnswered({ ...comment(place, '~bob', 7), answers: between }));
		assert.ok(!isAnswered(comment(place, '~bob', 7)), 'a comment of its own');
		assert.ok(!isAnswered({ ...comment(place, '~carol', 7), answers: mine }));
		assert.deepEqual(outcomes(place, { comments: [comment(place, '~me', 1, true)] }), []);
		assert.deepEqual(outcomes(place, { comments: [comment(place, '~carol', 1)] }), []);
	});

	test('add up, where a comment may count as changed and as answered', () => {
		const of = (change: CommentOutcome['change'], isAnswered: boolean): CommentOutcome =>
			standFor<CommentOutcome>({ change, answer: isAnswered ? comment(line(1), '~bob', 1) : undefined });
		const all = [of('changed', true), of('changed', false), of('same', true), of('same', false), of('unknown', false)];
		assert.deepEqual(outcomeCounts(all), { all: 5, changed: 2, answered: 2, untouched: 1, unclear: 1 });
	});
});
