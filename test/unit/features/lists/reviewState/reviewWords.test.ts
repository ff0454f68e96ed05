import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { ReviewComment } from 'patchmail/review/reviewComment.ts';
import { makeReading, makeSeriesMail } from '../../../../support/makeSeries.ts';

const { besideWriter, commentBody, firstLineOf, writerName, writerText } =
	await import('../../../../../src/features/lists/reviewState/reviewWords.ts');

function comment(change: Partial<ReviewComment>): ReviewComment {
	return {
		mail: makeSeriesMail({}),
		index: 0,
		prose: 'Why?',
		lastLine: 0,
		quote: [],
		place: { kind: 'general', mailId: 1 },
		answers: undefined,
		isCourtesy: false,
		...change,
	};
}

suite('comment texts', () => {
	test('cut a very long comment, and refer to its message', () => {
		for (const prose of ['line\n'.repeat(100_000), 'long '.repeat(100_000), '\u{1F600}'.repeat(100_000)]) {
			const { value } = commentBody(comment({ prose }));
			assert.ok(value.length < 30_000, String(value.length));
			assert.ok(value.isWellFormed());
			assert.match(value, /The rest of this comment is in its message\\\.$/);
			assert.ok(firstLineOf(comment({ prose })).length < 300);
		}
		assert.equal(commentBody(comment({ prose: 'Short.' })).value, 'Short\\.');
	});

	for (const [prose, label, body] of [
		['Hi!\n\nThis leaks.', 'This leaks.', 'This leaks\\.'],
		['Hi Andrea,\nThis leaks.', 'This leaks.', 'This leaks\\.'],
		['^^^\nA blank too many.', 'A blank too many.', '^^^'],
		['Hi!', 'Hi!', 'Hi\\!'],
		['Hey, is this right?\nIt leaks.', 'Hey, is this right?', 'Hey, is this right?'],
	] as const) {
		test(`label a comment ${JSON.stringify(prose)} as "${label}"`, () => {
			assert.equal(firstLineOf(comment({ prose })), label);
			assert.equal(
				commentBody(comment({ prose }))
					.value.trimStart()
					.split(/ {2}\n|\n/)[0]
					?.replaceAll(/&nbsp;|\\(?=\^)/g, '')
					.trim(),
				body,
			);
		});
	}

	test('add the last quoted lines to a comment without a line', () => {
		const quote = Array.from({ length: 50 }, (_, at) => ` line ${at}`);
		const { value } = commentBody(comment({ quote }));
		assert.deepEqual(value.split('\n').slice(0, 4), ['Why?', '', '> line 44  ', '> line 45  ']);
		const place = {
			kind: 'line',
			mailId: 1,
			file: 0,
			hunk: 0,
			side: 'new',
			line: 1,
			firstLine: 1,
			start: 0,
			end: 1,
		} as const;
		assert.equal(commentBody(comment({ quote, place })).value, 'Why?');
	});

	test('show the sender’s address, escape hidden characters, and warn about a misleading sender', () => {
		const from = [{ name: 'A\u202Elice', address: 'mallory@elsewhere.test' }];
		const plain = makeSeriesMail({ reading: makeReading({ from }) });
		assert.deepEqual(
			[writerText(plain), writerName(plain), besideWriter(comment({ mail: plain }), false)],
			['A⟨U+202E⟩lice <mallory@elsewhere.test>', 'A⟨U+202E⟩lice', ''],
		);
		const several = makeSeriesMail({ reading: makeReading({ from, cautions: [{ kind: 'severalSenders' }] }) });
		assert.match(writerName(several), /^⚠ .*<mallory@elsewhere\.test>$/);
		assert.equal(besideWriter(comment({ mail: several }), true), '⚠ Misleading sender · Unanswered question');
		const raw = { kind: 'raw', reason: 'unreadable', text: '' } as const;
		assert.equal(writerText(makeSeriesMail({ reading: raw, account: '~bob' })), '~bob');
		assert.equal(writerText(makeSeriesMail({ reading: raw, account: undefined })), 'Unknown sender');
	});
});
