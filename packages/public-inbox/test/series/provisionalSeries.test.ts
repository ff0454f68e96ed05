import assert from 'node:assert/strict';
import type { SearchRow } from 'public-inbox/read/searchPage.ts';
import { provisionalSeries, settledSeries } from 'public-inbox/series/provisionalSeries.ts';
import { createRandom } from '../../../../test/support/random.ts';
import { madeSeries } from '../../../../test/support/seriesCorpus.ts';

const minuteMs = 60_000;
const startMs = Date.UTC(2026, 2, 2, 10);

suite('provisional series', () => {
	function row(subject: string, messageId: string, minute = 0, author = 'Ann'): SearchRow {
		return { subject, messageId, author, dateMs: startMs + minute * minuteMs };
	}

	function shuffled<T>(all: readonly T[], seed: number): readonly T[] {
		const random = createRandom(seed);
		return all
			.map((each) => ({ each, key: random.below(1_000_000) }))
			.toSorted((one, other) => one.key - other.key)
			.map(({ each }) => each);
	}

	/** Subjects by group. */
	function groups(rows: readonly SearchRow[]): readonly (readonly string[])[] {
		return provisionalSeries(rows)
			.map(({ cover, patches }) => [...(cover ? [cover] : []), ...patches].map(({ messageId }) => messageId))
			.toSorted((one, other) => String(one).localeCompare(String(other)));
	}

	test('of equal size and sender stay apart by the numbers of git and b4', () => {
		const ids = [
			(index: number) => `<20260302100700.11-${index + 1}-ann@a.example>`,
			(index: number) => `<20260302100701.12-${index + 1}-ann@a.example>`,
			(index: number) => `<20260302-topic-v1-${index}-abcdef123456@a.example>`,
		];
		const series = ids.map((idOf) => Array.from({ length: 4 }, (_, index) => row(`[PATCH ${index}/3] x`, idOf(index))));
		const expected = series.map((rows) => rows.map(({ messageId }) => messageId));
		for (let seed = 0; seed < 20; seed += 1) {
			assert.deepEqual(
				groups(shuffled(series.flat(), seed)),
				expected.toSorted((one, other) => String(one).localeCompare(String(other))),
			);
		}
	});

	test('without numbers stay apart by a repeated index, a day, a version, a prefix and a sender', () => {
		const rows = [
			row('[PATCH 1/2] a', '<a1@x>'),
			row('[PATCH 2/2] b', '<a2@x>'),
			row('[PATCH 1/2] c', '<b1@x>', 10),
			row('[PATCH 2/2] d', '<b2@x>', 10),
			row('[PATCH v2 1/2] a', '<c1@x>', 20),
			row('[PATCH net 2/2] b', '<d2@x>', 20),
			row('[PATCH 1/2] e', '<e1@x>', 30, 'Eve'),
			row('[PATCH 2/2] f', '<f2@x>', 3 * 24 * 60),
			row('[PATCH] one', '<g@x>', 40),
			row('[PATCH] one', '<h@x>', 40),
			row('Re: [PATCH 1/2] a', '<i@x>', 40),
			row('[ANNOUNCE] no patch', '<j@x>', 40),
		];
		assert.deepEqual(groups(rows), [
			['<a1@x>', '<a2@x>'],
			['<b1@x>', '<b2@x>'],
			['<c1@x>'],
			['<d2@x>'],
			['<e1@x>'],
			['<f2@x>'],
			['<g@x>'],
			['<h@x>'],
		]);
	});

	test('have the facts of their cover letter, the newest first', () => {
		const [newest, oldest] = provisionalSeries([
			row('[RFC PATCH net v3 2/2] last', '<2@x>', 1),
			row('[RFC PATCH net v3 0/2] all of it', '<0@x>'),
			row('[PATCH] later', '<later@x>', 9),
		]);
		assert.deepEqual([newest?.subject, newest?.isComplete, newest?.messageId], ['later', true, '<later@x>']);
		assert.deepEqual(oldest && { ...oldest, cover: oldest.cover?.messageId, patches: oldest.patches.length }, {
			subject: 'all of it',
			prefix: 'net',
			version: 3,
			count: 2,
			author: 'Ann',
			dateMs: startMs,
			cover: '<0@x>',
			patches: 1,
			missing: [1],
			messageId: '<0@x>',
			isComplete: false,
		});
	});

	test('keep apart ids with other numbers, and join those that programs left uncounted', () => {
		const cases: readonly (readonly [readonly string[], readonly (readonly number[])[]])[] = [
			// One program counted one mail, and a person sent the other.
			[['<2026.1-1-ann@a>', '<hand-written@a>'], [[0, 1]]],
			[['<hand-written@a>', '<2026.1-2-ann@a>'], [[0, 1]]],
			[
				['<2026.1-1-ann@a>', '<2026.9-2-ann@a>'],
				[[0], [1]],
			],
			[['<2026.1-2-ann@a>', '<2026.1-3-ann@a>'], [[0, 1]]],
			// The number of b4 or git is that of the mail, and others are parts of a name.
			[['<2026.1-7-ann@a>', '<2026.9-8-ann@a>'], [[0, 1]]],
			[['<2026.1-0012-ann@a>', '<2026.9-0002-ann@a>'], [[0, 1]]],
			// Hosts have signs of their own.
			[
				['<a-1-b@one-1-x>', '<c-2-d@one-2-x>'],
				[[0], [1]],
			],
		];
		for (const [ids, expected] of cases) {
			const rows = ids.map((id, at) => row(`[PATCH ${at + 1}/2] x`, id));
			assert.deepEqual(
				groups(rows),
				expected
					.map((group) => group.map((at) => ids[at]))
					.toSorted((one, other) => String(one).localeCompare(String(other))),
				ids.join(),
			);
		}
		const many = [11, 12].map((index) => row(`[PATCH ${index}/12] x`, `<2026.1-${index}-ann@a>`));
		assert.deepEqual(groups([...many, row('[PATCH 12/12] x', '<2026.2-12-ann@a>')]), [
			['<2026.1-11-ann@a>', '<2026.1-12-ann@a>'],
			['<2026.2-12-ann@a>'],
		]);
	});

	test('join mails up to a day apart, and those without a date', () => {
		const day = 24 * 60;
		const two = (minute: number) => [row('[PATCH 1/2] a', '<a@x>'), row('[PATCH 2/2] b', '<b@x>', minute)];
		assert.deepEqual(groups(two(day)), [['<a@x>', '<b@x>']]);
		assert.deepEqual(groups(two(day + 1)), [['<a@x>'], ['<b@x>']]);
		const undated = two(0).map((each) => ({ ...each, dateMs: undefined }));
		assert.deepEqual(groups(undated), [['<a@x>', '<b@x>']]);
		assert.deepEqual(
			provisionalSeries([...undated, row('[PATCH] c', '<c@x>')]).map(({ dateMs }) => dateMs),
			[startMs, undefined],
		);
		const [half] = provisionalSeries([{ ...row('[PATCH 1/2] a', '<a@x>'), dateMs: 0 }, undated[1]!]);
		assert.deepEqual([half?.patches.length, half?.dateMs], [2, 0]);
	});

	test('have their patches by number, also if a later one was sent first', () => {
		const rows = [row('[PATCH 3/3] c', '<c@x>'), row('[PATCH 1/3] a', '<a@x>', 2), row('[PATCH 2/3] b', '<b@x>', 1)];
		const [found] = provisionalSeries(rows);
		assert.deepEqual(
			[found?.subject, found?.messageId, found?.dateMs, found?.patches.map(({ messageId }) => messageId)],
			['a', '<a@x>', startMs + 2 * minuteMs, ['<a@x>', '<b@x>', '<c@x>']],
		);
	});

	test('settle once they are complete, a day newer than the page, or on the last page', () => {
		const day = 24 * 60;
		const [half, cover, whole] = [
			row('[PATCH 2/2] half', '<half@x>', day),
			row('[PATCH 0/2] half', '<cover@x>', day),
			row('[PATCH] whole', '<whole@x>', 2),
		];
		const parted = (page: readonly SearchRow[], isLast = false) => {
			const { settled, rest } = settledSeries([half, cover, whole], page, isLast);
			return [settled.map(({ messageId }) => messageId), rest.map(({ messageId }) => messageId)];
		};
		const open = [['<whole@x>'], ['<cover@x>', '<half@x>']];
		const closed = [['<cover@x>', '<whole@x>'], []];
		assert.deepEqual(parted([half, cover, whole]), open);
		assert.deepEqual(parted([row('x', '<x@x>', 1), row('y', '<y@x>', 0)]), open);
		assert.deepEqual(parted([row('y', '<y@x>', -1), row('x', '<x@x>', -1)]), closed);
		assert.deepEqual(parted([whole], true), closed);
		// A page without dates says nothing about the next one.
		assert.deepEqual(parted([{ ...whole, dateMs: undefined }]), open);
		assert.deepEqual(settledSeries([half], [], false).rest, [half]);
	});

	test('are mostly those that their senders meant', () => {
		let meant = 0;
		let found = 0;
		for (const { mails, versions } of madeSeries()) {
			const rows = mails.map(({ from, subject, sentMs, name }): SearchRow => {
				const author = from.replace(/ <.*/, '');
				return { author, subject, messageId: `<${name}@x>`, dateMs: Math.floor(sentMs / minuteMs) * minuteMs };
			});
			const guessed = new Set(
				provisionalSeries(shuffled(rows, meant)).map(({ patches }) =>
					patches.map(({ messageId }) => messageId).join(' '),
				),
			);
			meant += versions.length;
			found += versions.filter(({ patches }) => guessed.has(patches.map(({ name }) => `<${name}@x>`).join(' '))).length;
		}
		// Partial versions keep patches of earlier ones, and only the thread shows them.
		assert.ok(found / meant >= 0.84, `${found} of ${meant}`);
		assert.ok(meant > 300, String(meant));
	});
});
