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

/** The numbers before and after a ticket. */
async function beside({ tree }: TreeWorld, about: TicketSubject): Promise<readonly (number | undefined)[]> {
	const { previous, next } = await tree.neighbours(about);
	return [previous?.ref.id, next?.ref.id];
}

async function group(made: TreeWorld, grouping: Grouping): Promise<void> {
	const order = { key: 'number', isReversed: false } as const;
	await made.parts.treeChoices.choose('sample-alice', alpha, { grouping, order });
}

suite('tickets view: from ticket to ticket', () => {
	test('the neighbours are those of the tracker in its order', async () => {
		const made = await world();
		assert.deepEqual(await Promise.all([3, 2, 1].map((id) => beside(made, subject(id)))), [
			[undefined, 2],
			[3, 1],
			[2, undefined],
		]);
	});

	test('opened from a queue, the neighbours are those of the queue, over its trackers', async () => {
		const made = await world();
		const rows = await made.below('Open');
		made.view.select(rows[0]!);
		assert.deepEqual(await beside(made, subject(1)), [undefined, 7]);
		assert.deepEqual(await beside(made, subject(7, beta)), [1, 3]);
		assert.deepEqual(await beside(made, subject(3)), [7, 2]);
		assert.equal((await made.tree.neighbours(subject(3))).within, 'queue');
	});

	test('opened from a tracker again, its own order holds again', async () => {
		const made = await world();
		made.view.select((await made.below('Open'))[0]!);
		made.view.select((await made.below('alpha'))[2]!);
		assert.deepEqual(await beside(made, subject(1)), [2, undefined]);
		assert.equal((await made.tree.neighbours(subject(1))).within, 'tracker');
	});

	test('in groups the next ticket stands in the same group, and after its last in the next one', async () => {
		const made = await world();
		await group(made, 'label');
		const [bug, ui] = await made.below('alpha');
		made.view.select((await rowsBelow(bug))[1]!);
		assert.deepEqual(await beside(made, subject(1)), [3, 3]);
		made.view.select((await rowsBelow(ui))[0]!);
		assert.deepEqual(await beside(made, subject(3)), [1, 2]);
	});

	test('a ticket that has left its list by being worked on still has the neighbours that it had there', async () => {
		const made = await world();
		made.view.select((await made.below('Open'))[1]!);
		made.index.know(beta, [makeTicket({ id: 7, tracker: mine, updatedMs: 60, status: 'resolved' })]);
		assert.deepEqual(await beside(made, subject(7, beta)), [1, 3]);
	});

	test('the row is selected where the ticket was opened, without taking the focus', async () => {
		const made = await world();
		const rows = await made.below('Open');
		made.view.select(rows[0]!);
		const { next } = await made.tree.neighbours(subject(1));
		assert.ok(next);
		await made.tree.reveal(next, false);
		await made.tree.reveal(subject(2), false);
		assert.deepEqual(made.view.revealed, [rows[1]?.id, 'sample-alice/~alice/alpha#2']);
	});

	test('a row beyond those that are shown is made room for first', async () => {
		const made = await world();
		made.index.know(
			alpha,
			Array.from({ length: 1200 }, (_, at) => makeTicket({ id: 1200 - at })),
		);
		await made.below('alpha');
		await made.tree.reveal(subject(300), true);
		assert.equal((await made.below('alpha')).length, 1001);
	});

	test('the way through open tickets does not lead into resolved ones, nor does resolving one', async () => {
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

	test('the next unread ticket is the next with a mark in the list as it is shown, and after the last the first', async () => {
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

	test('how far one has come stands beside the name of the view, in the list in which the ticket was selected', async () => {
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

	test('from the row of a queue, a tracker or a group one goes to the first ticket below it', async () => {
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
		// From there on the neighbours are those of that list.
		assert.deepEqual(await beside(made, subject(3)), [1, 2]);
	});

	test('a ticket that nobody knows has no neighbours', async () => {
		const made = await world();
		assert.deepEqual(await made.tree.neighbours(subject(99)), {
			previous: undefined,
			next: undefined,
			within: undefined,
		});
	});
});
