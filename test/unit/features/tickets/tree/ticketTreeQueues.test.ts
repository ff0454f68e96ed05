import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { ShowMoreSubject } from '../../../../../src/editor/commands/subjects.ts';
import type { TreeNode } from '../../../../../src/editor/trees/treeNode.ts';
import { fakeConnection, keptNames } from '../../../../support/fakeConnection.ts';
import { makeTicket, makeTracker, someTimeMs } from '../../../../support/makeTicket.ts';
import { standFor } from '../../../../support/standFor.ts';
import {
	alpha,
	beta,
	lineOf,
	never,
	rowsBelow,
	treeWorld,
	type TreeWorld,
} from '../../../../support/ticketTreeWorld.ts';

const bugs = { name: 'Bugs', filter: 'label:bug sort:updated' } as const;

async function world(saved: readonly unknown[] = [bugs]): Promise<TreeWorld> {
	const made = await treeWorld(saved);
	made.index.know(alpha, [
		makeTicket({ id: 2, title: 'in alpha', labels: ['bug'], updatedMs: someTimeMs }),
		makeTicket({ id: 1, title: 'no bug' }),
	]);
	const tracker = makeTracker({ name: 'beta' });
	made.index.know(beta, [makeTicket({ id: 7, title: 'in beta', labels: ['bug'], tracker, updatedMs: someTimeMs + 1 })]);
	return made;
}

suite('tickets view: filters', () => {
	test('saved filters are queues over all trackers, at the top and with counts', async () => {
		const roots = await (await world()).roots();
		assert.deepEqual(
			roots.map(({ item }) => [item.label, item.description, item.contextValue]),
			[
				['Bugs', '2', 'forge.filter.user'],
				['alpha', '~alice · 2 open of 2', 'forge.tracker.own'],
				['beta', '~alice · 1 open of 1', 'forge.tracker.own'],
			],
		);
	});

	test('rows of a queue over several trackers name theirs, also to screen readers', async () => {
		const rows = await (await world()).below('Bugs');
		assert.deepEqual(rows.map(lineOf), ['in beta beta#7 | 2d bug', 'in alpha alpha#2 | 3d bug']);
		assert.match(rows[0]?.item.accessibilityInformation?.label ?? '', /^in beta beta#7, /);
	});

	test('rows of a queue name their tracker only while it lists several', async () => {
		const made = await world();
		made.index.know(beta, []);
		await made.settle();
		assert.deepEqual((await made.below('Bugs')).map(lineOf), ['in alpha #2 | 3d bug']);
		const tracker = makeTracker({ name: 'beta' });
		made.index.know(beta, [makeTicket({ id: 7, title: 'in beta', labels: ['bug'], tracker, updatedMs: someTimeMs })]);
		made.tree.forget(undefined);
		await made.settle();
		assert.deepEqual((await made.below('Bugs')).map(lineOf), ['in beta beta#7 | 3d bug', 'in alpha alpha#2 | 3d bug']);
	});

	test('rows of a queue and of a tracker have different ids', async () => {
		const made = await world();
		const ids = [...(await made.below('Bugs')), ...(await made.below('alpha')), ...(await made.below('beta'))].map(
			({ id }) => id,
		);
		assert.equal(new Set(ids).size, ids.length);
	});

	test('a queue lists a tracker of two accounts once', async () => {
		const made = await world();
		made.connections.replace(made.connection, fakeConnection(made.forge.api, '~bob', keptNames(), made.index));
		assert.equal((await made.below('Bugs')).length, 2);
	});

	test('many index changes redraw a queue once', async () => {
		const made = await world();
		await made.below('Bugs');
		await made.settle();
		made.redrawn.length = 0;
		for (const id of [3, 4, 5]) {
			made.index.know(alpha, [makeTicket({ id, labels: ['bug'] })]);
		}
		await made.settle();
		const queues = made.redrawn.filter((node) => node?.item.label === 'Bugs');
		assert.equal(queues.length, 1);
		assert.equal(queues[0]?.item.description, '2 · 1 new');
	});

	/** Two tickets, sorted by latest change, alpha#3 first. */
	async function workedOn(): Promise<TreeWorld> {
		const made = await world([{ name: 'Open', filter: 'sort:updated' }]);
		made.index.know(alpha, [makeTicket({ id: 3, updatedMs: 30 }), makeTicket({ id: 2, updatedMs: 20 })]);
		made.index.know(beta, []);
		await made.settle();
		return made;
	}

	const numbersIn = (rows: readonly TreeNode[]): readonly unknown[] =>
		rows.map(({ item: { label } }) => (typeof label === 'string' ? (/\S*#\d+$/.exec(label)?.[0] ?? label) : label));

	/** Rows of an expanded list after the read that the expansion started. */
	async function unfold(made: TreeWorld, label: string): Promise<readonly TreeNode[]> {
		await made.below(label);
		await made.settle();
		await made.settle();
		return made.below(label);
	}

	test('an expanded queue is frozen: no row moves and no row leaves', async () => {
		const made = await workedOn();
		assert.deepEqual(numbersIn(await unfold(made, 'Open')), ['#3', '#2']);
		made.index.know(alpha, [
			makeTicket({ id: 3, updatedMs: 40, status: 'resolved' }),
			makeTicket({ id: 2, updatedMs: 50, title: 'The name was changed' }),
		]);
		await made.settle();
		const [queue] = await made.roots();
		assert.equal(queue?.item.description, '1');
		const rows = await rowsBelow(queue);
		assert.deepEqual(
			rows.map(({ item: { label, contextValue } }) => [label, contextValue]),
			[
				['The parser stops at… #3', 'forge.ticket.resolved'],
				['The name was chan… #2', 'forge.ticket.open'],
			],
		);
		const beside = await made.tree.neighbours({
			kind: 'ticket',
			connectionKey: made.connection.key,
			ref: { tracker: alpha, id: 3 },
		});
		assert.equal(beside.next?.ref.id, 2);
	});

	test('new matches wait behind a last row, which adds them', async () => {
		const made = await workedOn();
		await unfold(made, 'Open');
		made.index.know(alpha, [
			makeTicket({ id: 5, updatedMs: 60 }),
			makeTicket({ id: 4, updatedMs: 70 }),
			makeTicket({ id: 3, updatedMs: 30 }),
			makeTicket({ id: 2, updatedMs: 80 }),
		]);
		await made.settle();
		const [queue] = await made.roots();
		assert.equal(queue?.item.description, '4 · 2 new');
		assert.equal(queue?.item.accessibilityInformation?.label, 'Filter Open, 4 tickets, 2 new');
		const rows = await rowsBelow(queue);
		assert.deepEqual(numbersIn(rows), ['#3', '#2', '2 new']);
		made.redrawn.length = 0;
		await standFor<ShowMoreSubject>(rows[2]?.subject).run(never);
		assert.deepEqual(
			made.redrawn.map((row) => row?.id),
			[queue?.id],
		);
		assert.deepEqual(numbersIn(await rowsBelow(made.redrawn[0])), ['#2', '#4', '#5', '#3']);
		assert.equal((await made.roots())[0]?.item.description, '4');
	});

	for (const [name, happens] of [
		['collapsed', (made: TreeWorld, queue: TreeNode) => made.view.collapse(queue)],
		['refreshed', (made: TreeWorld) => made.tree.forget(undefined)],
	] as const) {
		test(`a queue that is ${name} rebuilds its rows`, async () => {
			const made = await workedOn();
			await unfold(made, 'Open');
			made.index.know(alpha, [makeTicket({ id: 4, updatedMs: 90 }), makeTicket({ id: 2, updatedMs: 20 })]);
			const [queue] = await made.roots();
			assert.ok(queue);
			assert.equal(queue.item.description, '2 · 1 new');
			happens(made, queue);
			await made.settle();
			assert.deepEqual(numbersIn(await made.below('Open')), ['#4', '#2']);
		});
	}

	test('another filter under the same name rebuilds the rows', async () => {
		const made = await workedOn();
		await made.filters.setOnAll('sort:updated');
		await unfold(made, 'sort:updated');
		await made.filters.setOnAll('rsort:updated');
		assert.deepEqual(numbersIn(await made.below('rsort:updated')), ['#2', '#3']);
	});

	test('the same filter, removed and applied again, rebuilds the rows', async () => {
		const made = await workedOn();
		await made.filters.setOnAll('sort:updated');
		await unfold(made, 'sort:updated');
		made.index.know(alpha, [makeTicket({ id: 3, updatedMs: 30 }), makeTicket({ id: 2, updatedMs: 90 })]);
		await made.filters.setOnAll(undefined);
		await made.filters.setOnAll('sort:updated');
		assert.deepEqual(numbersIn(await made.below('sort:updated')), ['#2', '#3']);
	});

	test('an expanded tracker with a filter is frozen, too, until it collapses', async () => {
		const made = await workedOn();
		await made.filters.setOnTracker(made.connection.key, alpha, 'sort:updated');
		assert.deepEqual(numbersIn(await unfold(made, 'alpha')), ['#3', '#2']);
		made.index.know(alpha, [
			makeTicket({ id: 4, updatedMs: 70 }),
			makeTicket({ id: 3, updatedMs: 40, status: 'resolved' }),
			makeTicket({ id: 2, updatedMs: 50 }),
		]);
		await made.settle();
		const rows = await made.below('alpha');
		assert.deepEqual(numbersIn(rows), ['#3', '#2', '1 new']);
		const tracker = (await made.roots())[1];
		assert.ok(tracker);
		assert.match(String(tracker.item.description), /^~alice · filtered: sort:updated · 2 of 3/);
		await standFor<ShowMoreSubject>(rows[2]?.subject).run(never);
		assert.deepEqual(numbersIn(await made.below('alpha')), ['#4', '#2']);
		made.index.know(alpha, [makeTicket({ id: 4, updatedMs: 70 }), makeTicket({ id: 2, updatedMs: 80 })]);
		await made.settle();
		assert.deepEqual(numbersIn(await made.below('alpha')), ['#4', '#2']);
		made.view.collapse(tracker);
		await made.settle();
		assert.deepEqual(numbersIn(await made.below('alpha')), ['#2', '#4']);
	});

	test('tickets from the read that the expansion started take their place, then the rows freeze', async () => {
		const made = await workedOn();
		const reading = Promise.withResolvers<void>();
		made.forge.world.before = (call) => (call.startsWith('tickets') ? reading.promise : undefined);
		assert.deepEqual(numbersIn(await made.below('Open')), ['#3', '#2']);
		const two = [makeTicket({ id: 3, updatedMs: 30 }), makeTicket({ id: 2, updatedMs: 20 })];
		made.index.know(alpha, [makeTicket({ id: 4, updatedMs: 40 }), ...two]);
		await made.settle();
		assert.deepEqual(numbersIn(await made.below('Open')), ['#4', '#3', '#2']);
		reading.resolve();
		await made.settle();
		await made.settle();
		made.index.know(alpha, [makeTicket({ id: 5, updatedMs: 50 }), makeTicket({ id: 4, updatedMs: 10 }), ...two]);
		await made.settle();
		assert.deepEqual(numbersIn(await made.below('Open')), ['#4', '#3', '#2', '1 new']);
	});

	test('an empty queue is not frozen', async () => {
		const made = await workedOn();
		made.index.know(alpha, []);
		assert.deepEqual(await unfold(made, 'Open'), []);
		made.index.know(alpha, [makeTicket({ id: 4 })]);
		assert.deepEqual(numbersIn(await made.below('Open')), ['#4']);
	});

	test('an invalid filter shows its fault, and its row opens the editor for it', async () => {
		const [row] = await (await world([{ name: 'Broken', filter: 'label:' }])).roots();
		assert.equal(row?.item.label, 'Broken');
		assert.match(String(row?.item.description), /label:/);
		assert.deepEqual([row?.children, row?.item.command?.command], [undefined, 'forge.filters.edit']);
		assert.match(row?.item.accessibilityInformation?.label ?? '', /^Filter Broken, "label:" needs a name/);
	});

	test('two filters of the same name have two rows', async () => {
		const roots = await (await world([bugs, bugs])).roots();
		assert.equal(new Set(roots.map(({ id }) => id)).size, roots.length);
	});

	test('an unsaved filter over all trackers is the first row', async () => {
		const made = await world();
		await made.filters.setOnAll('no bug');
		const [row] = await made.roots();
		assert.deepEqual(
			[row?.item.label, row?.item.description, row?.item.contextValue],
			['no bug', '1', 'forge.filter.applied'],
		);
	});

	test('opens the list of a new filter: the queue over all trackers, or the tracker', async () => {
		const made = await world();
		const opened: string[] = [];
		made.tree.onDidOpen?.(({ id }) => opened.push(id));
		made.tree.openList(undefined);
		await made.filters.setOnAll('no bug');
		made.tree.openList(undefined);
		made.tree.openList({ kind: 'tracker', connectionKey: made.connection.key, ref: alpha });
		assert.deepEqual(opened, ['queue:applied', 'sample-alice/~alice/alpha']);
	});

	test('a tracker with a filter shows the filter and only matching tickets', async () => {
		const made = await world();
		await made.filters.setOnTracker(made.connection.key, alpha, 'label:bug');
		const roots = await made.roots();
		assert.equal(roots[1]?.item.description, '~alice · filtered: label:bug · 1 of 2');
		assert.deepEqual(
			(await made.below('alpha')).map(({ item }) => item.label),
			['in alpha #2'],
		);
		await made.filters.setOnTracker(made.connection.key, alpha, undefined);
		assert.equal((await made.below('alpha')).length, 2);
	});

	test('a last row counts the tickets without a comment count when the queue sorts by comments', async () => {
		const made = await world([{ name: 'Talk', filter: 'sort:comments' }]);
		made.index.know(alpha, [
			{ ticket: makeTicket({ id: 2, title: 'silent' }), comments: [], commentCount: undefined },
			{ ticket: makeTicket({ id: 1, title: 'loud' }), comments: ['a', 'b'], commentCount: 2 },
		]);
		const rows = await made.below('Talk');
		assert.deepEqual(
			rows.map(({ item }) => item.label),
			['loud alpha#1', 'in beta beta#7', 'silent alpha#2', '2 tickets are listed last: their comments were not loaded'],
		);
	});

	test('counts a queue again when the trackers become known', async () => {
		const made = await treeWorld([bugs]);
		await made.settle();
		made.index.list(alpha);
		const [row] = await made.roots();
		assert.equal(row?.item.description, '0+');
	});

	test('marks the count of a queue as partial while a tracker is partly known', async () => {
		const made = await world();
		made.index.know(beta, [], { kind: 'partial', known: 0, total: 10, checkedAtMs: someTimeMs });
		const [row] = await made.roots();
		assert.equal(row?.item.description, '1+');
	});
});
