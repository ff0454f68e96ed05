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
	/** Rows of things of all groups. */
	readonly things: () => Promise<readonly TreeNode[]>;
	readonly lines: () => Promise<readonly string[]>;
	readonly done: ReturnType<typeof doneShown>;
}

function drawn(...names: readonly string[]): Drawn {
	const world = inboxWorld(...names);
	const done = doneShown(world.parts);
	const tree = inboxTree(world.parts, done, inboxAge(world.parts).note);
	world.clock.advance(3_600_000);
	const roots = (): Promise<readonly TreeNode[]> => tree.roots(never);
	const things = async (): Promise<readonly TreeNode[]> => {
		const groups = await roots();
		return (await Promise.all(groups.map(async (group) => (await group.children?.(never)) ?? []))).flat();
	};
	return { ...world, tree, roots, things, lines: async () => drawnRows(await roots()), done };
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
			'Waiting for you | 1',
			'  Mentioned · Ticket 7 | 2 unread · 40m · ~alice/alpha#7',
			'    ~bob commented: Text c | 40m · mentions you',
			'    ~bob commented: Text a | 1h · you submitted this',
			'For your information | 1',
			'  Commented · Ticket 8 | 50m · ~bob commented: Text b · you submitted this · ~alice/alpha#8',
		]);
	});

	test('lead with the newest entry that needs an answer, and leave out done ones', async () => {
		const { arrive, lines, connections } = drawn();
		const inbox = standFor<{ inbox: { setState(ids: readonly string[], state: string): void } }>(
			connections.all()[0],
		).inbox;
		arrive([makeEntry('a', 0, mention), makeEntry('b', 10), makeEntry('c', 20)]);
		inbox.setState(['a'], 'read');
		assert.deepEqual((await lines()).slice(0, 2), [
			'Waiting for you | 1',
			'  Mentioned · Ticket 7 | 2 unread · 1h · ~alice/alpha#7',
		]);
		inbox.setState(['a', 'b'], 'done');
		assert.deepEqual(await lines(), [
			'For your information | 1',
			'  Commented · Ticket 7 | 40m · ~bob commented: Text c · you submitted this · ~alice/alpha#7',
		]);
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
			'Done | 1',
			'  Commented · Ticket 7 | done · 50m · you submitted this · ~alice/alpha#7',
			'    ~bob commented: Text b | done · 50m · you submitted this',
			'    ~bob commented: Text a | done · 1h · you submitted this',
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
		const { arrive, things, connections, done } = drawn();
		arrive([makeEntry('a', 0), makeEntry('b', 10), makeEntry('c', 20, { ticket: 8 })]);
		const inbox = connections.all()[0]?.inbox;
		inbox?.setState(['a'], 'read');
		const [single, several] = await things();
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
					'Commented · Ticket 8, unread, 40 minutes ago, ~bob commented: Text c, you submitted this, ~alice/alpha#8',
					'forge-inbox://sample-alice/thing/ticket ~alice/alpha#8',
				],
				[
					'forge.inbox.thing.unread',
					'Commented · Ticket 7, 1 unread, 50 minutes ago, you submitted this, ~alice/alpha#7',
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
		const [unread, muted] = await things();
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
		const { arrive, things } = drawn();
		const title = '[x](command:evil) \u202Egnp $(bug)\n**bold**';
		arrive([
			makeEntry('a', 0, {
				thing: { kind: 'ticket', ref: { tracker: { owner: '~alice', name: 'al\u200Bpha' }, id: 7 }, title },
			}),
		]);
		const [row] = await things();
		assert.equal(row?.item.label, 'Commented · [x](command:evil) ⟨U+202E⟩gnp $(bug) **bold**');
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
				'For your information | 3',
				'  New thread · Message without subject | … · ~bob started this thread · you submitted this · ~alice/devel',
				'  New v2 · Patchset without subject | … · ~bob sent version 2 · you submitted this · ~alice/devel',
				'  New push · lantern | … · ~bob pushed · you submitted this · ~alice/lantern',
			],
		);
	});

	test('group by account, and redraw only the account that changed', async () => {
		const { arrive, lines, tree, connections } = drawn('~alice', '~bob');
		arrive([makeEntry('a', 0)]);
		arrive([makeEntry('b', 10, { ticket: 9 })], 1);
		assert.deepEqual(await lines(), [
			'~alice | Sample',
			'  For your information | 1',
			'    Commented · Ticket 7 | 1h · ~bob commented: Text a · you submitted this · ~alice/alpha#7',
			'~bob | Sample',
			'  For your information | 1',
			'    Commented · Ticket 9 | 50m · ~bob commented: Text b · you submitted this · ~alice/alpha#9',
		]);
		const redrawn: unknown[] = [];
		tree.onDidChange((row) => redrawn.push(row?.id));
		arrive([makeEntry('c', 20)], 1);
		const [alice] = connections.all();
		connections.replace(...(alice ? [alice] : []));
		assert.deepEqual(redrawn, ['sample-bob', undefined]);
		assert.equal((await lines())[0], 'For your information | 1');
	});

	test('stop at 200, with a row that loads more', async () => {
		const { arrive, things, tree } = drawn();
		arrive(Array.from({ length: 250 }, (_, at) => makeEntry(`e${at}`, at % 60, { ticket: at + 1 })));
		const rows = await things();
		assert.deepEqual([rows.length, rows.at(-1)?.item.description], [201, 'Showing 200 of 250']);
		let redrawn = 0;
		tree.onDidChange(() => (redrawn += 1));
		const { run } = standFor<{ run: (signal: AbortSignal) => Promise<void> }>(rows.at(-1)?.subject);
		await run(never);
		assert.deepEqual([redrawn, (await things()).length], [1, 250]);
	});

	test('move snoozed things into a folded group at the end', async () => {
		const { arrive, roots, things, lines, connections } = drawn();
		const [account] = connections.all();
		arrive([makeEntry('a', 0, { ...mention, ticket: 7 }), makeEntry('b', 10, { ticket: 8 })]);
		account?.inbox.setState(['a'], 'unread', Date.UTC(2027, 0, 31, 9));
		assert.deepEqual(
			(await roots()).map(({ item }) => [item.label, item.collapsibleState]),
			[
				['For your information', 2],
				['Snoozed', 1],
			],
		);
		assert.match((await lines()).at(-1) ?? '', /^ {2}Mentioned · Ticket 7 \| snoozed until Jan 3[01], 2027/);
		const tooltip = await (await things()).at(-1)?.tooltip?.(never);
		assert.match(typeof tooltip === 'object' ? tooltip.value : '', /snoozed until Jan 3[01]/);
		// Something new that needs no answer changes nothing.
		arrive([makeEntry('c', 20, { ticket: 7 })]);
		assert.deepEqual(
			(await roots()).map(({ item }) => item.description),
			['1', '1'],
		);
		arrive([makeEntry('d', 30, { ...mention, ticket: 7 })]);
		assert.deepEqual(
			(await roots()).map(({ item }) => item.label),
			['Waiting for you', 'For your information'],
		);
	});

	test('keep the id of a thing whether it has one entry or several', async () => {
		const { arrive, things } = drawn();
		arrive([makeEntry('a', 0)]);
		const [one] = await things();
		arrive([makeEntry('b', 10)]);
		const [two] = await things();
		assert.deepEqual([one?.id, one?.item.collapsibleState, one?.children], [two?.id, 0, undefined]);
		assert.equal(two?.item.collapsibleState, 1);
	});
});
