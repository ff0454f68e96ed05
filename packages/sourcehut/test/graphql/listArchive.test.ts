import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { piecesOf } from '../../src/graphql/lists/graphqlLists.ts';
import { rawMail } from '../../src/graphql/lists/rawMails.ts';
import { mailsIn } from 'patchmail/mail/mailbox.ts';
import { inRounds } from '../../../../test/support/counts.ts';

/** Lines of a message, including ones that look like the start of another message. */
const line = fc.oneof(
	fc.constantFrom('', '', '>From me', 'From : me', ' From me', 'From', 'Grüße', '\r'),
	fc.string({ maxLength: 12 }).filter((text) => !text.startsWith('From ')),
);
const mail = fc.array(line, { maxLength: 6 }).map((lines) => ['Subject: One', '', ...lines, ''].join('\n'));

function mailbox(mails: readonly string[]): Uint8Array {
	return new TextEncoder().encode(
		mails.map((each) => `From bob@lab.example Sat Nov 21 11:46:12 2026\n${each}\n\n`).join(''),
	);
}

async function* cut(bytes: Uint8Array, lengths: readonly number[]): AsyncGenerator<Uint8Array, void, undefined> {
	let from = 0;
	for (let turn = 0; from < bytes.byteLength; turn += 1) {
		const length = lengths[turn % lengths.length] ?? 1;
		yield bytes.subarray(from, from + length);
		from += length;
	}
}

suite('list archive parser', () => {
	test('finds the same messages for any chunk boundaries and piece sizes', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(mail, { maxLength: 12 }),
				fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 }),
				fc.integer({ min: 1, max: 400 }),
				async (mails, lengths, pieceBytes) => {
					const bytes = mailbox(mails);
					const read: string[] = [];
					let last = 0;
					for await (const piece of piecesOf(cut(bytes, lengths), pieceBytes)) {
						read.push(...piece.mails);
						assert.ok(piece.bytes >= last);
						last = piece.bytes;
					}
					assert.deepEqual(
						read,
						(mailsIn(bytes) ?? []).map((each) => rawMail(each).envelope),
					);
					assert.equal(last, bytes.byteLength);
				},
			),
			inRounds({ small: 300, full: 10_000 }),
		);
	});

	test('yields messages of a large archive before its end', async () => {
		const bytes = mailbox(Array.from({ length: 50 }, (_, at) => `Subject: ${at}\n\n${'text '.repeat(20)}\n`));
		const sizes: number[] = [];
		for await (const { mails } of piecesOf(cut(bytes, [100]), 1000)) {
			sizes.push(mails.length);
		}
		assert.equal(
			sizes.reduce((sum, size) => sum + size, 0),
			50,
		);
		assert.ok(sizes.length > 5, `${sizes.length} pieces`);
	});
});
