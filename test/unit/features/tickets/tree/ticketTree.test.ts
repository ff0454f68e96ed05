import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { PageHost } from '../../../../../src/editor/pages/pageHost.ts';
import type { TreeNode } from '../../../../../src/editor/trees/treeNode.ts';
import type { ShowMoreSubject } from '../../../../../src/editor/commands/subjects.ts';
import type { TicketTree } from '../../../../../src/features/tickets/tree/ticketTree.ts';
import {
	fakeConnection,
	fakeConnections,
	keptNames,
	type FakeConnections,
} from '../../../../support/fakeConnection.ts';
import { fakeClock, type FakeClock } from '../../../../support/fakeClock.ts';
import { fakeTrackers, type FakeTrackers } from '../../../../support/fakeForge.ts';
import { makeTicket, makeTracker, makeUser } from '../../../../support/makeTicket.ts';
import { standFor } from '../../../../support/standFor.ts';
import { ticketsParts } from '../../../../support/fakeTicketsParts.ts';

const { ticketTree } = await import('../../../../../src/features/tickets/tree/ticketTree.ts');

const never = new AbortController().signal;
const noPages: PageHost = {
	open: () => assert.fail('no page is opened here'),
	restore: () => assert.fail('no page is restored here'),
	inFront: () => undefined,
	front: () => undefined,
	dispose: () => undefined,
};

function world(): FakeTrackers {
	const fake = fakeTrackers();
	fake.world.trackers.push(makeTracker(), makeTracker({ owner: makeUser('bob'), name: 'beta' }));
	fake.world.tickets.set(
		'~alice/alpha',
		Array.from({ length: 60 }, (_, at) =>
			makeTicket({
				id: 60 - at,
				...(at === 0 ? { status: 'resolved', resolution: 'fixed', labels: ['bug', 'ui'] } : {}),
			}),
		),
	);
	return fake;
}

function treeOf(connections: FakeConnections, clock = fakeClock()): TicketTree {
	return ticketTree({ ...ticketsParts(connections, noPages), clock });
}

/** Lets a burst of changes settle. */
async function settle(clock: FakeClock): Promise<void> {
	clock.advance(200);
	await new Promise((resolve) => void setImmediate(resolve));
}

function shown({ item }: TreeNode): readonly unknown[] {
	return [item.label, item.description, item.contextValue];
}

async function below(node: TreeNode | undefined): Promise<readonly TreeNode[]> {
	return (await node?.children?.(never)) ?? [];
}

suite('tickets view', () => {
	test('the row of a ticket shows its current age, also to screen readers', async () => {
		const clock = fakeClock();
		const { world: fake, api } = world();
		const updatedMs = clock.nowMs();
		fake.tickets.set('~alice/alpha', [makeTicket({ id: 1, updatedMs })]);
		const [tracker] = await treeOf(fakeConnections(fakeConnection(api)), clock).roots(never);
		const [row] = await below(tracker);
		const told = (): readonly unknown[] => [row?.item.description, row?.item.accessibilityInformation?.label];
		const before = told();
		clock.advance(16 * 60_000);
		const title = 'The parser stops at the first empty line';
		assert.deepEqual(
			[before, told(), row?.agedMs],
			[
				['0m', `${title} #1, Reported, updated now`],
				['16m', `${title} #1, Reported, updated 16 minutes ago`],
				updatedMs,
			],
		);
	});

	test('the row marks an incomplete ticket, and its tooltip names the missing parts', async () => {
		const clock = fakeClock();
		const { world: fake, api } = world();
		const extra = [
			{ name: 'body', json: undefined },
			{ name: 'submitter.name', json: undefined },
		];
		fake.tickets.set('~alice/alpha', [makeTicket({ id: 1, updatedMs: clock.nowMs(), extra })]);
		const [tracker] = await treeOf(fakeConnections(fakeConnection(api)), clock).roots(never);
		const [row] = await below(tracker);
		assert.equal(row?.item.description, '0m incomplete');
		assert.match(row?.item.accessibilityInformation?.label ?? '', /, incomplete$/);
		const tooltip = await row?.tooltip?.(never);
		assert.match(
			typeof tooltip === 'string' ? tooltip : (tooltip?.value ?? ''),
			/The forge did not send everything\\\. Missing\\: description, names of people\\\. Refresh to try again/,
		);
	});

	test('shows the trackers of a single account at the top: own first, then followed', async () => {
		const tree = treeOf(fakeConnections(fakeConnection(world().api, '~alice', keptNames('~bob/beta'))));
		assert.deepEqual((await tree.roots(never)).map(shown), [
			['alpha', '~alice', 'forge.tracker.own'],
			['beta', '~bob', 'forge.tracker.followed'],
		]);
	});

	test('shows a level for each of several accounts', async () => {
		const { api } = world();
		const tree = treeOf(fakeConnections(fakeConnection(api), fakeConnection(api, '~bob')));
		const roots = await tree.roots(never);
		assert.deepEqual(roots.map(shown), [
			['~alice', 'Sample', 'forge.connection'],
			['~bob', 'Sample', 'forge.connection'],
		]);
		const [tracker] = await below(roots[1]);
		assert.deepEqual([tracker?.item.label, tracker?.parent?.id], ['alpha', 'sample-bob']);
	});

	test('is empty without an account', async () => {
		assert.deepEqual(await treeOf(fakeConnections()).roots(never), []);
	});

	test('a tracker shows its first page and a row for more', async () => {
		const tree = treeOf(fakeConnections(fakeConnection(world().api)));
		const [tracker] = await tree.roots(never);
		const rows = await below(tracker);
		assert.equal(rows.length, 51);
		assert.deepEqual(shown(rows[0]!), ['The parser stops… #60', '3d bug, ui', 'forge.ticket.resolved']);
		assert.deepEqual(shown(rows[50]!), ['Show More', 'Showing 50 of 60', 'more']);
	});

	test('a row names its state for screen readers', async () => {
		const tree = treeOf(fakeConnections(fakeConnection(world().api)));
		const [row] = await below((await tree.roots(never))[0]);
		assert.equal(
			row?.item.accessibilityInformation?.label,
			'The parser stops at the first empty line #60, Resolved: fixed, updated 3 days ago, labels: bug, ui',
		);
	});

	test('"Show More" reads the next page and redraws the tracker', async () => {
		const connections = fakeConnections(fakeConnection(world().api));
		const clock = fakeClock();
		const tree = treeOf(connections, clock);
		const [tracker] = await tree.roots(never);
		const more = (await below(tracker))[50];
		const redrawn: unknown[] = [];
		tree.onDidChange((node) => redrawn.push(node?.id));
		await standFor<ShowMoreSubject>(more?.subject).run(never);
		await settle(clock);
		assert.deepEqual(redrawn, [tracker?.id]);
		assert.equal((await below(tracker)).length, 60);
	});

	test('a list without paging says so and offers no more', async () => {
		const fake = world();
		fake.world.bare = true;
		const tree = treeOf(fakeConnections(fakeConnection(fake.api)));
		const last = (await below((await tree.roots(never))[0])).at(-1);
		assert.match(String(last && shown(last)[0]), /^\d+ shown; the server sends no more$/);
		assert.equal(last?.item.command, undefined);
	});

	test('a changed ticket redraws its row under the same id', async () => {
		const connection = fakeConnection(world().api);
		const clock = fakeClock();
		const tree = treeOf(fakeConnections(connection), clock);
		const [row] = await below((await tree.roots(never))[0]);
		const redrawn: TreeNode[] = [];
		tree.onDidChange((node) => node && redrawn.push(node));
		connection.tickets.apply({ kind: 'ticketChanged', ticket: makeTicket({ id: 60, title: 'Changed' }) });
		await settle(clock);
		assert.deepEqual(
			redrawn.map(({ id }) => id),
			[row?.id, row?.parent?.id],
		);
		assert.equal(redrawn[0]?.item.label, 'Changed #60');
	});

	test('an unchanged ticket redraws nothing after another read', async () => {
		const connection = fakeConnection(world().api);
		const tree = treeOf(fakeConnections(connection));
		await below((await tree.roots(never))[0]);
		const redrawn: unknown[] = [];
		tree.onDidChange((node) => redrawn.push(node?.id));
		await connection.tickets.renewTicket({ tracker: { owner: '~alice', name: 'alpha' }, id: 60 }, never);
		assert.deepEqual(redrawn, []);
	});

	test('the tooltip is untrusted and escapes text by strangers', async () => {
		const fake = world();
		fake.world.tickets.set('~alice/alpha', [makeTicket({ title: '[x](command:workbench.action.quit) <b> $(zap)' })]);
		const [row] = await below((await treeOf(fakeConnections(fakeConnection(fake.api))).roots(never))[0]);
		const tooltip = await row?.tooltip?.(never);
		assert.ok(typeof tooltip === 'object');
		assert.deepEqual([tooltip.isTrusted, tooltip.supportHtml, tooltip.supportThemeIcons], [false, false, false]);
		assert.match(tooltip.value, /\\\[x\\\]\\\(command\\:workbench\\\.action\\\.quit\\\)/);
	});

	test('a change of accounts redraws everything, and so do changes in a new account', async () => {
		const { api } = world();
		const connections = fakeConnections();
		const tree = treeOf(connections);
		const redrawn: unknown[] = [];
		tree.onDidChange((node) => redrawn.push(node?.id));
		const connection = fakeConnection(api);
		connections.replace(connection);
		assert.deepEqual(new Set(redrawn.splice(0)), new Set([undefined]));
		connection.tickets.apply({ kind: 'trackerChanged', tracker: makeTracker({ name: 'gamma' }) });
		assert.deepEqual(redrawn, [undefined]);
	});

	test('forgetting a tracker makes the next expansion read it again', async () => {
		const fake = world();
		const tree = treeOf(fakeConnections(fakeConnection(fake.api)));
		const [tracker] = await tree.roots(never);
		await below(tracker);
		tree.forget(tracker);
		await below(tracker);
		assert.equal(fake.world.calls.filter((call) => call === 'tickets ~alice/alpha 0').length, 2);
	});
});
