import assert from 'node:assert/strict';
import type { PageHost } from '../../src/editor/pages/pageHost.ts';
import type { TreeNode } from '../../src/editor/trees/treeNode.ts';
import type { TicketFilters } from '../../src/features/tickets/choices/ticketFilters.ts';
import { ticketFilters } from '../../src/features/tickets/choices/ticketFilters.ts';
import type { TicketsContext } from '../../src/features/tickets/context/ticketsContext.ts';
import type { TicketTree } from '../../src/features/tickets/tree/ticketTree.ts';
import type { Connection } from '../../src/store/connection.ts';
import { fakeClock, type FakeClock } from './fakeClock.ts';
import { fakeConnection, fakeConnections, type FakeConnections, keptNames } from './fakeConnection.ts';
import { fakeTrackers, type FakeTrackers } from './fakeForge.ts';
import { fakeIndex, type FakeIndex } from './fakeIndex.ts';
import {
	fakeFilterSetting,
	fakeKept,
	fakeShown,
	fakeView,
	ticketsParts,
	type FakeShown,
	type FakeView,
} from './fakeTicketsParts.ts';
import { makeTracker } from './makeTicket.ts';

export const never = new AbortController().signal;
export const alpha = { owner: '~alice', name: 'alpha' } as const;
export const beta = { owner: '~alice', name: 'beta' } as const;

export const noPages: PageHost = {
	open: () => assert.fail('no page is opened here'),
	restore: () => assert.fail('no page is restored here'),
	inFront: () => undefined,
	front: () => undefined,
	dispose: () => undefined,
};

/** The view of an account with the trackers alpha and beta, and a scripted index. */
export interface TreeWorld {
	readonly forge: FakeTrackers;
	readonly index: FakeIndex;
	readonly connection: Connection;
	readonly connections: FakeConnections;
	readonly clock: FakeClock;
	readonly view: FakeView;
	readonly filters: TicketFilters;
	/** Initial filter of trackers; by default all tickets. */
	readonly shown: FakeShown;
	readonly parts: TicketsContext;
	readonly tree: TicketTree;
	/** Redrawn rows; `undefined` for the root. */
	readonly redrawn: (TreeNode | undefined)[];
	roots(): Promise<readonly TreeNode[]>;
	/** Rows below a top-level row, found by its label. */
	below(label: string): Promise<readonly TreeNode[]>;
	/** Waits for the end of a burst of changes. */
	settle(): Promise<void>;
}

/** `saved`: the filters of the user's settings. */
export async function treeWorld(saved: readonly unknown[] = []): Promise<TreeWorld> {
	const { ticketTree } = await import('../../src/features/tickets/tree/ticketTree.ts');
	const forge = fakeTrackers();
	forge.world.trackers.push(makeTracker(), makeTracker({ name: 'beta' }));
	const index = fakeIndex();
	const connection = fakeConnection(forge.api, '~alice', keptNames(), index);
	const connections = fakeConnections(connection);
	const clock = fakeClock();
	const view = fakeView();
	const filters = ticketFilters(fakeFilterSetting({ user: saved }), connections, fakeKept(), () => undefined);
	const shown = fakeShown();
	const parts = { ...ticketsParts(connections, noPages), clock, view, filters, shown };
	const tree = ticketTree(parts);
	const redrawn: (TreeNode | undefined)[] = [];
	tree.onDidChange((node) => redrawn.push(node));
	const roots = (): Promise<readonly TreeNode[]> => tree.roots(never);
	return {
		forge,
		index,
		connection,
		connections,
		clock,
		view,
		filters,
		shown,
		parts,
		tree,
		redrawn,
		roots,
		below: async (label) => rowsBelow((await roots()).find(({ item }) => item.label === label)),
		async settle() {
			clock.advance(200);
			await new Promise((resolve) => void setImmediate(resolve));
		},
	};
}

/** The rows below a row. */
export async function rowsBelow(node: TreeNode | undefined): Promise<readonly TreeNode[]> {
	assert.ok(node, 'the row is there');
	return (await node.children?.(never)) ?? [];
}

/** A row's label and description in one line. */
export function lineOf({ item }: Pick<TreeNode, 'item'>): string {
	const { label, description } = item;
	assert.ok(typeof label === 'string');
	return typeof description === 'string' ? `${label} | ${description}` : label;
}
