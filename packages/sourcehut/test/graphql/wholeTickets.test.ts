import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Pages } from '../../src/port/page.ts';
import { graphqlTrackers } from '../../src/graphql/todo/graphqlTrackers.ts';
import { wanted } from '../../../../test/support/contractForge.ts';
import { inRounds } from '../../../../test/support/counts.ts';
import { graphqlServer, type Answered } from '../../../../test/support/graphqlServer.ts';
import { onOnePage, pagedWorlds, pageOf, type PagedWorld } from '../support/pagedWorlds.ts';

const tracker = { owner: '~alice', name: 'demo' };
const alice = { __typename: 'User', canonicalName: '~alice' };
function serve(world: PagedWorld): ReturnType<typeof graphqlTrackers> {
	const at = (number: number): string => new Date(Date.UTC(2026, 10, 1) + number * world.stepMs).toISOString();
	const around = { id: 1, created: at(0), updated: at(0), name: 'demo', owner: alice, acl: null };
	const event = (id: number): object => ({
		id,
		created: at(id),
		changes: [{ eventType: 'COMMENT', author: alice, text: '' }],
	});
	const ticket = (id: number): object => ({
		id,
		ref: `~alice/demo#${id}`,
		created: at(id),
		updated: at(id),
		subject: 'The wick smokes',
		body: null,
		status: 'REPORTED',
		resolution: 'UNRESOLVED',
		submitter: alice,
		labels: [],
		assignees: [],
	});
	const label = (id: number): object => ({
		id,
		name: `label ${id}`,
		created: at(id),
		foregroundColor: '#000000',
		backgroundColor: '#ffffff',
	});
	const answers: Readonly<Record<string, (cursor: string | undefined) => object>> = {
		Tickets: (cursor) => ({ ...around, tickets: pageOf(world, cursor, ticket) }),
		TicketsInFull: (cursor) => ({
			...around,
			tickets: pageOf(world, cursor, (id) => ({ ...ticket(id), events: { cursor: null, results: [] } })),
		}),
		Timeline: (cursor) => ({ ticket: { ...ticket(7), tracker: around, events: pageOf(world, cursor, event) } }),
		Labels: (cursor) => ({ ...around, labels: pageOf(world, cursor, label) }),
	};
	const { caller } = graphqlServer(({ name, variables: { cursor } }): Answered => {
		const found = answers[name]?.(typeof cursor === 'string' ? cursor : undefined);
		return found ? { data: { user: { tracker: found } } } : { errors: [{ message: `${name} was not expected` }] };
	});
	return graphqlTrackers(caller);
}

/** A listing, as the numbers of its things and whether it claims to be complete. */
function listing<T>(name: string, read: (trackers: ReturnType<typeof serve>) => Pages<T>, idOf: (item: T) => unknown) {
	return {
		name,
		ids: async (world: PagedWorld): Promise<{ readonly ids: readonly unknown[]; readonly isWhole: boolean }> => {
			const ids: unknown[] = [];
			let isWhole = false;
			for await (const { items, completeness } of read(serve(world))) {
				ids.push(...items.map(idOf));
				isWhole = completeness.kind === 'complete';
			}
			return { ids, isWhole };
		},
	};
}

const listings = [
	listing(
		'tickets',
		(trackers) => trackers.tickets(tracker, wanted()),
		({ id }) => id,
	),
	listing(
		'tickets with their timelines',
		({ inBulk }) => inBulk?.pages(tracker, undefined, wanted()) ?? assert.fail(),
		({ ticket: { id } }) => id,
	),
	listing(
		'events of a ticket',
		(trackers) => trackers.events({ tracker, id: 7 }, wanted()),
		({ id }) => id,
	),
	listing(
		'labels',
		(trackers) => trackers.labels(tracker, wanted()),
		({ name }) => Number(name.replace('label ', '')),
	),
];

suite('completeness of trackers over GraphQL', function () {
	this.timeout(600_000);

	for (const { name, ids } of listings) {
		test(`${name} are complete or marked as incomplete, for any change between pages`, async () => {
			const seen = { whole: 0, part: 0 };
			await fc.assert(
				fc.asyncProperty(pagedWorlds, async (world) => {
					const got = await ids(world);
					const isMany = world.numbers.length > onOnePage;
					assert.deepEqual(got.ids, got.isWhole ? world.numbers : world.numbers.slice(0, got.ids.length));
					assert.equal(got.isWhole, !isMany || world.flaw === 'none');
					seen[got.isWhole ? 'whole' : 'part'] += 1;
				}),
				inRounds({ small: 100, full: 10_000 }),
			);
			assert.ok(seen.whole > 0 && seen.part > 0);
		});
	}
});
