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
	test('saved filters stand at the top as queues over all trackers, and count what they hold', async () => {
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

	test('rows of a queue name their tracker, to the eye and to the ear', async () => {
		const rows = await (await world()).below('Bugs');
		assert.deepEqual(rows.map(lineOf), ['beta#7 in beta | 2d · bug', 'alpha#2 in alpha | 3d · bug']);
		assert.match(rows[0]?.item.accessibilityInformation?.label ?? '', /^beta#7 in beta, /);
	});

	test('rows of a queue and of a tracker are told apart', async () => {
		const made = await world();
		const ids = [...(await made.below('Bugs')), ...(await made.below('alpha')), ...(await made.below('beta'))].map(
			({ id }) => id,
		);
		assert.equal(new Set(ids).size, ids.length);
	});

	test('a tracker seen through two accounts of a forge is in a queue once', async () => {
		const made = await world();
		made.connections.replace(made.connection, fakeConnection(made.forge.api, '~bob', keptNames(), made.index));
		assert.equal((await made.below('Bugs')).length, 2);
	});

	test('a queue is redrawn when the index changes, once for many changes', async () => {
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

	/** Sorted by the latest change, alpha#3 first; two are being worked on. */
	async function workedOn(): Promise<TreeWorld> {
		const made = await world([{ name: 'Open', filter: 'sort:updated' }]);
		made.index.know(alpha, [makeTicket({ id: 3, updatedMs: 30 }), makeTicket({ id: 2, updatedMs: 20 })]);
		made.index.know(beta, []);
		await made.settle();
		return made;
	}

	const numbersIn = (rows: readonly TreeNode[]): readonly unknown[] =>
		rows.map(({ item: { label } }) => (typeof label === 'string' ? label.split(' The ')[0] : label));

	/** The rows below one that is unfolded, once what that began to read has come. */
	async function unfold(made: TreeWorld, label: string): Promise<readonly TreeNode[]> {
		await made.below(label);
		await made.settle();
		await made.settle();
		return made.below(label);
	}

	test('a queue stands still while it is unfolded: nothing jumps, nothing leaves', async () => {
		const made = await workedOn();
		assert.deepEqual(numbersIn(await unfold(made, 'Open')), ['alpha#3', 'alpha#2']);
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
				['alpha#3 The parser stops at the first empty line', 'forge.ticket.resolved'],
				['alpha#2 The name was changed', 'forge.ticket.open'],
			],
		);
		const beside = await made.tree.neighbours({
			kind: 'ticket',
			connectionKey: made.connection.key,
			ref: { tracker: alpha, id: 3 },
		});
		assert.equal(beside.next?.ref.id, 2);
	});

	test('what newly fits waits behind a last row, which brings it', async () => {
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
		assert.deepEqual(numbersIn(rows), ['alpha#3', 'alpha#2', '2 new']);
		made.redrawn.length = 0;
		await standFor<ShowMoreSubject>(rows[2]?.subject).run(never);
		assert.deepEqual(
			made.redrawn.map((row) => row?.id),
			[queue?.id],
		);
		assert.deepEqual(numbersIn(await rowsBelow(made.redrawn[0])), ['alpha#2', 'alpha#4', 'alpha#5', 'alpha#3']);
		assert.equal((await made.roots())[0]?.item.description, '4');
	});

	for (const [name, happens] of [
		['folded up', (made: TreeWorld, queue: TreeNode) => made.view.collapse(queue)],
		['refreshed', (made: TreeWorld) => made.tree.forget(undefined)],
	] as const) {
		test(`a queue that is ${name} begins anew`, async () => {
			const made = await workedOn();
			await unfold(made, 'Open');
			made.index.know(alpha, [makeTicket({ id: 4, updatedMs: 90 }), makeTicket({ id: 2, updatedMs: 20 })]);
			const [queue] = await made.roots();
			assert.ok(queue);
			assert.equal(queue.item.description, '2 · 1 new');
			happens(made, queue);
			await made.settle();
			assert.deepEqual(numbersIn(await made.below('Open')), ['alpha#4', 'alpha#2']);
		});
	}

	test('another filter under the same name begins anew', async () => {
		const made = await workedOn();
		await made.filters.setOnAll('sort:updated');
		await unfold(made, 'sort:updated');
		await made.filters.setOnAll('rsort:updated');
		assert.deepEqual(numbersIn(await made.below('rsort:updated')), ['alpha#2', 'alpha#3']);
	});

	test('the same filter, taken off and applied once more, begins anew', async () => {
		const made = await workedOn();
		await made.filters.setOnAll('sort:updated');
		await unfold(made, 'sort:updated');
		made.index.know(alpha, [makeTicket({ id: 3, updatedMs: 30 }), makeTicket({ id: 2, updatedMs: 90 })]);
		await made.filters.setOnAll(undefined);
		await made.filters.setOnAll('sort:updated');
		assert.deepEqual(numbersIn(await made.below('sort:updated')), ['alpha#2', 'alpha#3']);
	});

	test('a tracker that is held to a filter stands still as well, until it is folded up', async () => {
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

	test('what the reading brings that unfolding began has its place at once, and stands still from then on', async () => {
		const made = await workedOn();
		const reading = Promise.withResolvers<void>();
		made.forge.world.before = (call) => (call.startsWith('tickets') ? reading.promise : undefined);
		assert.deepEqual(numbersIn(await made.below('Open')), ['alpha#3', 'alpha#2']);
		const two = [makeTicket({ id: 3, updatedMs: 30 }), makeTicket({ id: 2, updatedMs: 20 })];
		made.index.know(alpha, [makeTicket({ id: 4, updatedMs: 40 }), ...two]);
		await made.settle();
		assert.deepEqual(numbersIn(await made.below('Open')), ['alpha#4', 'alpha#3', 'alpha#2']);
		reading.resolve();
		await made.settle();
		await made.settle();
		made.index.know(alpha, [makeTicket({ id: 5, updatedMs: 50 }), makeTicket({ id: 4, updatedMs: 10 }), ...two]);
		await made.settle();
		assert.deepEqual(numbersIn(await made.below('Open')), ['alpha#4', 'alpha#3', 'alpha#2', '1 new']);
	});

	test('a queue in which nothing stands yet has nothing to keep still', async () => {
		const made = await workedOn();
		made.index.know(alpha, []);
		assert.deepEqual(await unfold(made, 'Open'), []);
		made.index.know(alpha, [makeTicket({ id: 4 })]);
		assert.deepEqual(numbersIn(await made.below('Open')), ['alpha#4']);
	});

	test('a filter that cannot be read says why, and leads to where it can be mended', async () => {
		const [row] = await (await world([{ name: 'Broken', filter: 'label:' }])).roots();
		assert.equal(row?.item.label, 'Broken');
		assert.match(String(row?.item.description), /label:/);
		assert.deepEqual([row?.children, row?.item.command?.command], [undefined, 'forge.filters.edit']);
		assert.match(row?.item.accessibilityInformation?.label ?? '', /^Filter Broken, "label:" needs a name/);
	});

	test('the same name twice makes two rows', async () => {
		const roots = await (await world([bugs, bugs])).roots();
		assert.equal(new Set(roots.map(({ id }) => id)).size, roots.length);
	});

	test('a filter over everything that is not saved stands first', async () => {
		const made = await world();
		await made.filters.setOnAll('no bug');
		const [row] = await made.roots();
		assert.deepEqual(
			[row?.item.label, row?.item.description, row?.item.contextValue],
			['no bug', '1', 'forge.filter.applied'],
		);
	});

	test('what was just filtered is opened, the queue over all trackers or the tracker', async () => {
		const made = await world();
		const opened: string[] = [];
		made.tree.onDidOpen?.(({ id }) => opened.push(id));
		made.tree.openList(undefined);
		await made.filters.setOnAll('no bug');
		made.tree.openList(undefined);
		made.tree.openList({ kind: 'tracker', connectionKey: made.connection.key, ref: alpha });
		assert.deepEqual(opened, ['queue:applied', 'sample-alice/~alice/alpha']);
	});

	test('a tracker with a filter shows only what meets it, and says so', async () => {
		const made = await world();
		await made.filters.setOnTracker(made.connection.key, alpha, 'label:bug');
		const roots = await made.roots();
		assert.equal(roots[1]?.item.description, '~alice · filtered: label:bug · 1 of 2');
		assert.deepEqual(
			(await made.below('alpha')).map(({ item }) => item.label),
			['#2 in alpha'],
		);
		await made.filters.setOnTracker(made.connection.key, alpha, undefined);
		assert.equal((await made.below('alpha')).length, 2);
	});

	test('sorted by comments, a last line says how many were not counted', async () => {
		const made = await world([{ name: 'Talk', filter: 'sort:comments' }]);
		made.index.know(alpha, [
			{ ticket: makeTicket({ id: 2, title: 'silent' }), comments: [], commentCount: undefined },
			{ ticket: makeTicket({ id: 1, title: 'loud' }), comments: ['a', 'b'], commentCount: 2 },
		]);
		const rows = await made.below('Talk');
		assert.deepEqual(
			rows.map(({ item }) => item.label),
			['alpha#1 loud', 'beta#7 in beta', 'alpha#2 silent', '2 tickets are listed last: their comments were not loaded'],
		);
	});

	test('a queue that was counted before the trackers were known is counted anew with them', async () => {
		const made = await treeWorld([bugs]);
		await made.settle();
		made.index.list(alpha);
		const [row] = await made.roots();
		assert.equal(row?.item.description, '0+');
	});

	test('what a queue counts is marked as a part while a tracker is known in part', async () => {
		const made = await world();
		made.index.know(beta, [], { kind: 'partial', known: 0, total: 10, checkedAtMs: someTimeMs });
		const [row] = await made.roots();
		assert.equal(row?.item.description, '1+');
	});
});
