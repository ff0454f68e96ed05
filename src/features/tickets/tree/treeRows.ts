import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import { filterProblemText } from '../../../editor/ask/filterProblemText.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { accountRows } from '../../../editor/trees/accountRows.ts';
import { countText, newText } from '../../../editor/trees/countTexts.ts';
import { noticeRow } from '../../../editor/trees/noticeRow.ts';
import { tailRows } from '../../../editor/trees/pagingRows.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { ForgeError } from '../../../forge/port/forgeError.ts';
import type { TrackerRef } from '../../../forge/port/tracker.ts';
import type { Connection } from '../../../store/connection.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { checkedAge } from './checkedAge.ts';
import { ticketsText } from './countTexts.ts';
import { groupRow, groupRowId } from './groupRows.ts';
import { queuesOf, type Queue } from './queues.ts';
import type { SeenTracker, Shelf, ShelfGroup, FilteredList } from './shelf.ts';
import { restRows, ticketRows, uncountedRows, waitingRows } from './shelfRows.ts';
import { trackerRow, trackerRowId } from './trackerRow.ts';
import { allTrackers, filteredTracker, queueWish, trackerWish, type TreeContext } from './treeContext.ts';

/** Builds the rows of the view. Every row can be drawn without its neighbours. */
export type TreeRows = ReturnType<typeof treeRows>;

export function treeRows(context: TreeContext) {
	const { parts, facts, shelves, reads, given } = context;
	const { connections, filters, problems, clock } = parts;

	const accounts = accountRows(connections, (connection, signal) => trackersBelow(connection, signal));

	function tracker(connection: Connection, ref: TrackerRef): TreeNode {
		return trackerRow({
			connection,
			ref,
			tracker: connection.tickets.trackers.known(ref),
			parent: accounts.above(connection),
			children: (signal) => ticketsBelow(connection, ref, signal),
			facts: () => facts.last(connection, ref),
			filter() {
				const text = filters.onTracker(connection.key, ref);
				return text === undefined ? undefined : { text, count: filteredCount(connection, ref) };
			},
			nowMs: () => clock.nowMs(),
		});
	}

	/** "12 of 312", "12+ of 50+". */
	function filteredCount(connection: Connection, ref: TrackerRef): string {
		const shelf = shelves.last(trackerRowId(connection, ref));
		return shelf ? ofText(shelf) : '…';
	}

	async function counted(connection: Connection, ref: TrackerRef, signal: AbortSignal): Promise<void> {
		await facts.counted(connection, ref, signal);
		const wish = trackerWish(context, connection, ref);
		if (!wish.filter && wish.order.key !== 'comments') {
			return;
		}
		const shelf = await shelves.current(trackerRowId(connection, ref), wish, signal);
		const list = filteredTracker(filters, { connection, ref });
		// In groups, a ticket moves with its group value.
		if (list && wish.grouping === 'none') {
			hold(list, shelf);
		}
	}

	/** The user sees these trackers until the row collapses. */
	function unfold(id: string, trackers: readonly SeenTracker[]): void {
		context.unfolded.set(id, trackers);
		trackers.forEach(({ connection, ref }) => connection.index.inUse(ref));
	}

	function group(from: SeenTracker, { isWhole }: Shelf, { key, tickets }: ShelfGroup): TreeNode {
		const parent = tracker(from.connection, from.ref);
		if (!key) {
			return parent;
		}
		const row: TreeNode = groupRow({
			key,
			count: tickets.length,
			isWhole,
			parent,
			children: (signal) => given.give(parent.id, row.id, (next) => ticketsIn(from, row, next), signal),
		});
		return row;
	}

	async function ticketsIn(
		{ connection, ref }: SeenTracker,
		row: TreeNode,
		signal: AbortSignal,
	): Promise<readonly TreeNode[]> {
		const id = trackerRowId(connection, ref);
		const { groups } = await shelves.current(id, trackerWish(context, connection, ref), signal);
		const tickets = groups.find(({ key }) => key && groupRowId(id, key) === row.id)?.tickets ?? [];
		return ticketRows(context, row, tickets, signal);
	}

	function queue(each: Queue): TreeNode {
		const row: TreeNode = queueRow({
			queue: each,
			shelf: () => shelves.last(each.id),
			problem: each.reading.kind === 'problem' ? filterProblemText(each.reading.problem) : undefined,
			children: (signal) => queueBelow(each, row, signal),
		});
		return row;
	}

	async function queueBelow(each: Queue, row: TreeNode, signal: AbortSignal): Promise<readonly TreeNode[]> {
		unfold(each.id, allTrackers(parts));
		// Load unopened trackers now; one failing tracker must not hide the others.
		await Promise.allSettled(allTrackers(parts).map(({ connection, ref }) => reads.tickets(connection, ref, signal)));
		signal.throwIfAborted();
		return given.give(each.id, each.id, (next) => ticketsOfQueue(each, row, next), signal);
	}

	async function ticketsOfQueue(each: Queue, row: TreeNode, signal: AbortSignal): Promise<readonly TreeNode[]> {
		const wish = queueWish(context, each);
		if (!wish) {
			return [];
		}
		const shelf = await shelves.current(each.id, wish, signal);
		hold(each, shelf);
		const found = shelf.groups.flatMap(({ tickets }) => tickets);
		return [
			...(await ticketRows(context, row, found, signal)),
			...uncountedRows(row, shelf.uncounted),
			...waitingRows(row, shelf.waiting, () => letIn(each.id, () => queue(each))),
		];
	}

	/** Freeze a visible list until it collapses or reloads. Wait for the load that the expansion started. */
	function hold(list: FilteredList, shelf: Shelf): void {
		const trackers = context.unfolded.get(list.id) ?? [];
		const isSettled = trackers.length > 0 && !trackers.some(({ connection, ref }) => reads.isReading(connection, ref));
		if (isSettled && context.held.hold(list, shelf)) {
			// A running computation would use the old order.
			shelves.stale((id) => id === list.id);
		}
	}

	/** Adds waiting tickets to a frozen list. */
	async function letIn(listId: string, row: () => TreeNode): Promise<void> {
		context.held.letGo((id) => id === listId);
		shelves.stale((id) => id === listId);
		context.changed.fire(row());
		await Promise.resolve();
	}

	async function ticketsBelow(
		connection: Connection,
		ref: TrackerRef,
		signal: AbortSignal,
	): Promise<readonly TreeNode[]> {
		unfold(trackerRowId(connection, ref), [{ connection, ref }]);
		await reads.tickets(connection, ref, signal);
		await counted(connection, ref, signal);
		const id = trackerRowId(connection, ref);
		return given.give(id, id, (next) => ticketsOf({ connection, ref }, next), signal);
	}

	async function ticketsOf(from: SeenTracker, signal: AbortSignal): Promise<readonly TreeNode[]> {
		const { connection, ref } = from;
		const wish = trackerWish(context, connection, ref);
		const shelf = await shelves.current(trackerRowId(connection, ref), wish, signal);
		const parent = tracker(connection, ref);
		const rows: TreeNode[] = [];
		for (const each of shelf.groups) {
			rows.push(...(each.key ? [group(from, shelf, each)] : await ticketRows(context, parent, each.tickets, signal)));
		}
		return [
			...troubleRows(connection, ref, parent),
			...rows,
			...uncountedRows(parent, shelf.uncounted),
			...waitingRows(parent, shelf.waiting, () => letIn(parent.id, () => tracker(connection, ref))),
			...restRows(parent, from, wish, shelf),
		];
	}

	function troubleRows(connection: Connection, ref: TrackerRef, parent: TreeNode): readonly TreeNode[] {
		const error = reads.trouble(connection, ref);
		return error === undefined
			? []
			: [
					noticeRow({
						id: parent.id,
						parent,
						error,
						reason: problems.explain(error).message,
						age: checkedAge([{ connection, ref }], () => clock.nowMs()),
						again: parent,
					}),
				];
	}

	async function trackersBelow(connection: Connection, signal: AbortSignal): Promise<readonly TreeNode[]> {
		const own = await reads.own(connection, signal);
		const parent = accounts.above(connection);
		switch (own.kind) {
			case 'read': {
				const { tickets } = connection;
				const refs = [
					...own.listing.items.map(({ owner, name }) => ({ owner: owner.canonicalName, name })),
					...tickets.trackers.followed.all(),
				];
				const more = tailRows({ id: connection.key, parent }, own.listing, (moreSignal) =>
					tickets.trackers.moreOwn(moreSignal),
				);
				return [...noticeRows(connection, refs), ...(await trackerRows(connection, refs, signal)), ...more];
			}
			case 'remembered':
				return [...noticeRows(connection, own.refs), ...(await trackerRows(connection, own.refs, signal))];
		}
	}

	async function trackerRows(
		connection: Connection,
		refs: readonly TrackerRef[],
		signal: AbortSignal,
	): Promise<readonly TreeNode[]> {
		const rows: TreeNode[] = [];
		for (const ref of refs) {
			await counted(connection, ref, signal);
			const id = trackerRowId(connection, ref);
			rows.push(...(await given.give(id, 'row', async () => [tracker(connection, ref)], signal)));
		}
		return rows;
	}

	/** Why an account's trackers may be older than they look. */
	function noticeRows(connection: Connection, refs: readonly TrackerRef[]): readonly TreeNode[] {
		const error = reads.trouble(connection, undefined) ?? offlineError(connection);
		const parent = accounts.above(connection);
		return error === undefined || refs.length === 0
			? []
			: [
					noticeRow({
						id: connection.key,
						parent,
						error,
						reason: problems.explain(error).message,
						age: checkedAge(
							refs.map((ref) => ({ connection, ref })),
							() => clock.nowMs(),
						),
						again: parent ?? 'forge.tickets',
					}),
				];
	}

	return {
		/** Parent row of an account's trackers; `undefined` is the root. */
		above: (connection: Connection) => accounts.above(connection),
		/** Freezes an expanded list in the shelf's order, except during a load. */
		hold,
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
				const wish = queueWish(context, each);
				if (wish) {
					await shelves.current(each.id, wish, signal);
				}
				queues.push(...(await given.give(each.id, 'row', async () => [queue(each)], signal)));
			}
			// Notices about stale data first.
			const isNotice = ({ item }: TreeNode): boolean => item.contextValue === 'notice';
			return [...below.filter(isNotice), ...queues, ...below.filter((node) => !isNotice(node))];
		},
	};
}

/** The error while background polling finds the forge unreachable. */
function offlineError({ index, instance }: Connection): ForgeError | undefined {
	return index.pause?.kind === 'offline'
		? new ForgeError({ kind: 'unreachable', reason: 'offline', host: new URL(instance.areas.todo).host })
		: undefined;
}

function ofText({ matching, known, isWhole }: Shelf): string {
	return vscode.l10n.t('{0} of {1}', countText(matching, isWhole), countText(known, isWhole));
}

interface QueueRowParts {
	readonly queue: Queue;
	/** The last filled shelf; `undefined` before the first. */
	readonly shelf: () => Shelf | undefined;
	/** Parse error of the filter as a sentence. */
	readonly problem: string | undefined;
	readonly children: NonNullable<TreeNode['children']>;
}

/** Row of a filter over all trackers. Its count is computed on each draw, as in tracker rows. */
function queueRow(parts: QueueRowParts): TreeNode {
	const { queue, problem, children } = parts;
	const name = visibleLine(queue.name);
	return {
		id: queue.id,
		get item() {
			return queueItem(parts);
		},
		parent: undefined,
		...(problem === undefined ? { children } : {}),
		subject: queue.subject,
		tooltip: () =>
			Promise.resolve(
				untrustedMarkdown([
					`**${escapeMarkdown(name)}**`,
					...[visibleLine(queue.text), placeText(queue), problem ?? ''].map(escapeMarkdown),
				]),
			),
	};
}

function queueItem({ queue, shelf, problem }: QueueRowParts): vscode.TreeItem {
	const name = visibleLine(queue.name);
	const isBroken = problem !== undefined;
	const item = new vscode.TreeItem(
		name,
		isBroken ? vscode.TreeItemCollapsibleState.None : vscode.TreeItemCollapsibleState.Collapsed,
	);
	const filled = shelf();
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
	item.accessibilityInformation = { label: [spoken(name, problem, count), ...waiting].join(', ') };
	if (isBroken) {
		item.command = { command: 'forge.filters.edit', title: vscode.l10n.t('Edit Filter…'), arguments: [queue.subject] };
	}
	return item;
}

function placeText({ subject }: Queue): string {
	if (subject.kind === 'appliedFilter') {
		return vscode.l10n.t('Applied to all trackers, not saved');
	}
	switch (subject.where) {
		case 'user':
			return vscode.l10n.t('Saved in your settings');
		case 'workspace':
			return vscode.l10n.t('Saved in the settings of this workspace');
	}
}

function spoken(name: string, problem: string | undefined, count: string | undefined): string {
	const title = vscode.l10n.t('Filter {0}', name);
	if (problem !== undefined) {
		return `${title}, ${problem}`;
	}
	return count === undefined ? title : `${title}, ${ticketsText(count)}`;
}
