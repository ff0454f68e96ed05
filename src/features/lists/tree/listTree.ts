import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import type { ViewId } from '../../../commands/viewIds.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { onDidChoose } from '../../../editor/owned/watchedFact.ts';
import { accountRows } from '../../../editor/trees/accountRows.ts';
import { earlierNote } from '../../../editor/trees/earlierNote.ts';
import { tailRows } from '../../../editor/trees/pagingRows.ts';
import { readBeforeRows } from '../../../editor/trees/noticeRow.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { refOfList, type ListRef, listKey, type PatchsetRef } from 'sourcehut/port/list.ts';
import { type Connection, watchConnections } from '../../../store/connection.ts';
import { distinctLists, knownLists } from '../../../store/lists/knownLists.ts';
import type { ListStoreChange } from '../../../store/lists/listChange.ts';
import type { ThreadRef } from '../../../store/readMarks/storedReadMarks.ts';
import type { Listing } from '../../../store/shared/listing.ts';
import type { AccountList } from '../find/accountList.ts';
import { type GroupKind, listRowScheme } from '../marks/listMarks.ts';
import type { ListsContext } from '../context/listsContext.ts';
import {
	listSubject,
	mailSubject,
	patchsetSubject,
	type AllListsSubject,
	type ListSubject,
} from '../subjects/subjects.ts';
import { allLists } from './allLists.ts';
import { failedRow, groupRow, listRow } from './listRows.ts';
import { patchsetNodes } from './patchsetRows.ts';
import { threadNodes } from './threadNodes.ts';
import { nextTurnBy } from '@forge-desk/base/timeSlice.ts';
import { unreadMarks } from '../../../editor/trees/unreadMarks.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Mark } from 'sourcehut/port/mark.ts';
import { visibleLine } from '../../../engine/text/visible.ts';

const listsView: ViewId = 'forge.lists';

/** A place with rows to step through. */
export type RowsPlace = ListSubject | AllListsSubject;

export type ListTree = ReturnType<typeof listTree>;

/**
 * The Lists view: accounts if there are several, lists, patchsets, threads, mails and patched files. Shows own,
 * subscribed and followed lists, each once.
 */
export function listTree(context: ListsContext) {
	const { connections, clock, problems, checks, draftCounts, finder } = context;
	const owned = new Disposables();
	const changed = owned.add(new Emitter<TreeNode | undefined>());
	const opened = owned.add(new Emitter<TreeNode>());
	const accounts = accountRows(
		connections,
		(connection, signal) => listNodes(connection, signal),
		({ key, instance: { archiveUrl }, lists }) =>
			archiveUrl !== undefined && lists.followed.all().length === 0 && !visited.has(key),
	);
	const explain = (error: unknown): string => problems.explain(error).message;
	const patchsets = patchsetNodes(
		context,
		(seen) => groupNode(seen, 'patchsets'),
		({ connection, list }) => publish(connection, { kind: 'patchsets', list }),
	);
	const threads = threadNodes(
		context,
		(seen) => groupNode(seen, 'threads'),
		({ connection, list }) => publish(connection, { kind: 'posts', list }),
	);
	/** Last shown lists per account. */
	const refsOf = new Map<string, readonly ListRef[]>();
	/** Lists that the user went to without following them, per account. They stay until the window reloads. */
	const visited = new Map<string, readonly ListRef[]>();
	const board = allLists(
		context,
		(connection) => accounts.above(connection),
		({ key }) => refsOf.get(key) ?? [],
		(connection) => changed.fire(board.row(connection)),
		(seen) => marked.read(seen),
	);
	const marked = owned.add(
		markedLists(
			context,
			({ connection: { key }, list }) =>
				[refsOf, visited].some((lists) => lists.get(key)?.some((ref) => listKey(ref) === listKey(list))),
			(seen) => {
				changed.fire(listNode(seen));
				// The board row counts unread patchsets even while folded.
				if (!board.isShown(seen.connection)) {
					changed.fire(board.row(seen.connection));
				}
			},
			(connection) => (board.isShown(connection) ? changed.fire(board.row(connection)) : undefined),
		),
	);
	/** Marks first: redrawn rows count unread items. */
	function publish(connection: Connection, change: ListStoreChange): void {
		if (change.kind === 'lists') {
			marked.touched(connection, undefined);
			return changed.fire(accounts.changed(connection));
		}
		const list = change.kind === 'patchset' ? change.patchset.list : change.list;
		const seen = { connection, list };
		marked.touched(connection, list);
		switch (change.kind) {
			case 'list':
				return changed.fire(listNode(seen));
			case 'patchsets':
				return patchsetsChanged(seen);
			case 'posts':
				return changed.fire(groupNode(seen, 'threads'));
			case 'patchset': {
				const row = patchsets.changed(connection, change.patchset);
				return row === 'all' ? patchsetsChanged(seen) : row && changed.fire(row);
			}
			case 'thread': {
				const row = threads.changed(seen, change.id);
				return row && changed.fire(row);
			}
		}
	}

	/** The list row counts the matches of its filter. */
	function patchsetsChanged(seen: AccountList): void {
		const isFiltered = seen.connection.listChoices.of(seen.list).filter !== '';
		changed.fire(isFiltered ? listNode(seen) : groupNode(seen, 'patchsets'));
	}

	/** A check or a review draft changed. */
	function factsChanged(connectionKey: string, patchset: PatchsetRef): void {
		const connection = connections.byKey(connectionKey);
		if (connection) {
			publish(connection, { kind: 'patchset', patchset });
		}
	}

	function listNode(seen: AccountList): TreeNode {
		return listRow(finder, seen, accounts.above(seen.connection), async () => [
			groupNode(seen, 'patchsets'),
			groupNode(seen, 'threads'),
		]);
	}

	function groupNode(seen: AccountList, kind: GroupKind): TreeNode {
		return groupRow(finder, seen, kind, listNode(seen), async (signal) => {
			const rows = await (kind === 'patchsets' ? patchsetsBelow(seen, signal) : threads.below(seen, signal));
			marked.read(seen);
			return rows;
		});
	}

	/** The first read also redraws the rows above, since they count patchsets. */
	async function patchsetsBelow(seen: AccountList, signal: AbortSignal): Promise<readonly TreeNode[]> {
		const isFirst = seen.connection.lists.patchsets(seen.list).known() === undefined;
		const rows = await patchsets.below(seen, signal);
		if (isFirst) {
			publish(seen.connection, { kind: 'patchsets', list: seen.list });
		}
		return rows;
	}

	async function listNodes(connection: Connection, signal: AbortSignal): Promise<readonly TreeNode[]> {
		const { lists } = connection;
		const [own, subscribed] = await Promise.all([
			lists.own.cached(signal),
			lists.subscriptions.cached(signal).catch((error: unknown) => {
				if (isAbort(error)) {
					throw error;
				}
				problems.log(error);
				return explain(error);
			}),
		]);
		const parent = accounts.above(connection);
		const tail = (
			{ name, unit }: { readonly name: string; readonly unit: string },
			listing: Listing<unknown>,
			readOn: (more: AbortSignal) => Promise<unknown>,
		): readonly TreeNode[] => tailRows({ id: `${connection.key}/${name}`, parent, unit }, listing, readOn);
		const refs = distinctLists([
			...own.items.map(refOfList),
			...(typeof subscribed === 'string' ? [] : subscribed.items.map(({ list }) => refOfList(list))),
			...lists.followed.all(),
		]);
		const others = distinctLists([...refs, ...(visited.get(connection.key) ?? [])]).slice(refs.length);
		refsOf.set(connection.key, refs);
		void (others.length > 0 ? visited.set(connection.key, others) : visited.delete(connection.key));
		const notice = { id: parent?.id ?? listsView, parent, clock, explain, again: listsView };
		marked.changed();
		return [
			...readBeforeRows(lists.collection.oldest(), notice),
			...(refs.length > 1 ? [board.row(connection)] : []),
			...[...refs, ...others].map((list) => listNode({ connection, list })),
			...(typeof subscribed === 'string'
				? [failedRow(connection, parent, subscribed)]
				: tail({ name: 'subscriptions', unit: vscode.l10n.t('subscriptions') }, subscribed, (more) =>
						lists.subscriptions.more(more),
					)),
			...tail({ name: 'lists', unit: vscode.l10n.t('own lists') }, own, (more) => lists.own.more(more)),
		];
	}

	owned.add(checks.onDidChange(({ connectionKey, ref }) => factsChanged(connectionKey, ref)));
	owned.add(draftCounts.onDidChange(({ connectionKey, ref }) => factsChanged(connectionKey, ref)));

	owned.add(
		watchConnections(
			connections,
			(connection) => {
				const { lists, mailOutbox, listChoices, snoozes, reviews, threadReadMarks, patchsetReadMarks, viewed } =
					connection;
				const looked =
					(tellOf: (ref: ThreadRef) => ListStoreChange) =>
					(refs: readonly ThreadRef[] | 'all'): void =>
						refs === 'all'
							? marked.touched(connection, undefined)
							: refs.forEach((ref) => publish(connection, tellOf(ref)));
				const queued = (): readonly PatchsetRef[] =>
					mailOutbox.shown().flatMap(({ of }) => (of.kind === 'review' ? [of.ref] : []));
				let inOutbox = queued();
				return [
					mailOutbox.onDidChange(() => {
						const before = inOutbox;
						inOutbox = queued();
						[...before, ...inOutbox].forEach((patchset) => publish(connection, { kind: 'patchset', patchset }));
					}),
					lists.onDidChange((change) => publish(connection, change)),
					lists.onDidAnswer((patchset) => {
						finder.answered(connection, patchset);
						publish(connection, { kind: 'patchset', patchset });
					}),
					onDidChoose(connection, () => changed.fire(accounts.above(connection))),
					listChoices.onDidChange((list) => changed.fire(listNode({ connection, list }))),
					snoozes.onDidChange((patchset) => publish(connection, { kind: 'patchset', patchset })),
					reviews.onDidChange((patchset) => publish(connection, { kind: 'patchset', patchset })),
					viewed.onDidChange((patchset) => publish(connection, { kind: 'patchset', patchset })),
					threadReadMarks.onDidChange(looked(({ list, id }) => ({ kind: 'thread', list, id }))),
					patchsetReadMarks.onDidChange(looked((patchset) => ({ kind: 'patchset', patchset }))),
				];
			},
			() => {
				marked.changed();
				changed.fire(undefined);
			},
		),
	);
	return {
		roots: (signal: AbortSignal) => accounts.roots(signal),
		onDidChange: changed.event,
		onDidOpen: opened.event,
		note: owned.add(earlierNote(connections, ({ lists }) => lists, clock)).note,
		/** Unfolds and focuses a list. One that the account has no tie to gets a row, if the forge has it. */
		async show({ connectionKey, ref }: ListSubject, signal: AbortSignal): Promise<void> {
			const connection = connectionOf(connections, { connectionKey });
			const { lists } = connection;
			const title = vscode.l10n.t('Searching for {0}…', visibleLine(refText(ref)));
			const list = await withProgress(title, signal, async (working) => {
				const tied = (await knownLists(lists.collection, working)).lists;
				return tied.find((other) => listKey(other) === listKey(ref)) ?? refOfList(await lists.list(ref, working));
			});
			const shown = [...(refsOf.get(connectionKey) ?? []), ...(visited.get(connectionKey) ?? [])];
			if (!shown.some((other) => listKey(other) === listKey(list))) {
				visited.set(connectionKey, [...(visited.get(connectionKey) ?? []), list]);
				changed.fire(accounts.changed(connection));
			}
			opened.fire(listNode({ connection, list }));
		},
		/** The place to step through from a row: the board of all lists if it has the row, else `of`. */
		placeOf(of: RowsPlace, from: TreeNode | undefined): RowsPlace {
			const { connectionKey } = of;
			const connection = connections.byKey(connectionKey);
			return connection && from && board.holds(connection, from) ? { kind: 'allLists', connectionKey } : of;
		},
		/** Rows of all patchsets in view order, including folded groups. */
		async patchsetRows(of: RowsPlace, signal: AbortSignal): Promise<readonly TreeNode[]> {
			const connection = connections.byKey(of.connectionKey);
			if (!connection) {
				return [];
			}
			const rows = await (of.kind === 'allLists'
				? board.below(connection, signal)
				: patchsetsBelow({ connection, list: of.ref }, signal));
			const all = await Promise.all(
				rows.map(async (row) => (patchsetSubject(row) ? [row] : ((await row.children?.(signal)) ?? []))),
			);
			return all.flat().filter((row) => patchsetSubject(row));
		},
		/** Thread rows of a list in view order. Empty before the first read, and on the board. */
		async threadRows(of: RowsPlace, signal: AbortSignal): Promise<readonly TreeNode[]> {
			const connection = connections.byKey(of.connectionKey);
			const isRead = connection && of.kind === 'list' && connection.lists.posts(of.ref).known() !== undefined;
			const rows = isRead ? await threads.below({ connection, list: of.ref }, signal) : [];
			return rows.filter((row) => mailSubject(row));
		},
		/** Invalidates the data of a row, or all data, before a redraw. */
		forget(node: TreeNode | undefined): void {
			finder.lookAnew();
			if (!node) {
				return connections.all().forEach(({ lists }) => lists.forget());
			}
			const all = connections.all().find((connection) => node.id === board.row(connection).id);
			if (all) {
				return refsOf.get(all.key)?.forEach((ref) => all.lists.forget(ref));
			}
			// Data below patchsets and threads is immutable or not cached.
			const list = listSubject(node);
			connections.byKey(list?.connectionKey ?? '')?.lists.forget(list?.ref);
		},
		dispose() {
			owned.dispose();
		},
	};
}

/** Events arrive in bursts, one per mail and patchset. */
const burstMs = 150;

/**
 * Recounts unread items of loaded lists after each burst of changes, and redraws changed lists. `isShown`: the view
 * contains the list; other lists have no unread count. `redraw`: redraws a list and its rows. `redrawBoard`: redraws
 * the board of all lists if it was ever unfolded, once for each burst.
 */
function markedLists(
	{ connections, clock, finder: { marks } }: ListsContext,
	isShown: (seen: AccountList) => boolean,
	redraw: (seen: AccountList) => void,
	redrawBoard: (connection: Connection) => void,
) {
	const dots = unreadMarks(listRowScheme);
	/** Unread items at the last redraw, by list. */
	const signs = new Map<string, { readonly connectionKey: string; readonly list: ListRef; readonly sign: string }>();
	/** Accounts with changes since the last burst. */
	const touchedAccounts = new Set<Connection>();
	/** Pending or running recount. */
	let burst: Disposable | undefined;
	let isChanged = false;
	let hasEnded = false;

	/** List by list, with a rest between: thousands of rows would hold the extension host for longer than a frame. */
	async function settle(): Promise<void> {
		isChanged = false;
		const accounts = [...touchedAccounts].filter((each) => connections.byKey(each.key) === each);
		touchedAccounts.clear();
		accounts.forEach(redrawBoard);
		const all = new Map<string, Mark>();
		let isFirst = true;
		for (const [name, { connectionKey, list, sign }] of signs) {
			if (!isFirst) {
				await nextTurnBy(clock);
			}
			if (hasEnded) {
				return;
			}
			isFirst = false;
			const connection = connections.byKey(connectionKey);
			if (!connection) {
				signs.delete(name);
				continue;
			}
			if (!isShown({ connection, list })) {
				continue;
			}
			const { patchsets, threads } = marks.unread(connection, list);
			const rows = [...patchsets, ...threads];
			rows.forEach(([row, mark]) => all.set(row, mark));
			const now = JSON.stringify(rows);
			if (now !== sign) {
				signs.set(name, { connectionKey, list, sign: now });
				redraw({ connection, list });
				touchedAccounts.add(connection);
				isChanged = true;
			}
		}
		dots.show(all);
		// Changes during the recount start the next one.
		burst = undefined;
		if (isChanged) {
			changed();
		}
	}

	function changed(): void {
		isChanged = true;
		burst ??= clock.after(burstMs, () => void settle());
	}

	return {
		/** Call after a load of a list's patchsets or threads. */
		read({ connection, list }: AccountList) {
			marks.see(connection, list);
			const name = `${connection.key} ${refText(list).toLowerCase()}`;
			if (!signs.has(name)) {
				signs.set(name, { connectionKey: connection.key, list, sign: '[]' });
			}
			changed();
		},
		/** News or read marks of a list, or of all lists of an account. */
		touched(connection: Connection, list: ListRef | undefined) {
			marks.changed(connection, list);
			touchedAccounts.add(connection);
			changed();
		},
		/** Accounts or lists came or went. */
		changed,
		dispose() {
			hasEnded = true;
			burst?.dispose();
			dots.dispose();
		},
	};
}
