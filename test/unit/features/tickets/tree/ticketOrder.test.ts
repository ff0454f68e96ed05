import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { neighboursIn, nextWanted } from '../../../../../src/editor/trees/neighbours.ts';
import type { Shelf, ShownTicket } from '../../../../../src/features/tickets/tree/ticketShelf.ts';
import type { Grouping } from '../../../../../src/engine/search/groupTickets.ts';
import { fakeConnection } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { makeTicket, makeTracker } from '../../../../support/makeTicket.ts';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';

const {
	inList,
	rowPositions: standings,
	subjectOf,
} = await import('../../../../../src/features/tickets/tree/ticketOrder.ts');
const { shelfSteps } = await import('../../../../../src/features/tickets/tree/ticketShelf.ts');

const ref = { owner: '~alice', name: 'alpha' };
const never = new AbortController().signal;

async function shelfOf(tickets: number, grouping: Grouping): Promise<Shelf> {
	const fake = fakeTrackers();
	fake.world.trackers.push(makeTracker());
	fake.world.tickets.set(
		'~alice/alpha',
		Array.from({ length: tickets }, (_, at) =>
			makeTicket({ id: tickets - at, labels: at % 2 === 0 ? ['a', 'b'] : [] }),
		),
	);
	const connection = fakeConnection(fake.api);
	await connection.tickets.ownTrackers(never);
	await connection.tickets.readAllTickets(ref, never);
	const order = { key: 'created', isReversed: false } as const;
	const trackers = [{ connection, ref }];
	return runAtOnce(shelfSteps({ trackers, filter: undefined, order, grouping, foldsResolved: false }));
}

/** The same shelf, with a counter of reads of its tickets. */
function watched(shelf: Shelf): { readonly shelf: Shelf; readonly looks: () => number } {
	let looks = 0;
	const watch = (tickets: readonly ShownTicket[]): readonly ShownTicket[] =>
		new Proxy(tickets, {
			get(target, name) {
				looks += typeof name === 'string' && /^\d+$/.test(name) ? 1 : 0;
				return Reflect.get(target, name) as unknown;
			},
		});
	const groups = shelf.groups.map((group) => ({ ...group, tickets: watch(group.tickets) }));
	return { shelf: { ...shelf, groups }, looks: () => looks };
}

function subject(shelf: Shelf, id: number): ReturnType<typeof subjectOf> {
	const shown = shelf.groups.flatMap(({ tickets }) => tickets).find(({ entry }) => entry.ticket.id === id);
	return subjectOf(shown ?? assert.fail('no such ticket'));
}

const idOf = (standing: { readonly shown: ShownTicket } | undefined): number | undefined =>
	standing?.shown.entry.ticket.id;

suite('ticket order', () => {
	test('finds the neighbours of a ticket without reading all', async () => {
		const made = await shelfOf(2000, 'none');
		const was = inList(subject(made, 1000), 'shelf');
		const { shelf, looks } = watched(made);
		const list = standings('shelf', shelf);
		const { next, previous } = neighboursIn(list, list, was);
		assert.deepEqual([idOf(next), idOf(previous)], [999, 1001]);
		assert.ok(looks() < 20, `${looks()} looks`);
	});

	test('finds the neighbours of a ticket that left the list', async () => {
		const made = await shelfOf(2000, 'none');
		const was = inList(subject(made, 1000), 'shelf');
		const { shelf, looks } = watched(made);
		const gone = shelf.groups.map((group) => ({
			...group,
			places: new Map([...group.places].filter(([id]) => id !== 1000 && id !== 999)),
		}));
		const now = standings('shelf', { ...shelf, groups: gone });
		const before = standings('shelf', shelf);
		const { next, previous } = neighboursIn(now, before, was);
		assert.deepEqual([idOf(next), idOf(previous)], [998, 1001]);
		assert.equal(idOf(nextWanted(now, before, was, (each) => (idOf(each) ?? 0) % 500 === 0)), 500);
		assert.ok(looks() < 2000, `${looks()} looks`);
	});

	test('finds the neighbours in each group of a ticket with two groups', async () => {
		const shelf = await shelfOf(6, 'label');
		const list = standings('shelf', shelf);
		const of = (parentId: string): readonly (number | undefined)[] => {
			const { next, previous } = neighboursIn(list, list, inList(subject(shelf, 4), parentId));
			return [idOf(previous), idOf(next)];
		};
		assert.equal(list.placesOf(subject(shelf, 4)).length, 2);
		assert.deepEqual(of('shelf/label:a'), [6, 2]);
		assert.deepEqual(of('shelf/label:b'), [6, 2]);
		assert.equal(list.at(-1), undefined);
		assert.equal(list.at(list.length), undefined);
	});
});
