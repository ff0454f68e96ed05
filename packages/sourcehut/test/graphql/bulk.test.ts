import assert from 'node:assert/strict';
import { graphqlTrackers } from '../../src/graphql/todo/graphqlTrackers.ts';
import type { TicketsInBulk } from '../../src/port/forge.ts';
import { allPages, problemFrom, wanted } from '../../../../test/support/contractForge.ts';
import {
	graphqlServer,
	type Answered,
	type AskedQuery,
	type GraphqlServer,
} from '../../../../test/support/graphqlServer.ts';

const tracker = { owner: '~alice', name: 'demo' };
const createdAt = '2026-11-21T11:42:35Z';
const createdMs = Date.UTC(2026, 10, 21, 11, 42, 35);
const alice = { __typename: 'User', canonicalName: '~alice' };
const around = { id: 1, created: createdAt, updated: createdAt, name: 'demo', owner: alice, acl: null };

function wireTicket(id: number, timeline?: object): object {
	return {
		id,
		ref: `~alice/demo#${id}`,
		created: createdAt,
		updated: createdAt,
		subject: `Ticket ${id}`,
		body: null,
		status: 'REPORTED',
		resolution: 'UNRESOLVED',
		submitter: alice,
		labels: [],
		assignees: [],
		...(timeline ? { events: timeline } : {}),
	};
}

function wireComment(id: number, text: string): object {
	return { id, created: createdAt, changes: [{ eventType: 'COMMENT', author: alice, text }] };
}

function inTracker(fields: object | null): Answered {
	return { data: { user: { tracker: fields } } };
}

function serve(answer: (asked: AskedQuery) => Answered): GraphqlServer & { readonly inBulk: TicketsInBulk } {
	const server = graphqlServer(answer);
	return { ...server, inBulk: graphqlTrackers(server.caller).inBulk ?? assert.fail() };
}

suite('tickets in bulk over GraphQL', () => {
	test('include the newest part of each timeline; without a cursor it is complete', async () => {
		const { inBulk, names, asked } = serve(({ variables: { cursor } }) =>
			inTracker({
				...around,
				tickets: {
					cursor: cursor === 'x' ? null : 'x',
					results:
						cursor === 'x'
							? [wireTicket(1, { cursor: null, results: [] })]
							: [
									wireTicket(3, { cursor: 'y', results: [wireComment(9, 'Newest')] }),
									wireTicket(2, { cursor: null, results: [wireComment(8, 'Only')] }),
								],
				},
			}),
		);
		const [first, second] = await allPages(inBulk.pages(tracker, undefined, wanted()));
		assert.deepEqual(names(), ['TicketsInFull', 'TicketsInFull']);
		assert.deepEqual(
			first?.items.map(({ ticket, timeline }) => [
				ticket.id,
				timeline?.completeness.kind,
				timeline?.items.map(({ comment, ticket: of }) => [comment?.text, of?.id]),
			]),
			[
				[3, 'more', [['Newest', 3]]],
				[2, 'complete', [['Only', 2]]],
			],
		);
		assert.deepEqual([first?.next, second?.completeness.kind], ['x', 'complete']);
		names();
		await allPages(inBulk.pages(tracker, 'x', wanted()));
		assert.deepEqual(names(), ['TicketsInFull']);
		assert.deepEqual(asked.at(-1)?.variables, { owner: 'alice', name: 'demo', cursor: 'x' });
	});

	test('a page that fails on the server is retried without timelines', async () => {
		for (const failure of [{ status: 502 }, { status: 500 }]) {
			const { inBulk, names } = serve(({ name }) =>
				name === 'TicketsInFull'
					? failure
					: inTracker({ ...around, tickets: { cursor: null, results: [wireTicket(2)] } }),
			);
			const [page] = await allPages(inBulk.pages(tracker, undefined, wanted()));
			assert.deepEqual(names(), ['TicketsInFull', 'Tickets']);
			assert.deepEqual(
				page?.items.map(({ ticket, timeline }) => [ticket.id, timeline]),
				[[2, undefined]],
			);
		}
		const { inBulk, names } = serve(() => inTracker(null));
		assert.deepEqual(await problemFrom(allPages(inBulk.pages(tracker, undefined, wanted()))), { kind: 'notFound' });
		assert.deepEqual(names(), ['TicketsInFull']);
	});

	test('one query reads the update times of many tickets and leaves out missing ones', async () => {
		const { inBulk, names, asked } = serve(({ variables }) =>
			inTracker(
				Object.fromEntries(
					Object.entries(variables).flatMap(([name, number]) =>
						name.startsWith('n') && name !== 'name'
							? [[`t${name.slice(1)}`, number === 5 ? null : { updated: createdAt }]]
							: [],
					),
				),
			),
		);
		const found = await inBulk.changedMs(tracker, [7, 5, 6], wanted());
		assert.deepEqual(Array.from(found), [
			[7, createdMs],
			[6, createdMs],
		]);
		assert.deepEqual(names(), ['ChangeTimes']);
		const numbers = Object.entries(asked[0]?.variables ?? {}).filter(([name]) => /^n\d+$/.test(name));
		// The padding repeats a number of the batch.
		assert.deepEqual(numbers.map(([, number]) => number).slice(0, 5), [7, 5, 6, 7, 7]);
		assert.equal(numbers.length, inBulk.mostNumbers);
		const many = Array.from({ length: 200 }, (_, at) => at + 1);
		assert.equal((await inBulk.changedMs(tracker, many, wanted())).size, inBulk.mostNumbers - 1);
		assert.equal((await inBulk.changedMs(tracker, [], wanted())).size, 0);
		assert.equal(names().length, 1);
	});

	test('a server error splits the read of update times into two halves', async () => {
		const { inBulk, asked } = serve(({ query, variables }) => {
			const places = [...query.matchAll(/t(\d+):ticket/g)].map(([, at]) => at);
			return places.length > 50
				? { status: 502 }
				: inTracker(
						Object.fromEntries(
							places.map((at) => [`t${at}`, variables[`n${at}`] === 5 ? null : { updated: createdAt }]),
						),
					);
		});
		const many = Array.from({ length: inBulk.mostNumbers }, (_, at) => at + 1);
		const found = await inBulk.changedMs(tracker, many, wanted());
		assert.deepEqual(
			[...found.keys()],
			many.filter((number) => number !== 5),
		);
		assert.equal(asked.length, 3);
	});

	test('a failed page without timelines is not retried', async () => {
		const { inBulk, names } = serve(() => ({ status: 502 }));
		await problemFrom(allPages(inBulk.pages(tracker, undefined, wanted())));
		assert.deepEqual(names(), ['TicketsInFull', 'Tickets']);
	});

	test('a number that would crash the server is never sent', async () => {
		const { inBulk, asked } = serve(() => inTracker({}));
		assert.deepEqual(await problemFrom(inBulk.changedMs(tracker, [1, 2 ** 31], wanted())), { kind: 'notFound' });
		assert.deepEqual(await problemFrom(inBulk.ticket({ tracker, id: 2 ** 31 }, wanted())), { kind: 'notFound' });
		assert.deepEqual(asked, []);
	});
});
