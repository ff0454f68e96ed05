import assert from 'node:assert/strict';
import type { ReadableMail } from '../../src/mail/readableMail.ts';
import { answeredPatches, isAnswer } from '../../src/series/answeredPatches.ts';
import { readSeries } from '../../src/series/series.ts';
import type { SeriesMail } from '../../src/series/seriesReading.ts';
import { makeReading, makeSeriesMail, patchText } from '../../../../test/support/makeSeries.ts';

const cover = makeSeriesMail({ id: 1, subject: '[PATCH 0/2] all things' });
const first = makeSeriesMail({ id: 2, parentId: 1, subject: '[PATCH 1/2] a thing', body: patchText('a.c') });
const second = makeSeriesMail({ id: 3, parentId: 1, subject: '[PATCH 2/2] b thing', body: patchText('b.c') });
const parts = [cover, first, second];
const series = readSeries(parts);
const raw = { kind: 'raw', reason: 'unreadable', text: '> quoted' } as const;

function headed(headers: Partial<ReadableMail>): SeriesMail {
	return makeSeriesMail({ id: 9, subject: 'Re: x', reading: makeReading(headers) });
}

suite('patches that a mail answers', () => {
	test('come from the parent, else from the headers, else from the subject', () => {
		const away = '<away@forge.test>';
		const manyAway = Array.from({ length: 50 }, (_, at) => `<away${at}@forge.test>`);
		const cases: readonly (readonly [mail: SeriesMail, indexes: readonly number[]])[] = [
			[makeSeriesMail({ id: 9, parentId: 3, subject: 'Re: [PATCH 1/2] a thing' }), [2]],
			[makeSeriesMail({ id: 9, parentId: 1, subject: 'Re: [PATCH 1/2] a thing' }), [1, 2]],
			[makeSeriesMail({ id: 9, parentId: 99, subject: 'RE: [patch 1/2]  A thing' }), [1]],
			[makeSeriesMail({ id: 9, subject: 'Re: [PATCH 0/2] all things' }), [1, 2]],
			[makeSeriesMail({ id: 9, subject: 'Re: [PATCH 1/2] athing' }), []],
			[makeSeriesMail({ id: 9, parentId: 99, subject: 'Re: [PATCH 1/2] a thing', reading: raw }), [1]],
			[makeSeriesMail({ id: 9, parentId: 99, subject: 'Re: x', reading: raw }), []],
			[headed({}), []],
			[headed({ inReplyTo: '<m3@forge.test>', references: ['<m2@forge.test>'] }), [2]],
			[headed({ inReplyTo: '<m3@forge.test> (message from Ann Lee on Mon)' }), [2]],
			[headed({ inReplyTo: 'Your message of "Mon" <m3@forge.test>' }), [2]],
			[headed({ inReplyTo: '(a (b) <m2@forge.test>) <m3@forge.test>' }), [2]],
			[headed({ inReplyTo: '<m3@forge.test> (Ann :-(' }), [2]],
			[headed({ inReplyTo: '=?utf-8?q?=3Cm3=40forge?= =?utf-8?q?=2Etest=3E?=' }), [2]],
			[headed({ inReplyTo: away, references: ['<m3@forge.test>', '<m2@forge.test>', away] }), [1]],
			[headed({ references: ['<m2@forge.test>', ...manyAway.slice(1)] }), [1]],
			[headed({ references: ['<m2@forge.test>', ...manyAway] }), []],
		];
		for (const [mail, indexes] of cases) {
			// The thread may lack the series or contain copies of its mails.
			for (const thread of [[], parts, parts.map((each) => ({ ...each }))]) {
				assert.deepEqual(answeredPatches([...thread, mail], series)(mail), indexes, mail.subject);
			}
		}
	});

	test('are none for mails of a series without a cover letter that answer something else', () => {
		const without = readSeries([first, second]);
		const mails = [makeSeriesMail({ id: 8, parentId: 1, subject: 'Re: x' }), makeSeriesMail({ id: 9, parentId: 2 })];
		assert.deepEqual(mails.map(answeredPatches(mails, without)), [[], [1]]);
	});

	test('need only one look at the references of a mail with many answers', () => {
		let looks = 0;
		const root = headed({});
		Object.defineProperty(root.reading.kind === 'read' && root.reading.mail, 'references', {
			get: () => {
				looks += 1;
				return ['<m2@forge.test>'];
			},
		});
		const answers = [10, 11, 12].map((id) => makeSeriesMail({ id, parentId: 9, subject: 'Re: x' }));
		assert.deepEqual(answers.map(answeredPatches([...parts, root, ...answers], series)), [[1], [1], [1]]);
		assert.equal(looks, 1);
	});
});

suite('mail with a patch subject', () => {
	const asked = (index: number, change: Partial<ReadableMail>): boolean =>
		isAnswer(makeSeriesMail({ subject: `[PATCH ${index}/2] x`, reading: makeReading(change) }));

	test('counts as an answer if it has a quotation and no diff', () => {
		for (const [body, expected] of [
			['Nothing.', false],
			['> quoted', true],
			['Yes.\n   > quoted', true],
			['Yes.\n    > code', false],
			['x > y', false],
			['>From here', false],
			['> quoted\ndiff --git a/x b/x', false],
			['> quoted\n--- a/x', false],
			['> quoted\n@@ -1 +1 @@', false],
			['> quoted\n---\n--- \n@@ -x', true],
			['> diff --git a/x b/x\n> --- a/x\n> @@ -1 +1 @@', true],
		] as const) {
			assert.equal(asked(1, { body }), expected, body);
		}
	});

	test('counts as an answer to a cover letter if it has a quotation near its start', () => {
		for (const [body, expected] of [
			['Nothing.', false],
			['> quoted', true],
			[' > quoted', false],
			['quoted >', false],
			['One.\n\nTwo.\n \t\n\nThree.\n> quoted', true],
			['One.\nTwo.\nThree.\nFour.\n> quoted', false],
			[`${'x'.repeat(1998)}\n> quoted`, true],
			[`${'x'.repeat(1999)}\n> quoted`, false],
		] as const) {
			assert.equal(asked(0, { body }), expected, body.slice(-50));
		}
	});

	test('is not an answer if a diff is attached or the mail is unreadable', () => {
		const attachment = { name: 'x', type: 'text/plain', size: 1, patch: undefined, text: 'x' };
		const attachments = (patch: string | undefined): Partial<ReadableMail> => ({
			body: '> quoted',
			attachments: [attachment, { ...attachment, patch }],
		});
		assert.equal(asked(1, attachments(undefined)), true);
		assert.equal(asked(1, attachments('diff --git a/x b/x')), false);
		assert.equal(isAnswer(makeSeriesMail({ subject: '[PATCH] x', reading: raw })), false);
	});

	test('is an answer with Re: or without brackets, whatever its text', () => {
		for (const subject of ['Re: [PATCH] x', 'Hello']) {
			for (const reading of [raw, makeReading({ body: patchText('x') })]) {
				assert.equal(isAnswer(makeSeriesMail({ subject, reading })), true);
			}
		}
	});
});
