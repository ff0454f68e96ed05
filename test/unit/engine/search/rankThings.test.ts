import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { inRounds } from '../../../support/counts.ts';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import type { IndexedTicket } from '../../../../src/engine/search/indexedTicket.ts';
import { rankThings, thingSource, withNumber } from '../../../../src/engine/search/rankThings.ts';
import type { Resting } from '@forge-desk/base/timeSlice.ts';
import { similarTicketsResting, type SimilarTicket } from '../../../../src/engine/search/similarTickets.ts';
import { makeTicket, someTimeMs } from '../../../support/makeTicket.ts';

function entry(id: number, title: string, change: Partial<Ticket> = {}): IndexedTicket {
	return { ticket: makeTicket({ ...change, id, title }), comments: [], commentCount: undefined };
}

const never = new AbortController().signal;
const inOneGo: Resting = { nowMs: () => 0, pause: () => assert.fail('nothing rests here'), sliceMs: 1 };

const facts = {
	text: ({ ticket }: IndexedTicket) => ticket.title,
	number: ({ ticket }: IndexedTicket) => ticket.id,
	isOver: ({ ticket }: IndexedTicket) => ticket.status === 'resolved',
	atMs: ({ ticket }: IndexedTicket) => ticket.updatedMs,
};

function ranked(query: string, tickets: readonly IndexedTicket[]): Promise<readonly IndexedTicket[]> {
	return rankThings({ query, limit: 1000 }, [thingSource(tickets, facts, (each) => each)], inOneGo, never);
}

async function ids(query: string, ...tickets: readonly IndexedTicket[]): Promise<readonly number[]> {
	return (await ranked(query, tickets)).map(({ ticket }) => ticket.id);
}

function similar(title: string, tickets: readonly IndexedTicket[], limit: number): Promise<readonly SimilarTicket[]> {
	return similarTicketsResting({ title, limit }, tickets, inOneGo, never);
}

suite('similar titles', () => {
	for (const { title, known, is } of [
		{ title: 'Upload stops over a slow ssh connection', known: 'Cloning hangs over a slow ssh connection', is: false },
		{ title: 'Mails vanish when the list is busy', known: 'Search times out when the list is busy', is: false },
		{ title: "Can't open the large file", known: 'Cannot open the large file', is: true },
		{ title: 'The page is very slow', known: 'Page is very slow', is: true },
		{ title: 'Uploads stop over a slow ssh connection', known: 'Upload stops over a slow ssh connection', is: true },
	]) {
		test(`${is ? 'include' : 'exclude'} "${known}" for "${title}"`, async () => {
			assert.equal((await similar(title, [entry(1, known)], 5)).length, Number(is));
		});
	}
});

suite('ranking for Go to', () => {
	test('finds things by number in every source', () => {
		const [seven, twelve] = [entry(7, 'Error 12 at start'), entry(12, 'Something else')];
		const sources = [[seven, twelve], [twelve]].map((tickets) => thingSource(tickets, facts, (each) => each));
		assert.deepEqual(withNumber(sources, 12), [twelve, twelve]);
	});

	test('prefers a name over an equally good title, and the shorter name', async () => {
		const names = ['lantern-plugins ~alice', 'lantern ~alice'].map((name) => ({ name }));
		const sources = [
			thingSource([entry(1, 'Lantern crashes')], facts, ({ ticket }) => ticket.title),
			thingSource(names, { text: ({ name }) => name, atMs: () => Infinity }, ({ name }) => name),
		];
		const find = (query: string): Promise<readonly string[]> =>
			rankThings({ query, limit: 9 }, sources, inOneGo, never);
		assert.deepEqual(await find('lantern'), ['lantern ~alice', 'lantern-plugins ~alice', 'Lantern crashes']);
		assert.deepEqual(await find(''), ['Lantern crashes']);
	});

	test('requires all words in the title, in any order and case', async () => {
		const tickets = [
			entry(1, 'Search hangs on an empty pattern'),
			entry(2, 'Search is slow'),
			entry(3, 'Empty SEARCH box'),
		];
		assert.deepEqual(await ids('empty search', ...tickets), [3, 1]);
	});

	test('prefers whole words over word beginnings, and those over parts', async () => {
		const tickets = [entry(1, 'A rediff of it'), entry(2, 'The difference'), entry(3, 'A diff view')];
		assert.deepEqual(await ids('diff', ...tickets), [3, 2, 1]);
	});

	test('sorts equal matches by open first, then latest', async () => {
		const tickets = [
			entry(1, 'crash', { status: 'resolved', updatedMs: someTimeMs + 9 }),
			entry(2, 'crash'),
			entry(3, 'crash', { updatedMs: someTimeMs + 1 }),
		];
		assert.deepEqual(await ids('crash', ...tickets), [3, 2, 1]);
	});

	test('lists everything without a query, latest change first', async () => {
		assert.deepEqual(await ids('  ', entry(1, 'crash'), entry(2, 'hang', { updatedMs: someTimeMs + 1 })), [2, 1]);
	});

	test('finds exactly the tickets with every word', async () => {
		const word = fc.constantFrom('diff', 'view', 'dif', 'Search', 'slow', '1', '#');
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.array(word, { maxLength: 4 })),
				fc.array(word, { minLength: 1, maxLength: 3 }),
				async (titles, words) => {
					const tickets = titles.map((title, at) => entry(at + 100, title.join(' ')));
					const found = await ranked(words.join(' '), tickets);
					const wanted = tickets.filter(({ ticket }) =>
						words.every((each) => ticket.title.toLowerCase().includes(each.toLowerCase())),
					);
					assert.deepEqual(new Set(found), new Set(wanted));
				},
			),
			inRounds({ small: 100, full: 2000 }),
		);
	});
});

suite('duplicate hints', () => {
	test('finds tickets with a similar title, the newest of equal ones first', async () => {
		const tickets = [
			entry(1, 'Search hangs on an empty pattern'),
			entry(2, 'The theme loader ignores underline colours'),
			entry(3, 'Search hangs on an empty pattern'),
		];
		assert.deepEqual(
			(await similar('searching hangs for empty patterns', tickets, 5)).map(({ ticket }) => ticket.id),
			[3, 1],
		);
	});

	test('finds nothing for a very short title', async () => {
		assert.deepEqual(await similar('ab', [entry(1, 'ab')], 5), []);
	});

	/** `undefined` for titles that differ or are too short. */
	async function likeness(a: string, b: string): Promise<number | undefined> {
		return (await similar(a, [entry(1, b)], 1))[0]?.likeness;
	}

	/** Long enough, and often alike. */
	const title = fc
		.tuple(fc.constantFrom('crash', 'search', 'theme'), fc.string({ unit: 'grapheme', maxLength: 8 }))
		.map((words) => words.join(' '));

	test('similarity is symmetric and at most 1', async () => {
		let alike = 0;
		await fc.assert(
			fc.asyncProperty(title, title, async (a, b) => {
				const found = await likeness(a, b);
				assert.equal(found, await likeness(b, a));
				assert.ok(found === undefined || found <= 1);
				alike += found === undefined ? 0 : 1;
			}),
			inRounds({ small: 100, full: 2000 }),
		);
		assert.ok(alike > 0);
	});

	test('similarity ignores word order and case', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.stringMatching(/^[a-zäö]{1,8}$/), { minLength: 1, maxLength: 6 }), async (words) => {
				const all = ['crash', ...words];
				assert.equal(await likeness(all.join(' '), all.toReversed().join(', ').toUpperCase()), 1);
			}),
			inRounds({ small: 100, full: 2000 }),
		);
	});

	test('the most similar tickets come first, up to the limit', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.stringMatching(/^[ab ]{4,12}$/)),
				fc.stringMatching(/^[ab ]{4,12}$/),
				async (titles, wanted) => {
					const found = await similar(
						wanted,
						titles.map((each, at) => entry(at + 1, each)),
						3,
					);
					assert.ok(found.length <= 3);
					assert.deepEqual(
						found.map((each) => each.likeness),
						found.map((each) => each.likeness).sort((a, b) => b - a),
					);
				},
			),
			inRounds({ small: 100, full: 2000 }),
		);
	});
});
