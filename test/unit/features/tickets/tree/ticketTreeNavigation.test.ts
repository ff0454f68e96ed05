import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { TicketSubject } from '../../../../../src/features/tickets/subjects/subjects.ts';
import type { Grouping } from '../../../../../src/engine/search/groupTickets.ts';
import { makeTicket, makeTracker } from '../../../../support/makeTicket.ts';
import { alpha, beta, rowsBelow, treeWorld, type TreeWorld } from '../../../../support/ticketTreeWorld.ts';

const mine = makeTracker({ name: 'beta' });

async function world(): Promise<TreeWorld> {
	const made = await treeWorld([{ name: 'Open', filter: 'status:open sort:updated' }]);
	made.index.know(alpha, [
		makeTicket({ id: 3, labels: ['bug', 'ui'], updatedMs: 30 }),
		makeTicket({ id: 2, updatedMs: 10 }),
		makeTicket({ id: 1, labels: ['bug'], updatedMs: 50 }),
	]);
	made.index.know(beta, [makeTicket({ id: 7, tracker: mine, updatedMs: 40 })]);
	return made;
}

function subject(id: number, tracker: typeof alpha | typeof beta = alpha): TicketSubject {
	return { kind: 'ticket', connectionKey: 'sample-alice', ref: { tracker, id } };
}

/** Numbers of the previous and the next ticket. */
async function beside({ tree }: TreeWorld, about: TicketSubject): Promise<readonly (number | undefined)[]> {
	const { previous, next } = await tree.neighbours(about);
	return [previous?.ref.id, next?.ref.id];
}

async function group(made: TreeWorld, grouping: Grouping): Promise<void> {
	const order = { key: 'number', isReversed: false } as const;
	await made.parts.treeChoices.choose('sample-alice', alpha, { grouping, order });
}

suite('tickets view: navigation between tickets', () => {
	test('uses the order of the tracker', async () => {
		const made = await world();
		assert.deepEqual(await Promise.all([3, 2, 1].map((id) => beside(made, subject(id)))), [
			[undefined, 2],
			[3, 1],
			[2, undefined],
		]);
	});

	test('uses the order of the queue, across trackers, for a ticket opened there', async () => {
		const made = await world();
		const rows = await made.below('Open');
		made.view.select(rows[0]!);
		assert.deepEqual(await beside(made, subject(1)), [undefined, 7]);
		assert.deepEqual(await beside(made, subject(7, beta)), [1, 3]);
		assert.deepEqual(await beside(made, subject(3)), [7, 2]);
		assert.equal((await made.tree.neighbours(subject(3))).within, 'queue');
	});

	test('uses the order of the tracker again for a ticket opened there', async () => {
		const made = await world();
		made.view.select((await made.below('Open'))[0]!);
		made.view.select((await made.below('alpha'))[2]!);
		assert.deepEqual(await beside(made, subject(1)), [2, undefined]);
		assert.equal((await made.tree.neighbours(subject(1))).within, 'tracker');
	});

	test('stays in the group, and continues in the next one after the last ticket', async () => {
		const made = await world();
		await group(made, 'label');
		const [bug, ui] = await made.below('alpha');
		made.view.select((await rowsBelow(bug))[1]!);
		assert.deepEqual(await beside(made, subject(1)), [3, 3]);
		made.view.select((await rowsBelow(ui))[0]!);
		assert.deepEqual(await beside(made, subject(3)), [1, 2]);
	});

	test('a ticket that left its list after a change keeps its neighbours there', async () => {
		const made = await world();
		made.view.select((await made.below('Open'))[1]!);
		made.index.know(beta, [makeTicket({ id: 7, tracker: mine, updatedMs: 60, status: 'resolved' })]);
		assert.deepEqual(await beside(made, subject(7, beta)), [1, 3]);
	});

	test('selects the row in the list of the opened ticket, without the focus', async () => {
		const made = await world();
		const rows = await made.below('Open');
		made.view.select(rows[0]!);
		const { next } = await made.tree.neighbours(subject(1));
		assert.ok(next);
		await made.tree.reveal(next, false);
		await made.tree.reveal(subject(2), false);
		assert.deepEqual(made.view.revealed, [rows[1]?.id, 'sample-alice/~alice/alpha#2']);
	});

	test('draws more rows before it selects a row beyond the limit', async () => {
		const made = await world();
		made.index.know(
			alpha,
			Array.from({ length: 1200 }, (_, at) => makeTicket({ id: 1200 - at })),
		);
		await made.below('alpha');
		await made.tree.reveal(subject(300), true);
		assert.equal((await made.below('alpha')).length, 1001);
	});

	test('does not lead from open tickets into resolved ones, even after a resolve', async () => {
		const made = await world();
		made.shown.set('open');
		made.index.know(alpha, [
			makeTicket({ id: 4 }),
			makeTicket({ id: 3 }),
			makeTicket({ id: 2, status: 'resolved' }),
			makeTicket({ id: 1, status: 'resolved' }),
		]);
		const rows = await made.below('alpha');
		assert.deepEqual(await beside(made, subject(3)), [4, undefined]);
		assert.deepEqual(await beside(made, subject(2)), [undefined, 1]);
		made.view.select(rows[0]!);
		made.index.know(alpha, [
			makeTicket({ id: 4, status: 'resolved', updatedMs: 99 }),
			makeTicket({ id: 3 }),
			makeTicket({ id: 2, status: 'resolved' }),
		]);
		await made.settle();
		assert.deepEqual(await beside(made, subject(4)), [undefined, 3]);
	});

	test('the next unread ticket is the next marked row in the list, with a wrap-around', async () => {
		const made = await world();
		await made.settle();
		const rows = await made.below('Open');
		made.view.select(rows[1]!);
		const next = async (id: number, tracker?: typeof alpha | typeof beta): Promise<number | undefined> =>
			(await made.tree.nextUnread(subject(id, tracker)))?.ref.id;
		assert.equal(await next(7, beta), undefined);
		for (const id of [1, 2]) {
			const known = made.index.tickets(alpha).find(({ ticket }) => ticket.id === id);
			assert.ok(known);
			made.connection.readMarks.markUnread(known.ticket);
		}
		await made.settle();
		assert.deepEqual([await next(7, beta), await next(2), await next(1)], [2, 1, 2]);
	});

	test('shows the position in the list of the selected ticket beside the name of the view', async () => {
		const made = await world();
		const progress = (): string | undefined => made.tree.note?.text().split(' · ')[0];
		let told = 0;
		made.tree.note?.onDidChange(() => (told += 1));
		const [first, second] = await made.below('Open');
		assert.match(progress() ?? '', /^updated/);
		made.view.select(first!);
		assert.deepEqual([progress(), told], ['1 of 4', 1]);
		const { next } = await made.tree.neighbours(subject(1));
		assert.ok(next);
		await made.tree.reveal(next, false);
		assert.deepEqual([progress(), told], ['2 of 4', 2]);
		made.view.select((await made.below('alpha'))[2]!);
		assert.equal(progress(), '3 of 3');
		made.view.select(first!, second!);
		assert.match(progress() ?? '', /^updated/);
	});

	test('starts at the first ticket below the row of a queue, a tracker or a group', async () => {
		const made = await world();
		const roots = await made.roots();
		const first = async (label: string): Promise<number | undefined> => {
			const row = roots.find(({ item }) => item.label === label);
			assert.ok(row, label);
			return (await made.tree.firstBelow(row, false))?.ref.id;
		};
		assert.deepEqual([await first('Open'), await first('alpha')], [1, 3]);
		assert.equal((await made.tree.firstBelow(undefined, false))?.ref.id, 1);
		await group(made, 'label');
		const [, ui] = await made.below('alpha');
		assert.ok(ui);
		assert.equal((await made.tree.firstBelow(ui, false))?.ref.id, 3);
		// That list now has the neighbours.
		assert.deepEqual(await beside(made, subject(3)), [1, 2]);
	});

	test('an unknown ticket has no neighbours', async () => {
		const made = await world();
		assert.deepEqual(await made.tree.neighbours(subject(99)), {
			previous: undefined,
			next: undefined,
			within: undefined,
		});
	});
});
