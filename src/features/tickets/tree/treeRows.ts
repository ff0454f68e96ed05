import { originOf } from 'sourcehut/port/instance.ts';

import * as vscode from 'vscode';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import { rowContext } from '../../../commands/rows.ts';
import { filterProblemText } from '../../../editor/ask/filterRows.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { accountRows } from '../../../editor/trees/accountRows.ts';
import { countText, newText } from '../../../editor/trees/markTexts.ts';
import { noticeRow } from '../../../editor/trees/noticeRow.ts';
import { tailRows } from '../../../editor/trees/pagingRows.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Connection } from '../../../store/connection.ts';
import { refOfTracker } from '../../../store/tickets/trackerRefs.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { checkedAge, ticketsText } from './countTexts.ts';
import { groupRow, groupRowId, restRows, ticketRows, uncountedRows, waitingRows } from './ticketRows.ts';
import {
	queuesOf,
	type Queue,
	trackerRowId,
	type FilteredList,
	type AccountTracker,
	type Shelf,
	type ShelfGroup,
} from './ticketShelf.ts';
import { trackerRow } from './trackerRow.ts';
import { allTrackers, filteredTracker, queueQuery, trackerQuery, type TreeContext } from './treeContext.ts';

/** Builds the rows of the view. Every row can be drawn without its neighbours. */
export type TreeRows = ReturnType<typeof treeRows>;

export function treeRows(context: TreeContext) {
	const { tickets: ticketsContext, facts, shelves, reads, rendered: given } = context;
	const { connections, filters, problems, clock } = ticketsContext;
	const accounts = accountRows(connections, (connection, signal) => trackersBelow(connection, signal));

	function tracker(from: AccountTracker): TreeNode {
		return trackerRow(context, from, accounts.above(from.connection), async (signal) => {
			const id = trackerRowId(from);
			unfold(id, [from]);
			await reads.tickets(from, signal);
			await counted(from, signal);
			return given.give(
				id,
				id,
				async (next) => {
					const wish = trackerQuery(context, from);
					const parent = tracker(from);
					const shelf = await shelves.current(parent.id, wish, next);
					const rows: TreeNode[] = [];
					for (const each of shelf.groups) {
						pushAll(
							rows,
							each.key ? [group(from, shelf, each)] : await ticketRows(context, parent, each.tickets, next),
						);
					}
					return [
						...noticeRows(parent.id, parent, reads.trouble(parent.id), [from]),
						...rows,
						...uncountedRows(parent, shelf.uncounted),
						...waitingRows(parent, shelf.waiting, () => releaseList(parent.id, () => tracker(from))),
						...restRows(parent, from, wish, shelf),
					];
				},
				signal,
			);
		});
	}

	async function counted(from: AccountTracker, signal: AbortSignal): Promise<void> {
		await facts.counted(from, signal);
		const wish = trackerQuery(context, from);
		if (!wish.filter && wish.order.key !== 'comments') {
			return;
		}
		const shelf = await shelves.current(trackerRowId(from), wish, signal);
		const list = filteredTracker(filters, from);
		// In groups, a ticket moves with its group value.
		if (list && wish.grouping === 'none') {
			freeze(list, shelf);
		}
	}

	/** The user sees these trackers until the row collapses. */
	function unfold(id: string, trackers: readonly AccountTracker[]): void {
		context.unfolded.set(id, trackers);
		trackers.forEach(({ connection, ref }) => connection.index.inUse(ref));
	}

	function group(from: AccountTracker, { isWhole }: Shelf, { key, tickets }: ShelfGroup): TreeNode {
		const parent = tracker(from);
		if (!key) {
			return parent;
		}
		const row: TreeNode = groupRow(key, tickets.length, isWhole, parent, (signal) =>
			given.give(
				parent.id,
				row.id,
				async (next) => {
					const { groups } = await shelves.current(parent.id, trackerQuery(context, from), next);
					const present = groups.find((each) => each.key && groupRowId(parent.id, each.key) === row.id);
					return ticketRows(context, row, present?.tickets ?? [], next);
				},
				signal,
			),
		);
		return row;
	}

	function queue(each: Queue): TreeNode {
		const row: TreeNode = queueRow(
			each,
			() => shelves.last(each.id),
			async (signal) => {
				const trackers = allTrackers(connections);
				unfold(each.id, trackers);
				// Load unopened trackers now; one failing tracker must not hide the others.
				await Promise.allSettled(trackers.map((from) => reads.tickets(from, signal)));
				signal.throwIfAborted();
				return given.give(
					each.id,
					each.id,
					async (next) => {
						const wish = queueQuery(context, each);
						if (!wish) {
							return [];
						}
						const shelf = await shelves.current(each.id, wish, next);
						freeze(each, shelf);
						const found = shelf.groups.flatMap(({ tickets }) => tickets);
						return [
							...(await ticketRows(context, row, found, next)),
							...uncountedRows(row, shelf.uncounted),
							...waitingRows(row, shelf.waiting, () => releaseList(each.id, () => queue(each))),
						];
					},
					signal,
				);
			},
		);
		return row;
	}

	/** Freeze a visible list until it collapses or reloads. Wait for the load that the expansion started. */
	function freeze(list: FilteredList, shelf: Shelf): void {
		const trackers = context.unfolded.get(list.id) ?? [];
		const isSettled = trackers.length > 0 && !trackers.some((from) => reads.isReading(from));
		if (isSettled && context.frozen.freeze(list, shelf)) {
			// A running computation would use the old order.
			shelves.stale((id) => id === list.id);
		}
	}

	/** Adds waiting tickets to a frozen list. */
	async function releaseList(listId: string, row: () => TreeNode): Promise<void> {
		context.frozen.release((id) => id === listId);
		shelves.stale((id) => id === listId);
		context.changed.fire(row());
		await Promise.resolve();
	}

	async function trackersBelow(connection: Connection, signal: AbortSignal): Promise<readonly TreeNode[]> {
		const own = await reads.own(connection, signal);
		const parent = accounts.above(connection);
		const { trackers } = connection.tickets;
		const refs =
			own.kind === 'remembered' ? own.refs : [...own.listing.items.map(refOfTracker), ...trackers.followed.all()];
		const all = refs.map((ref) => ({ connection, ref }));
		const rows: TreeNode[] = [];
		for (const from of all) {
			await counted(from, signal);
			pushAll(rows, await given.give(trackerRowId(from), 'row', async () => [tracker(from)], signal));
		}
		const error =
			reads.trouble(connection.key) ??
			(connection.index.pause?.kind === 'offline'
				? new ForgeError({
						kind: 'unreachable',
						reason: 'offline',
						host: new URL(originOf(connection.instance, 'todo')).host,
					})
				: undefined);
		return [
			...(all.length === 0 ? [] : noticeRows(connection.key, parent, error, all)),
			...rows,
			...(own.kind === 'remembered'
				? []
				: tailRows({ id: connection.key, parent }, own.listing, (moreSignal) => trackers.own.more(moreSignal))),
		];
	}

	/** Why the trackers may be older than they look. */
	function noticeRows(
		id: string,
		parent: TreeNode | undefined,
		error: unknown,
		trackers: readonly AccountTracker[],
	): readonly TreeNode[] {
		const age = checkedAge(trackers, () => clock.nowMs());
		const again = parent ?? 'forge.tickets';
		return error === undefined
			? []
			: [noticeRow({ id, parent, error, reason: problems.explain(error).message, age, again })];
	}

	return {
		/** Parent row of an account's trackers; `undefined` is the root. */
		above: (connection: Connection) => accounts.above(connection),
		/** Freezes an expanded list in the shelf's order, except during a load. */
		freeze,
		/** Computes the counts of a tracker's row for drawing. */
		counted,
		/** As last counted. */
		tracker,
		group,
		queue,
		async roots(signal: AbortSignal): Promise<readonly TreeNode[]> {
			const below = await accounts.roots(signal);
			const queues: TreeNode[] = [];
			for (const each of connections.all().length === 0 ? [] : queuesOf(filters)) {
				const wish = queueQuery(context, each);
				if (wish) {
					await shelves.current(each.id, wish, signal);
				}
				pushAll(queues, await given.give(each.id, 'row', async () => [queue(each)], signal));
			}
			// Notices about stale data first.
			const isNotice = ({ item }: TreeNode): boolean => item.contextValue === 'notice';
			return [...below.filter(isNotice), ...queues, ...below.filter((node) => !isNotice(node))];
		},
	};
}

/**
 * Row of a filter over all trackers. Its count is computed on each draw, as in tracker rows. `shelf`: the last filled
 * one; `undefined` before the first.
 */
function queueRow(queue: Queue, shelf: () => Shelf | undefined, children: NonNullable<TreeNode['children']>): TreeNode {
	const problem = queue.reading.kind === 'problem' ? filterProblemText(queue.reading.problem) : undefined;
	const name = visibleLine(queue.name);
	const places = {
		user: vscode.l10n.t('Saved in your settings'),
		workspace: vscode.l10n.t('Saved in the settings of this workspace'),
	};
	const place =
		queue.subject.kind === 'appliedFilter'
			? vscode.l10n.t('Applied to all trackers, not saved')
			: places[queue.subject.where];
	return {
		id: queue.id,
		get item() {
			return queueItem(queue, shelf(), problem);
		},
		parent: undefined,
		...(problem === undefined ? { children } : {}),
		subject: queue.subject,
		tooltip: () =>
			Promise.resolve(
				untrustedMarkdown([
					`**${escapeMarkdown(name)}**`,
					...[visibleLine(queue.text), place, problem ?? ''].map(escapeMarkdown),
				]),
			),
	};
}

function queueItem(queue: Queue, filled: Shelf | undefined, problem: string | undefined): vscode.TreeItem {
	const name = visibleLine(queue.name);
	const isBroken = problem !== undefined;
	const item = new vscode.TreeItem(
		name,
		isBroken ? vscode.TreeItemCollapsibleState.None : vscode.TreeItemCollapsibleState.Collapsed,
	);
	const count = filled && countText(filled.matching, filled.isWhole);
	const waiting = filled && filled.waiting > 0 ? [newText(filled.waiting)] : [];
	const description = problem ?? (count === undefined ? undefined : [count, ...waiting].join(' · '));
	if (description !== undefined) {
		item.description = description;
	}
	item.iconPath = isBroken
		? new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
		: new vscode.ThemeIcon('list-filter');
	item.contextValue = rowContext(
		queue.subject.kind === 'appliedFilter' ? 'filter.applied' : `filter.${queue.subject.where}`,
		{},
	);
	const counted = problem ?? (count === undefined ? undefined : ticketsText(count));
	const spoken = [vscode.l10n.t('Filter {0}', name), ...(counted === undefined ? [] : [counted]), ...waiting];
	item.accessibilityInformation = { label: spoken.join(', ') };
	if (isBroken) {
		item.command = { command: 'forge.filters.edit', title: vscode.l10n.t('Edit Filter…'), arguments: [queue.subject] };
	}
	return item;
}
