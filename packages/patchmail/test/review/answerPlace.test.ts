import assert from 'node:assert/strict';
import { mailContent } from '../../src/mail/mailContent.ts';
import { answerPlace } from '../../src/review/answerPlace.ts';
import type { DraftPlace } from '../../src/review/reviewDraft.ts';
import { reviewComments } from '../../src/review/reviewComments.ts';
import { readSeries } from '../../src/series/series.ts';
import type { SeriesMail } from '../../src/series/seriesReading.ts';
import { makeReading, makeSeriesMail, patchText } from '../../../../test/support/makeSeries.ts';
import { replyCorpus } from '../../../../test/support/replyCorpus.ts';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { fake } from '../../../../test/support/fake.ts';

/** Two hunks with the same ending. */
const patch = makeSeriesMail({
	id: 1,
	subject: '[PATCH] Fold twice',
	body: `${patchText('fold.c').trimEnd()}\n@@ -20,2 +21,3 @@\n {\n+	fold();\n }\n`,
});

/** The same comment below two quotations, and another one before them. */
const reply = [
	'Thanks, but this is longer than a line can be, so that a program ',
	'wrote it in two.',
	'',
	'> @@ -20,2 +21,3 @@',
	'>  {',
	'',
	'Please check this.',
	'',
	'> +	fold();',
	'>  }',
	'',
	'Please check this.',
	'',
	'-- ',
	'Ann',
	'',
];

/** The line above the reply to each comment of a mail; 0 if the reply goes below the whole mail. */
function answered(mail: SeriesMail): readonly number[] {
	return runAtOnce(reviewComments([patch, mail], readSeries([patch])))
		.filter((comment) => comment.mail === mail)
		.map((comment) => lineOf(answerPlace(comment)));
}

function lineOf(place: DraftPlace): number {
	return place.kind === 'text' ? place.line : 0;
}

function written(reading: SeriesMail['reading']): SeriesMail {
	return makeSeriesMail({ id: 2, parentId: 1, subject: 'Re: [PATCH] Fold twice', reading });
}

suite('place of a reply to a comment', () => {
	test('is below its last line, even if the same text occurs above', () => {
		const mail = written(makeReading({ body: reply.join('\n') }));
		assert.deepEqual(answered(mail), [2, 7, 12]);
	});

	test('follows the joined lines of flowed text', () => {
		for (const delSp of [false, true]) {
			const content = mailContent([{ decoded: reply.join('\n'), isFlowed: true, delSp }]);
			const mail = written(makeReading({ ...content }));
			assert.deepEqual(answered(mail), [1, 6, 11]);
			assert.equal(content.text.split('\n')[10], 'Please check this.');
		}
	});

	test('allows for a mailbox’s From mark and for a lone CR', () => {
		const stuffed = ['> +	fold();', '>  }', '', 'It comes', '>From here to there.', ''];
		assert.deepEqual(answered(written(makeReading({ body: stuffed.join('\n') }))), [5]);
		const content = mailContent([{ decoded: `One\rline.\n${reply.join('\n')}`, isFlowed: false, delSp: false }]);
		assert.deepEqual(answered(written(makeReading({ ...content }))).slice(1), [8, 13]);
	});

	test('is the whole mail if it is unreadable', () => {
		assert.deepEqual(answered(written({ kind: 'raw', reason: 'unreadable', text: 'Please check this.\n' })), [0]);
	});

	test('matches the last line of every comment in the corpus', async () => {
		let count = 0;
		for (const { series, mails } of await replyCorpus()) {
			for (const comment of runAtOnce(reviewComments(mails, series))) {
				const { mail, prose } = comment;
				const lines = mail.reading.kind === 'read' ? mail.reading.mail.text.split('\n') : [];
				const line = lineOf(answerPlace(comment));
				assert.equal(lines[line - 1]?.trim(), prose.split('\n').at(-1)?.trim());
				assert.equal(line, comment.lastLine + 1);
				count += 1;
			}
		}
		assert.ok(count > 100, String(count));
	});

	test('is the nearest equal line above or below, with or without a mailbox’s mark', () => {
		const lineOf = (text: string, lastLine: number, prose: string): number | undefined => {
			const mail = makeSeriesMail({ id: 1, body: text });
			const comment = fake<Parameters<typeof answerPlace>[0]>({ mail, prose, lastLine });
			const place = answerPlace(comment);
			return place.kind === 'text' ? place.line : undefined;
		};
		const text = 'a\nb\nc\n>From x\na\n';
		assert.deepEqual(
			[
				lineOf(text, 1, 'a'),
				lineOf(text, 3, 'x\na'),
				lineOf(text, 0, 'From x'),
				lineOf(text, Infinity, 'b'),
				lineOf(text, 2, 'z'),
			],
			[1, 5, 4, 2, undefined],
		);
	});
});
