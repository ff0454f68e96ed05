import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { inRounds } from '../../../support/counts.ts';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { ticketStatuses, type Ticket } from 'sourcehut/port/ticket.ts';
import { statusWords, parseTicketFilter, type TicketFilter } from '../../../../src/engine/search/ticketFilter.ts';
import { foldText, foldedHolds } from '../../../../src/engine/search/foldText.ts';
import type { Mark } from 'sourcehut/port/mark.ts';
import type { IndexedTicket } from '../../../../src/engine/search/indexedTicket.ts';
import { mergeSorting } from '../../../../src/engine/search/rankThings.ts';
import {
	selectionSteps,
	selectTicketsResting,
	type Search,
	type Selection,
	type TicketSource,
} from '../../../../src/engine/search/selectTickets.ts';
import { makeTicket, makeUser, someTimeMs } from '../../../support/makeTicket.ts';

function entry(change: Partial<Ticket>, comments: readonly string[] = [], commentCount?: number): IndexedTicket {
	return { ticket: makeTicket(change), comments, commentCount };
}

function read(text: string): TicketFilter {
	const reading = parseTicketFilter(text);
	if (reading.kind === 'problem') {
		throw new Error(`${text}: ${reading.problem.kind}`);
	}
	return reading.filter;
}

function selectTickets<T>(search: Search, sources: readonly TicketSource<T>[]): Selection<T> {
	return runAtOnce(selectionSteps(search, sources));
}

/** A user without unread tickets. */
const unmarked = (): undefined => undefined;

function idsFor(text: string, tickets: readonly IndexedTicket[], me = '~alice'): readonly number[] {
	return selectTickets({ filter: read(text) }, [{ me, mark: unmarked, tickets, from: 0 }]).found.map(
		(found) => found.entry.ticket.id,
	);
}

const anyText = fc.constantFrom('crash', 'Crash in tmux', 'ÄRGER', 'nothing', '');
const anyEntry: fc.Arbitrary<IndexedTicket> = fc
	.record({
		id: fc.integer({ min: 1, max: 40 }),
		title: anyText,
		description: anyText,
		status: fc.constantFrom(...ticketStatuses),
		labels: fc.uniqueArray(fc.constantFrom('bug', 'Needs work', 'ui')),
		assignees: fc.uniqueArray(fc.constantFrom('alice', 'bob')).map((names) => names.map(makeUser)),
		updatedMs: fc.integer({ min: 0, max: 9 }),
		createdMs: fc.integer({ min: 0, max: 9 }),
	})
	.chain((change) =>
		fc
			.record({ comments: fc.array(anyText, { maxLength: 2 }), commentCount: fc.option(fc.nat(5), { nil: undefined }) })
			.map(({ comments, commentCount }) => entry(change, comments, commentCount)),
	);
const anyEntries = fc.array(anyEntry, { maxLength: 30 });
const anyTerm = fc.oneof(
	fc.constantFrom(...statusWords.map((word) => `status:${word}`)),
	fc.constantFrom('submitter:me', 'submitter:~bob', 'assigned:me', 'assigned:bob', 'label:bug', 'label:"needs WORK"'),
	fc.constantFrom('no:assignee', 'no:label', 'is:unread', 'crash', 'ärger', '"crash in"'),
);
const anyOrder = fc.constantFrom(
	'',
	'sort:updated',
	'rsort:updated',
	'sort:created',
	'rsort:created',
	'sort:comments',
	'rsort:comments',
);

suite('finding tickets by a filter', () => {
	const open = entry({ id: 1, status: 'reported' });
	const resolved = entry({ id: 2, status: 'resolved', updatedMs: someTimeMs + 1 });
	const odd = entry({ id: 3, status: 'other:waiting' });

	test('selects open tickets by default', () => {
		assert.deepEqual(idsFor('', [open, resolved, odd]), [3, 1]);
		assert.deepEqual(idsFor('status:any', [open, resolved, odd]), [2, 3, 1]);
		assert.deepEqual(idsFor('status:closed', [open, resolved, odd]), [2]);
		assert.deepEqual(idsFor('!status:open', [open, resolved, odd]), [2]);
		assert.deepEqual(idsFor('status:reported', [open, resolved, odd]), [1]);
	});

	test('finds people by account, address and external name', () => {
		const tickets = [
			entry({ id: 1, submitter: { kind: 'user', ...makeUser('bob') } }),
			entry({ id: 2, submitter: { kind: 'email', address: 'Bob@host.example', name: 'Bob Miller' } }),
			entry({ id: 3, submitter: { kind: 'external', externalId: 'hub.example:robert', externalUrl: undefined } }),
		];
		assert.deepEqual(idsFor('submitter:~bob', tickets), [1]);
		assert.deepEqual(idsFor('submitter:BOB', tickets), [1]);
		assert.deepEqual(idsFor('submitter:bob@host.example', tickets), [2]);
		assert.deepEqual(idsFor('submitter:"bob miller"', tickets), [2]);
		assert.deepEqual(idsFor('submitter:hub.example:robert', tickets), [3]);
		assert.deepEqual(idsFor('submitter:robert', tickets), [3]);
		assert.deepEqual(idsFor('submitter:me', tickets, '~bob'), [1]);
	});

	test('finds assignees with or without tilde, in any case', () => {
		const tickets = [
			entry({ id: 1, assignees: [makeUser('bob')] }),
			entry({ id: 2, assignees: [makeUser('alice'), makeUser('bob')] }),
			entry({ id: 3, assignees: [makeUser('bobby')] }),
			entry({ id: 4 }),
		];
		for (const term of ['assigned:bob', 'assigned:~bob', 'assigned:BOB']) {
			assert.deepEqual(idsFor(term, tickets), [2, 1], term);
		}
		assert.deepEqual(idsFor('assigned:me', tickets), [2]);
		assert.deepEqual(idsFor('!assigned:bob', tickets), [4, 3]);
	});

	test('searches title, description and comments in any case and Unicode form', () => {
		const tickets = [
			entry({ id: 1, title: 'Überlauf' }),
			entry({ id: 2, description: 'U\u0308BERLAUF' }),
			entry({ id: 3 }, ['der überlauf']),
			entry({ id: 4 }),
		];
		assert.deepEqual(idsFor('überLAUF', tickets), [3, 2, 1]);
		assert.deepEqual(idsFor('!überlauf', tickets), [4]);
	});

	test('finds unread tickets by the marks of their own account', () => {
		const tickets = [entry({ id: 1 }), entry({ id: 2 }), entry({ id: 3, status: 'resolved' }), entry({ id: 4 })];
		const marks = new Map<number, Mark>([
			[1, 'new'],
			[2, 'changed'],
			[3, 'changed'],
		]);
		const mark = ({ id }: Ticket): Mark | undefined => marks.get(id);
		const ids = (text: string): readonly number[] =>
			selectTickets({ filter: read(text) }, [
				{ me: '~alice', mark, tickets, from: 0 },
				{ me: '~bob', mark: unmarked, tickets, from: 1 },
			]).found.map((found) => found.entry.ticket.id);
		assert.deepEqual(ids('is:changed'), [2]);
		assert.deepEqual(ids('status:any is:changed'), [3, 2]);
		assert.deepEqual(ids('is:new'), [1]);
		assert.deepEqual(ids('status:any IS:Unread'), [3, 2, 1]);
		assert.deepEqual(ids('!is:unread'), [4, 4, 2, 1]);
	});

	test('finds a Greek word with either small sigma', () => {
		assert.deepEqual(idsFor('οδοσ', [entry({ id: 1, title: 'ΟΔΟΣ' }), entry({ id: 2, title: 'οδος' })]), [2, 1]);
	});

	test('resolves me per source and returns each ticket with its source', () => {
		const mine = entry({ id: 1, submitter: { kind: 'user', ...makeUser('alice') } });
		const { found } = selectTickets({ filter: read('submitter:me') }, [
			{ me: '~alice', mark: unmarked, tickets: [mine], from: 'first' },
			{ me: '~bob', mark: unmarked, tickets: [mine, entry({ id: 2 })], from: 'second' },
		]);
		assert.deepEqual(
			found.map(({ entry: { ticket }, from }) => [ticket.id, from]),
			[
				[2, 'second'],
				[1, 'first'],
			],
		);
	});

	test('sorts uncounted tickets last in both directions and counts them', () => {
		const tickets = [entry({ id: 1 }, [], 3), entry({ id: 2 }), entry({ id: 3 }, [], 7), entry({ id: 4 })];
		const by = (sort: string): unknown => {
			const { found, uncounted } = selectTickets({ filter: read(sort) }, [
				{ me: '~alice', mark: unmarked, tickets, from: 0 },
			]);
			return [found.map(({ entry: { ticket } }) => ticket.id), uncounted];
		};
		assert.deepEqual(by('sort:comments'), [[3, 1, 4, 2], 2]);
		assert.deepEqual(by('rsort:comments'), [[1, 3, 4, 2], 2]);
		assert.deepEqual(by('sort:updated'), [[4, 3, 2, 1], 0]);
	});

	test('prefers the filter’s order over the view’s order', () => {
		const tickets = [entry({ id: 1, createdMs: 9, updatedMs: 1 }), entry({ id: 2, createdMs: 1, updatedMs: 9 })];
		const ids = (text: string): readonly number[] =>
			selectTickets({ filter: read(text), order: { key: 'number', isReversed: true } }, [
				{ me: '~alice', mark: unmarked, tickets, from: 0 },
			]).found.map((found) => found.entry.ticket.id);
		assert.deepEqual(ids(''), [1, 2]);
		assert.deepEqual(ids('sort:updated'), [2, 1]);
	});

	test('pauses more often for long texts, but only if it searches words', async () => {
		const tickets = Array.from({ length: 64 }, (_, at) => entry({ id: at + 1, description: 'x'.repeat(16_000) }));
		const restsFor = async (text: string): Promise<number> => {
			let rests = 0;
			const pause = async (): Promise<void> => void (rests += 1);
			const resting = { nowMs: () => 0, pause, sliceMs: 0 };
			const source = { me: '~alice', mark: unmarked, tickets, from: 0 };
			await selectTicketsResting({ filter: read(text) }, [source], resting, new AbortController().signal);
			return rests;
		};
		assert.ok((await restsFor('word')) >= 12);
		assert.ok((await restsFor('no:label')) <= 3);
	});

	test('splits the tickets between a term and its negation', () => {
		fc.assert(
			fc.property(anyEntries, anyTerm, (entries, term) => {
				const rest = term.startsWith('status:') ? '' : 'status:any';
				const count = (text: string): number => idsFor(text, entries).length;
				assert.equal(count(`${term} ${rest}`) + count(`!${term} ${rest}`), entries.length);
			}),
			inRounds({ small: 100, full: 2000 }),
		);
	});

	test('never finds more with another term', () => {
		fc.assert(
			fc.property(anyEntries, fc.array(anyTerm, { maxLength: 3 }), anyTerm, (entries, terms, another) => {
				const before = selectTickets({ filter: read(['status:any', ...terms].join(' ')) }, [
					{ me: '~alice', mark: unmarked, tickets: entries, from: 0 },
				]).found.map((found) => found.entry);
				const after = selectTickets({ filter: read(['status:any', ...terms, another].join(' ')) }, [
					{ me: '~alice', mark: unmarked, tickets: entries, from: 0 },
				]).found.map((found) => found.entry);
				assert.ok(after.every((each) => before.includes(each)));
			}),
			inRounds({ small: 100, full: 2000 }),
		);
	});

	test('sorts independently of the input order', () => {
		fc.assert(
			fc.property(anyEntries, anyOrder, (entries, order) => {
				const unique = [...new Map(entries.map((each) => [each.ticket.id, each])).values()];
				assert.deepEqual(idsFor(`status:any ${order}`, unique), idsFor(`status:any ${order}`, unique.toReversed()));
			}),
			inRounds({ small: 100, full: 2000 }),
		);
	});

	test('finds the same with pauses', async () => {
		await fc.assert(
			fc.asyncProperty(anyEntries, anyTerm, anyOrder, async (entries, term, order) => {
				const sources = [0, 1, 2, 3, 4].map((from) => ({ me: '~alice', mark: unmarked, tickets: entries, from }));
				const search = { filter: read(`${term} ${order}`) };
				const { signal } = new AbortController();
				const resting = { nowMs: () => 0, pause: () => Promise.resolve(), sliceMs: 0 };
				assert.deepEqual(await selectTicketsResting(search, sources, resting, signal), selectTickets(search, sources));
			}),
			inRounds({ small: 100, full: 2000 }),
		);
	});

	test('rejects during a pause when aborted', async () => {
		const giving = new AbortController();
		const tickets = Array.from({ length: 200 }, (_, at) => entry({ id: at + 1 }));
		const pause = async (): Promise<void> => giving.abort(new Error('enough'));
		await assert.rejects(
			selectTicketsResting(
				{ filter: read('') },
				[{ me: '~alice', mark: unmarked, tickets, from: 0 }],
				{ nowMs: () => 0, pause, sliceMs: 0 },
				giving.signal,
			),
			/enough/,
		);
	});

	test('foldText() is idempotent', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (text) => {
				assert.equal(foldText(foldText(text)), foldText(text));
			}),
			inRounds({ small: 1000, full: 20_000 }),
		);
	}).timeout(30_000);

	test('foldedHolds() agrees with a search in folded texts', () => {
		const text = fc.oneof(
			fc.string({ unit: 'binary', maxLength: 6 }),
			fc.string({
				unit: fc.constantFrom('a', 'A', '.', '*', '\\', '[', 'ä', 'Ä', '\u0308', '\n', '\t', 'ſ', 'K'),
				maxLength: 6,
			}),
		);
		fc.assert(
			fc.property(text, text, text, (before, part, after) => {
				for (const whole of [`${before}${part}${after}`, `${before}${after}`, part.toUpperCase()]) {
					assert.equal(foldedHolds(part)(whole), foldText(whole).includes(foldText(part)));
				}
			}),
			inRounds({ small: 1000, full: 20_000 }),
		);
	}).timeout(30_000);

	test('mergeSorting() is stable', () => {
		const items = Array.from({ length: 9000 }, (_, at) => ({ key: (at * 7919) % 13, at }));
		const compare = (a: { readonly key: number }, b: { readonly key: number }): number => a.key - b.key;
		const steps = mergeSorting(items, compare);
		let step = steps.next();
		while (step.done !== true) {
			step = steps.next();
		}
		assert.deepEqual(step.value, items.toSorted(compare));
	});
});
