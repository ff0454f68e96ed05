import type * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { FolderMapping } from '../../../editor/git/folderMapping.ts';
import type { FindGit } from '../../../editor/git/gitApi.ts';
import type { PageHost } from '../../../editor/pages/pageHost.ts';
import type { RenderChunk } from '../../../editor/pages/pageRenderer.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { TimelineOrder } from '../../../pages/protocol/ticketProtocol.ts';
import type { Connections } from '../../../store/connection.ts';
import type { Drafts } from '../../../store/drafts/drafts.ts';
import type { TicketFilters } from '../choices/ticketFilters.ts';
import type { ShownTickets, TreeChoices } from '../choices/treeChoices.ts';

/** Timeline order of all pages. */
export interface PageOrder {
	now(): TimelineOrder;
	keep(order: TimelineOrder): Promise<void>;
}

/** Context of everything about tickets in a window. */
export interface TicketsContext {
	readonly connections: Connections;
	/** Resolves when all accounts of the start are connected. */
	readonly ready: () => Promise<void>;
	/** Loads the renderer on first use. */
	readonly render: () => Promise<RenderChunk>;
	readonly pages: PageHost;
	readonly problems: Problems;
	readonly drafts: Drafts;
	/** 16 hexadecimal digits that were never used before. */
	readonly newName: () => string;
	readonly pageOrder: PageOrder;
	readonly filters: TicketFilters;
	/** Grouping and sort order by tracker. */
	readonly treeChoices: TreeChoices;
	/** Initial selection of a tracker's tickets. */
	readonly shown: ShownTickets;
	/** The Tickets view. */
	readonly view: vscode.TreeView<TreeNode>;
	readonly folders: FolderMapping;
	readonly findGit: FindGit;
	readonly clock: Clock;
}
