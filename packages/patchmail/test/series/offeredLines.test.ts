import assert from 'node:assert/strict';
import { authorsBehindLists, linksInReplies } from '../../src/series/offeredLines.ts';
import type { MailPerson, SenderCaution } from '../../src/mail/readableMail.ts';
import { readSeries } from '../../src/series/series.ts';
import { makeReading, makeSeriesMail, patchText } from '../../../../test/support/makeSeries.ts';

const cover = makeSeriesMail({ id: 1, subject: '[PATCH 0/2] all', body: 'About.\n' });
const patches = [1, 2].map((at) =>
	makeSeriesMail({
		id: 1 + at,
		parentId: 1,
		subject: `[PATCH ${at}/2] x`,
		body: patchText('a.c', 'Link: https://a.test/1'),
	}),
);
const series = readSeries([cover, ...patches]);

suite('links in replies', () => {
	test('stop at 40, and each message is split once', () => {
		let reads = 0;
		const counted = series.patches.map((each) => ({
			...each,
			patch: {
				...each.patch,
				get message() {
					reads += 1;
					return each.patch.message;
				},
			},
		}));
		const body = Array.from({ length: 500 }, (_, at) => `Link: https://a.test/${at}\n`).join('');
		const replies = [1, 2].map((parentId) => makeSeriesMail({ id: 5 + parentId, parentId, subject: 'Re: x', body }));
		const found = linksInReplies([cover, ...patches, ...replies], { ...series, patches: counted });
		assert.deepEqual([found.length, reads], [40, 2]);
		assert.ok(found.every(({ patchIndexes, mailId }) => patchIndexes.length === 2 && mailId === 6));
	});

	test('collect the patches without the link over several replies', () => {
		const replies = [2, 3, 2].map((parentId, at) =>
			makeSeriesMail({
				id: 6 + at,
				parentId,
				subject: 'Re: x',
				body: 'link: https://a.test/1\nfixes: #2\nFixes: #2\n',
			}),
		);
		assert.deepEqual(linksInReplies([cover, ...patches, ...replies], series), [
			{
				key: 'Fixes',
				value: '#2',
				person: { name: '', address: '' },
				mailId: 6,
				patchIndexes: [1, 2],
				isInPatch: false,
				isForOther: false,
				isOnlyToGit: false,
			},
		]);
	});

	test('exclude mails that answer no patch, unreadable mails and quotations', () => {
		const reply = makeSeriesMail({
			id: 6,
			parentId: 2,
			subject: 'Re: x',
			body: `> Fixes: #1\nFixes: #2${' '.repeat(2000)}\n`,
		});
		const raw = makeSeriesMail({
			id: 7,
			parentId: 2,
			reading: { kind: 'raw', reason: 'unreadable', text: 'Fixes: #3\n' },
		});
		const other = makeSeriesMail({ id: 8, subject: 'Hello', body: 'Fixes: #4\n' });
		assert.deepEqual(linksInReplies([cover, ...patches, reply, raw, other], series), []);
	});

	test('exclude the series itself, with or without a cover letter', () => {
		const own = [
			makeSeriesMail({ id: 1, subject: '[PATCH 0/1] all', body: 'About.\nFixes: #1\n' }),
			makeSeriesMail({
				id: 2,
				parentId: 1,
				subject: '[PATCH 1/1] x',
				body: patchText('a.c').replace('---\n', '---\nFixes: #2\n'),
			}),
		];
		const reply = makeSeriesMail({ id: 3, parentId: 2, subject: 'Re: x', body: 'Fixes: #3\n' });
		const values = [own, own.slice(1)].map((mails) => {
			// Another reading of the same thread has other objects.
			const thread = [...mails, reply].map((mail) => ({ ...mail }));
			return linksInReplies(thread, readSeries(mails)).map(({ value }) => value);
		});
		assert.deepEqual(values, [['#3'], ['#3']]);
	});

	test('name a commit, a ticket or an address', () => {
		const commit = '1234567 ("a: b")';
		const url = 'https://b.test/1';
		const longest = `Link: https://b.test/${'x'.repeat(379)}`;
		const lines: readonly (readonly [line: string, offered: string | undefined])[] = [
			['fixes: #1', 'Fixes: #1'],
			['CLOSES: #123456789', 'Closes: #123456789'],
			['Implements: ~alice/lantern.c-1#12', 'Implements: ~alice/lantern.c-1#12'],
			[`References: ~a.b_c-9/x#1`, 'References: ~a.b_c-9/x#1'],
			['Bug: ~Ann/Lantern#1', 'Bug: ~Ann/Lantern#1'],
			[` \tLink \t: \t ${url} \t`, `Link: ${url}`],
			[`Link:${url}\r`, `Link: ${url}`],
			['Link: http://a.test', 'Link: http://a.test'],
			[`Link: ${url}?a=b&c=~d#e`, `Link: ${url}?a=b&c=~d#e`],
			[`Link: ${url} [1]`, `Link: ${url} [1]`],
			[`Link: ${url} #1`, `Link: ${url} #1`],
			[`Link: ${url} # [v2]`, `Link: ${url} # [v2]`],
			[`Link: ${url} # part two`, `Link: ${url} # part two`],
			[longest, longest],
			[`Fixes: ${commit}`, `Fixes: ${commit}`],
			[`Fixes: ${'a'.repeat(64)} (b, 2026-01-02)`, `Fixes: ${'a'.repeat(64)} (b, 2026-01-02)`],
			[`Fixes: ABCDEF0 (${'x'.repeat(200)})`, `Fixes: ABCDEF0 (${'x'.repeat(200)})`],
			['Fixes: 123456789a a: b', 'Fixes: 123456789a a: b'],
			['Fixes: 123456789a "a: b"', 'Fixes: 123456789a "a: b"'],
			// Other trailers, and words that only begin or end alike.
			[`Reported: ${url}`, undefined],
			[`It fixes: #1`, undefined],
			[`xFixes: #1`, undefined],
			[`Fixes the build: #1`, undefined],
			['Fixes #1', undefined],
			['Fixes     : #1', undefined],
			[`${' '.repeat(9)}Fixes: #1`, undefined],
			['Fixes:', undefined],
			// Not a whole target, or more than one.
			['Fixes: #', undefined],
			['Fixes: #1234567890', undefined],
			['Fixes: #1 and #2', undefined],
			['Fixes: see #1', undefined],
			['Fixes: alice/lantern#1', undefined],
			['Fixes: ~alice#1', undefined],
			['Fixes: ~al ice/lantern#1', undefined],
			['Fixes: ~alice/lan tern#1', undefined],
			[`Fixes: ~${'a'.repeat(101)}/x#1`, undefined],
			['Fixes: ~alice/lantern', undefined],
			['Fixes: 1234567', undefined],
			['Fixes: 123456 ("a: b")', undefined],
			['Fixes: ghijklm ("a: b")', undefined],
			['Fixes: 1234567 ()', undefined],
			['Fixes: 123456789 a: b', undefined],
			['Fixes: 123456789a is wrong', undefined],
			['Fixes: 123456789a (b: c', undefined],
			[`Fixes: ${commit} again`, undefined],
			[`Fixes: commit ${commit}`, undefined],
			[`Fixes: 1234567 (${'x'.repeat(201)})`, undefined],
			['Link: a.test/1', undefined],
			['Link: ftp://a.test/1', undefined],
			['Link: https://a', undefined],
			[`Link: see ${url}`, undefined],
			[`Link: <${url}>`, undefined],
			[`Link: ${url} and more`, undefined],
			[`Link: ${url} [${'1'.repeat(21)}]`, undefined],
			[`Link: ${url} []`, undefined],
			[`Link: ${url} #${'1'.repeat(21)}`, undefined],
			[`Link: ${url}\u00fc`, undefined],
			[`${longest}x`, undefined],
		];
		for (const [line, offered] of lines) {
			const reply = makeSeriesMail({ id: 6, parentId: 2, subject: 'Re: x', body: `${line}\n` });
			assert.deepEqual(
				linksInReplies([cover, ...patches, reply], series).map(({ key, value }) => `${key}: ${value}`),
				offered === undefined ? [] : [offered],
				line,
			);
		}
	});
});

suite('authors behind lists', () => {
	const list = { name: 'Ann Lee via devel', address: 'devel@lists.forge.test' };
	const ann = { name: 'Ann Lee', address: 'ann@forge.test' };

	interface Sent {
		readonly likely?: MailPerson | undefined;
		readonly cautions?: readonly SenderCaution[];
		readonly from?: readonly MailPerson[];
		readonly text?: string;
	}

	/** Author lines for a series of patches sent by a list. */
	function linesFor(...sent: readonly Sent[]): ReturnType<typeof authorsBehindLists> {
		const mails = sent.map(({ likely = ann, cautions, from = [list], text = '' }, at) =>
			makeSeriesMail({
				id: 11 + at,
				subject: `[PATCH ${at + 1}/${sent.length}] x`,
				reading: makeReading({
					from,
					cautions: cautions ?? [{ kind: 'severalSenders' }, { kind: 'sentByList', likely }],
					body: `${text}${patchText('a.c')}`,
				}),
			}),
		);
		return authorsBehindLists(readSeries(mails));
	}

	test('get one line each for all their patches', () => {
		const bob = { name: '', address: 'bob@forge.test' };
		const line = { key: 'From', isInPatch: false, isForOther: false, isOnlyToGit: false };
		assert.deepEqual(linesFor({}, { likely: bob }, {}), [
			{ ...line, value: 'Ann Lee <ann@forge.test>', person: ann, mailId: 13, patchIndexes: [1, 3] },
			{ ...line, value: ' <bob@forge.test>', person: bob, mailId: 12, patchIndexes: [2] },
		]);
	});

	test('are unknown if nobody replaced the sender, or if git would read another author', () => {
		const cases: readonly (readonly [reason: string, sent: Sent])[] = [
			['no list', { cautions: [] }],
			['another caution', { cautions: [{ kind: 'severalSenders' }] }],
			['nobody likely', { cautions: [{ kind: 'sentByList', likely: undefined }] }],
			['the patch names its author', { text: 'From: Cid <cid@forge.test>\n\n' }],
			['the patch names its author, and the mail no sender', { text: 'From: Cid <cid@forge.test>\n\n', from: [] }],
			['no author', { from: [] }],
			['an encoded word', { likely: { ...ann, name: '=?utf-8?q?Ann?=' } }],
			['a long name', { likely: { ...ann, name: 'x'.repeat(61) } }],
			['quotation marks', { likely: { ...ann, name: 'Ann "Lee"' } }],
			['a blank behind the address', { likely: { name: '', address: 'ann@forge.test ' } }],
			['no address', { likely: { ...ann, address: '' } }],
		];
		for (const [reason, sent] of cases) {
			assert.deepEqual(linesFor(sent), [], reason);
		}
		const raw = { kind: 'raw', reason: 'unreadable', text: '' } as const;
		const unread = readSeries([makeSeriesMail({ subject: '[PATCH] x', reading: raw })]);
		assert.equal(unread.patches.length, 1);
		assert.deepEqual(authorsBehindLists(unread), []);
	});
});
