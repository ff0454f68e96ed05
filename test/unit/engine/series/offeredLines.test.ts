import assert from 'node:assert/strict';
import { linksInReplies } from '../../../../src/engine/series/offeredLines.ts';
import { readSeries } from '../../../../src/engine/series/series.ts';
import { makeSeriesMail, patchText } from '../../../support/makeSeries.ts';

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
	test('splits each message once, and stops at 40 links', () => {
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

	test('collects the patches that lack a link over several replies', () => {
		const replies = [2, 3, 2].map((parentId, at) =>
			makeSeriesMail({
				id: 6 + at,
				parentId,
				subject: 'Re: x',
				body: 'link: https://a.test/1\nfixes: #2\nFixes: #2\n',
			}),
		);
		const found = linksInReplies([cover, ...patches, ...replies], series);
		assert.deepEqual(
			found.map(({ key, value, patchIndexes, mailId }) => [key, value, patchIndexes, mailId]),
			[['Fixes', '#2', [1, 2], 6]],
		);
	});

	test('are none of mails that answer no patch, cannot be read, or quote them', () => {
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
});
