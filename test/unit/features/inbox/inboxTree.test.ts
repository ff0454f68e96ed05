import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { TreeNode } from '../../../../src/editor/trees/treeNode.ts';
import type { InboxEntry } from '../../../../src/store/inbox/inboxEntry.ts';
import { drawnRows, inboxWorld, type InboxWorld } from './support/inboxWorld.ts';
import { makeEntry } from '../../../support/makeInboxEntry.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';
import { standFor } from '../../../support/standFor.ts';

const { inboxTree } = await import('../../../../src/features/inbox/inboxTree.ts');
const { inboxAge } = await import('../../../../src/features/inbox/inboxAge.ts');
const { doneShown } = await import('../../../../src/features/inbox/inboxTree.ts');

const never = new AbortController().signal;

interface Drawn extends InboxWorld {
	readonly tree: ReturnType<typeof inboxTree>;
	readonly roots: () => Promise<readonly TreeNode[]>;
	readonly lines: () => Promise<readonly string[]>;
	readonly done: ReturnType<typeof doneShown>;
}

function drawn(...names: readonly string[]): Drawn {
	const world = inboxWorld(...names);
	const done = doneShown(world.parts);
	const tree = inboxTree(world.parts, done, inboxAge(world.parts).note);
	world.clock.advance(3_600_000);
	const roots = (): Promise<readonly TreeNode[]> => tree.roots(never);
	return { ...world, tree, roots, lines: async () => drawnRows(await roots()), done };
}

/** Codicon and color. */
function iconOf(row: TreeNode | undefined): readonly unknown[] {
	const icon = standFor<vscode.ThemeIcon>(row?.item.iconPath);
	return [icon.id, icon.color?.id];
}

const mention: Partial<InboxEntry> = { reason: 'mentioned' };

suite('inbox rows', () => {
	setup(() => resetStub());

	test('group entries by thing, newest first', async () => {
		const { arrive, lines } = drawn();
		arrive([makeEntry('a', 0), makeEntry('b', 10, { ticket: 8 }), makeEntry('c', 20, mention)]);
		assert.deepEqual(await lines(), [
			'Ticket 7 | 2 unread · 40m · mentions you · ~alice/alpha#7',
			'  ~bob commented: Text c | 40m · mentions you',
			'  ~bob commented: Text a | 1h · you submitted this',
			'Ticket 8 | 50m · ~bob commented: Text b · you submitted this · ~alice/alpha#8',
		]);
	});

	test('summarize a thing by its unread entries, and leave out done ones', async () => {
		const { arrive, lines, connections } = drawn();
		const inbox = standFor<{ inbox: { setState(ids: readonly string[], state: string): void } }>(
			connections.all()[0],
		).inbox;
		arrive([makeEntry('a', 0, mention), makeEntry('b', 10), makeEntry('c', 20)]);
		inbox.setState(['a'], 'read');
		assert.equal((await lines())[0], 'Ticket 7 | 2 unread · 40m · you submitted this · ~alice/alpha#7');
		inbox.setState(['b', 'c'], 'read');
		assert.equal((await lines())[0], 'Ticket 7 | 40m · mentions you · ~alice/alpha#7');
		inbox.setState(['a', 'b'], 'done');
		assert.deepEqual(await lines(), ['Ticket 7 | 40m · ~bob commented: Text c · you submitted this · ~alice/alpha#7']);
		inbox.setState(['c'], 'done');
		assert.deepEqual(await lines(), []);
	});

	test('include done entries while the window’s Show Done setting is on', async () => {
		const { arrive, lines, connections, done, tree, parts } = drawn();
		arrive([makeEntry('a', 0), makeEntry('b', 10)]);
		connections.all()[0]?.inbox.setState(['a', 'b'], 'done');
		let redrawn = 0;
		tree.onDidChange(() => (redrawn += 1));
		await done.choose(true);
		assert.deepEqual(await lines(), [
			'Ticket 7 | done · 50m · you submitted this · ~alice/alpha#7',
			'  ~bob commented: Text b | done · 50m · you submitted this',
			'  ~bob commented: Text a | done · 1h · you submitted this',
		]);
		assert.deepEqual([redrawn, stubbed.contexts.get('forge.inbox.doneShown')], [1, true]);
		assert.equal(doneShown(parts).now(), true);
		await done.choose(false);
		assert.deepEqual([await lines(), stubbed.contexts.get('forge.inbox.doneShown')], [[], false]);
	});

	test('hide done entries after the last account signs out', async () => {
		const { done, parts, connections } = drawn();
		await done.choose(true);
		await parts.doneShown.write('');
		connections.replace();
		assert.deepEqual([done.now(), stubbed.contexts.get('forge.inbox.doneShown')], [false, false]);
	});

	test('expose their state to menus and screen readers', async () => {
		const { arrive, roots, connections, done } = drawn();
		arrive([makeEntry('a', 0), makeEntry('b', 10), makeEntry('c', 20, { ticket: 8 })]);
		const inbox = connections.all()[0]?.inbox;
		inbox?.setState(['a'], 'read');
		const [single, several] = await roots();
		const entries = (await several?.children?.(never)) ?? [];
		assert.deepEqual(
			[single, several, ...entries].map((row) => [
				row?.item.contextValue,
				row?.item.accessibilityInformation?.label,
				row?.item.resourceUri?.toString(),
			]),
			[
				[
					'forge.inbox.thing.unread',
					'Ticket 8, unread, you submitted this, 40 minutes ago, ~bob commented: Text c, ~alice/alpha#8',
					'forge-inbox://sample-alice/thing/ticket ~alice/alpha#8',
				],
				[
					'forge.inbox.thing.unread',
					'Ticket 7, 1 unread, you submitted this, 50 minutes ago, ~alice/alpha#7',
					'forge-inbox://sample-alice/thing/ticket ~alice/alpha#7',
				],
				[
					'forge.inbox.entry.unread',
					'~bob commented: Text b, unread, you submitted this, 50 minutes ago',
					'forge-inbox://sample-alice/entry/b',
				],
				[
					'forge.inbox.entry.read',
					'~bob commented: Text a, you submitted this, 1 hour ago',
					'forge-inbox://sample-alice/entry/a',
				],
			],
		);
		inbox?.choose('ticket ~alice/alpha#7', 'nothing');
		await done.choose(true);
		const [unread, muted] = await roots();
		assert.deepEqual([unread, muted].map(iconOf), [
			['issues', undefined],
			['bell-slash', 'disabledForeground'],
		]);
		assert.deepEqual(
			[muted?.item.contextValue, muted?.item.description],
			['forge.inbox.thing.done.muted', 'done · muted · 50m · you submitted this · ~alice/alpha#7'],
		);
		assert.deepEqual(
			((await muted?.children?.(never)) ?? []).map(({ item }) => item.contextValue),
			['forge.inbox.entry.done.muted', 'forge.inbox.entry.done.muted'],
		);
	});

	test('escape titles from the forge in labels and tooltips', async () => {
		const { arrive, roots } = drawn();
		const title = '[x](command:evil) \u202Egnp $(bug)\n**bold**';
		arrive([
			makeEntry('a', 0, {
				thing: { kind: 'ticket', ref: { tracker: { owner: '~alice', name: 'al\u200Bpha' }, id: 7 }, title },
			}),
		]);
		const [row] = await roots();
		assert.equal(row?.item.label, '[x](command:evil) ⟨U+202E⟩gnp $(bug) **bold**');
		assert.ok(String(row?.item.description).endsWith('~alice/al⟨U+200B⟩pha#7'));
		const tooltip = await row?.tooltip?.(never);
		assert.ok(typeof tooltip === 'object');
		assert.deepEqual([tooltip.isTrusted, tooltip.supportHtml, tooltip.supportThemeIcons], [false, false, false]);
		assert.ok(!tooltip.value.includes('](command'), tooltip.value);
	});

	test('show a fallback for things without a title', async () => {
		const { arrive, lines } = drawn();
		const list = { owner: '~alice', name: 'devel' };
		arrive([
			makeEntry('a', 3, {
				thing: { kind: 'thread', list, id: 5, subject: ' ' },
				event: { kind: 'mailArrived', mailId: 5, subject: '' },
			}),
			makeEntry('b', 2, {
				thing: { kind: 'patchset', ref: { list, id: 1 }, subject: '' },
				event: { kind: 'patchsetReceived', version: 2 },
			}),
			makeEntry('c', 1, {
				thing: { kind: 'repository', ref: { owner: '~alice', name: 'lantern' } },
				event: { kind: 'pushed', changes: [] },
			}),
		]);
		assert.deepEqual(
			(await lines()).map((line) => line.replace(/\d+m/, '…')),
			[
				'Message without subject | … · ~bob started this thread · you submitted this · ~alice/devel',
				'Patchset without subject | … · ~bob sent version 2 · you submitted this · ~alice/devel',
				'lantern | … · ~bob pushed · you submitted this · ~alice/lantern',
			],
		);
	});

	test('group by account, and redraw only the account that changed', async () => {
		const { arrive, lines, tree, connections } = drawn('~alice', '~bob');
		arrive([makeEntry('a', 0)]);
		arrive([makeEntry('b', 10, { ticket: 9 })], 1);
		assert.deepEqual(await lines(), [
			'~alice | Sample',
			'  Ticket 7 | 1h · ~bob commented: Text a · you submitted this · ~alice/alpha#7',
			'~bob | Sample',
			'  Ticket 9 | 50m · ~bob commented: Text b · you submitted this · ~alice/alpha#9',
		]);
		const redrawn: unknown[] = [];
		tree.onDidChange((row) => redrawn.push(row?.id));
		arrive([makeEntry('c', 20)], 1);
		const [alice] = connections.all();
		connections.replace(...(alice ? [alice] : []));
		assert.deepEqual(redrawn, ['sample-bob', undefined]);
		assert.equal((await lines())[0], 'Ticket 7 | 1h · ~bob commented: Text a · you submitted this · ~alice/alpha#7');
	});

	test('stop at 200, with a row that loads more', async () => {
		const { arrive, roots, tree } = drawn();
		arrive(Array.from({ length: 250 }, (_, at) => makeEntry(`e${at}`, at % 60, { ticket: at + 1 })));
		const rows = await roots();
		assert.deepEqual([rows.length, rows.at(-1)?.item.description], [201, 'Showing 200 of 250']);
		let redrawn = 0;
		tree.onDidChange(() => (redrawn += 1));
		const { run } = standFor<{ run: (signal: AbortSignal) => Promise<void> }>(rows.at(-1)?.subject);
		await run(never);
		assert.deepEqual([redrawn, (await roots()).length], [1, 250]);
	});

	test('keep the id of a thing whether it has one entry or several', async () => {
		const { arrive, roots } = drawn();
		arrive([makeEntry('a', 0)]);
		const [one] = await roots();
		arrive([makeEntry('b', 10)]);
		const [two] = await roots();
		assert.deepEqual([one?.id, one?.item.collapsibleState, one?.children], [two?.id, 0, undefined]);
		assert.equal(two?.item.collapsibleState, 1);
	});
});
