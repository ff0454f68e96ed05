import assert from 'node:assert/strict';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { openQuestions } from '../../src/review/openQuestions.ts';
import { reviewComments } from '../../src/review/reviewComments.ts';
import { isWaiting, reviewThreads, type ReviewThread } from '../../src/review/reviewThreads.ts';
import { readSeries } from '../../src/series/series.ts';
import type { SeriesMail } from '../../src/series/seriesReading.ts';
import { makeSeriesMail } from '../../../../test/support/makeSeries.ts';
import { replyCorpus } from '../../../../test/support/replyCorpus.ts';
import type { ReviewComment } from '../../src/review/reviewComment.ts';

function diffOf(path: string): string {
	return [
		`diff --git a/${path} b/${path}`,
		'index 1234567..89abcde 100644',
		`--- a/${path}`,
		`+++ b/${path}`,
		'@@ -10,3 +10,4 @@ int lamps(void)',
		' {',
		'-\tint found = 0;',
		'+\tstatic int found = -1;',
		'+\tif (found < 0)',
		' \treturn found;',
		'',
	].join('\n');
}

const cover = makeSeriesMail({ id: 1, subject: '[PATCH 0/2] lamps', body: 'Two lamps.\n\nThey burn.\n' });
const patches = ['lamp.c', 'wick.c'].map((path, at) =>
	makeSeriesMail({
		id: at + 2,
		parentId: 1,
		subject: `[PATCH ${at + 1}/2] ${path}`,
		body: `Why it is so.\n\n---\n 1 file changed\n\n${diffOf(path)}-- \n2.39.5\n`,
		from: 'ann@forge.test',
	}),
);
const series = [cover, ...patches];

function reply(id: number, parentId: number, lines: readonly string[], from = 'bob@forge.test'): SeriesMail {
	return makeSeriesMail({ id, parentId, subject: 'Re: lamps', body: lines.join('\n'), from });
}

function threadsOf(...replies: readonly SeriesMail[]): readonly ReviewThread[] {
	const reading = readSeries(series);
	return reviewThreads(runAtOnce(reviewComments([...series, ...replies], reading)), reading);
}

function told(threads: readonly ReviewThread[]): readonly string[] {
	return threads.map(({ place, comments }) => `${place.kind}: ${comments.map(({ prose }) => prose).join(' / ')}`);
}

suite('review threads', () => {
	test('group all comments at one place, each thread starter with its answers below', () => {
		const threads = told(
			threadsOf(
				reply(10, 2, ['> +\tif (found < 0)', 'Why?']),
				reply(11, 2, ['> +\tif (found < 0)', 'Looks odd.'], 'eve@forge.test'),
				reply(12, 10, ['> Why?', 'Because.'], 'ann@forge.test'),
				reply(13, 12, ['> Because.', 'I see.']),
			),
		);
		assert.deepEqual(threads, ['line: Why? / Because. / I see. / Looks odd.']);
	});

	test('follow the reading order: cover letter, patch, message, diff from top to bottom, others last', () => {
		const threads = told(
			threadsOf(
				reply(10, 3, ['> +\tif (found < 0)', 'Second patch.']),
				reply(11, 2, ['> \treturn found;', 'Last line.']),
				reply(12, 2, ['> -\tint found = 0;', 'Removed line.']),
				reply(13, 2, ['> diff --git a/lamp.c b/lamp.c', 'The file.']),
				reply(14, 2, ['> Why it is so.', 'The message.']),
				reply(15, 2, ['The patch.']),
				reply(16, 99, ['Something else.']),
				reply(17, 1, ['The series.']),
				reply(18, 1, ['> They burn.', 'The letter.']),
			),
		);
		assert.deepEqual(threads, [
			'general: The series.',
			'cover: The letter.',
			'general: The patch.',
			'message: The message.',
			'file: The file.',
			'line: Removed line.',
			'line: Last line.',
			'line: Second patch.',
			'elsewhere: Something else.',
		]);
	});

	test('keep a unique key when comments arrive', () => {
		const first = reply(10, 2, ['> +\tif (found < 0)', 'Why?', '> \treturn found;', 'Not here.']);
		const before = threadsOf(first);
		const after = threadsOf(first, reply(12, 10, ['> Why?', 'Because.'], 'ann@forge.test'));
		const keys = (threads: readonly ReviewThread[]): readonly string[] => threads.map(({ key }) => key);
		assert.deepEqual([keys(after), new Set(keys(after)).size], [keys(before), 2]);
	});

	test('wait until somebody else has replied, and longer with an open question', () => {
		function waiting(...replies: readonly SeriesMail[]): readonly boolean[] {
			const threads = threadsOf(...replies);
			const open = openQuestions(threads.flatMap(({ comments }) => comments));
			return threads.map((thread) => isWaiting(thread, open));
		}
		const remark = reply(10, 2, ['> +\tif (found < 0)', 'This is slow.']);
		const question = reply(12, 10, ['> This is slow.', 'How slow is it?'], 'ann@forge.test');
		assert.deepEqual(waiting(remark), [true]);
		assert.deepEqual(waiting(remark, reply(11, 10, ['> This is slow.', 'It is.'], 'ann@forge.test')), [false]);
		assert.deepEqual(waiting(remark, reply(11, 10, ['> This is slow.', 'Thanks!'], 'ann@forge.test')), [false]);
		assert.deepEqual(waiting(remark, question), [true]);
		assert.deepEqual(waiting(reply(10, 2, ['> +\tif (found < 0)', 'Thanks!'])), [false]);
		const approval = ['> +\tif (found < 0)', 'Exactly.', '', 'Reviewed-by: Bob <bob@forge.test>'];
		assert.deepEqual(waiting(reply(10, 2, approval)), [false]);
		assert.deepEqual(waiting(reply(10, 2, ['> +\tif (found < 0)', 'Why?', '', ...approval.slice(3)])), [true]);
		for (const refusal of ['Nacked-by', 'NAKed-by', 'Rejected-by', 'Reported-by']) {
			const refused = [...approval.slice(0, 3), `${refusal}: Bob <bob@forge.test>`];
			assert.deepEqual(waiting(reply(10, 2, refused)), [true], refusal);
		}
	});

	test('contain each comment of the corpus once, after the comment it answers', async () => {
		let count = 0;
		for (const { name, series: reading, mails } of await replyCorpus()) {
			const comments = runAtOnce(reviewComments(mails, reading));
			const threads = reviewThreads(comments, reading);
			const placed = threads.flatMap((thread) => thread.comments);
			count += comments.length;
			assert.deepEqual([placed.length, new Set(placed)], [comments.length, new Set(comments)], name);
			for (const thread of threads) {
				thread.comments.forEach((comment, at) => {
					const { answers } = comment;
					assert.ok(answers === undefined || thread.comments.indexOf(answers) < at, `${name} ${comment.prose}`);
					assert.equal(comment.place.kind, thread.place.kind);
				});
			}
		}
		assert.ok(count >= 300, String(count));
	});

	test('place commentary after the message, and other mails after all patches', () => {
		const found = threadsOf(
			reply(5, 2, ['> +\tif (found < 0)', '', 'In the diff.']),
			reply(7, 2, ['> Why it is so.', '', 'Of the message.']),
		);
		assert.deepEqual(told(found), ['message: Of the message.', 'line: In the diff.']);
		const comment = found[0]!.comments[0]!;
		const at = (mailId: number): ReviewComment => ({
			...comment,
			answers: undefined,
			place: { kind: 'general', mailId },
		});
		const order = reviewThreads([at(99), at(3), at(2)], readSeries(series));
		assert.deepEqual(
			order.map(({ place }) => (place.kind === 'general' ? place.mailId : 0)),
			[2, 3, 99],
		);
		const aside = { ...at(2), place: { kind: 'commentary', mailId: 2, line: 1 } } as const;
		const kinds = reviewThreads([found[1]!.comments[0]!, aside, comment], readSeries(series));
		assert.deepEqual(
			kinds.map(({ place }) => place.kind),
			['message', 'commentary', 'line'],
		);
		const same = reviewThreads([at(98), at(99)], readSeries(series));
		assert.deepEqual(
			same.map(({ place }) => (place.kind === 'general' ? place.mailId : 0)),
			[98, 99],
		);
	});
});
