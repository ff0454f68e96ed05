import type * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import type { PageHost } from '../../../editor/pages/pageHost.ts';
import type { RenderChunk } from '../../../editor/pages/pageRenderer.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { TimelineOrder } from '../../../pages/protocol/ticketProtocol.ts';
import type { Connections } from '../../../store/connection.ts';
import type { Drafts } from '../../../store/drafts/drafts.ts';
import type { EditableFilters } from '../choices/ticketFilters.ts';
import type { ShownTickets } from '../choices/shownTickets.ts';
import type { TreeChoices } from '../choices/treeChoices.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';

/** Timeline order of all pages. */
export interface PageOrder {
	now(): TimelineOrder;
	keep(order: TimelineOrder): Promise<void>;
}

/** The parts of a tree view for moving through its rows. */
export type WalkedView = Pick<
	vscode.TreeView<TreeNode>,
	'visible' | 'selection' | 'reveal' | 'onDidChangeSelection' | 'onDidCollapseElement'
>;

export interface TicketsParts {
	readonly connections: Connections;
	/** Loads the renderer on first use. */
	readonly render: () => Promise<RenderChunk>;
	readonly pages: PageHost;
	readonly problems: Problems;
	readonly drafts: Drafts;
	readonly pageOrder: PageOrder;
	readonly filters: EditableFilters;
	/** Grouping and sort order by tracker. */
	readonly treeChoices: TreeChoices;
	/** Initial selection of a tracker's tickets. */
	readonly shown: ShownTickets;
	/** The Tickets view. */
	readonly view: WalkedView;
	readonly clock: Clock;
	readonly log: Log;
}
