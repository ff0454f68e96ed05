import type * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import type { PageHost } from '../../../editor/pages/pageHost.ts';
import type { RenderChunk } from '../../../editor/pages/pageRenderer.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { TimelineOrder } from '../../../protocol/ticketProtocol.ts';
import type { Connections } from '../../../state/connection.ts';
import type { Drafts } from '../../../state/drafts/drafts.ts';
import type { EditableFilters } from '../choices/ticketFilters.ts';
import type { ShownTickets } from '../choices/shownTickets.ts';
import type { TreeChoices } from '../choices/treeChoices.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';

/** Which way the timelines of all pages run. */
export interface PageOrder {
	now(): TimelineOrder;
	keep(order: TimelineOrder): Promise<void>;
}

/** The part of a view that is needed to go through its rows. */
export type WalkedView = Pick<
	vscode.TreeView<TreeNode>,
	'visible' | 'selection' | 'reveal' | 'onDidChangeSelection' | 'onDidCollapseElement'
>;

/** What tickets need of the rest of the program. */
export interface TicketsParts {
	readonly connections: Connections;
	/** Loads the renderer on first use. */
	readonly render: () => Promise<RenderChunk>;
	readonly pages: PageHost;
	readonly problems: Problems;
	readonly drafts: Drafts;
	readonly pageOrder: PageOrder;
	readonly filters: EditableFilters;
	/** How each tracker's rows are grouped and sorted. */
	readonly treeChoices: TreeChoices;
	/** Which tickets a tracker opens with. */
	readonly shown: ShownTickets;
	/** The Tickets view. */
	readonly view: WalkedView;
	readonly clock: Clock;
	readonly log: Log;
}
