import * as vscode from 'vscode';
import { isAbort } from '../../../base/abort.ts';
import { Emitter } from '../../../base/event.ts';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import type { ViewId } from '../../../commands/viewIds.ts';
import { onDidChoose } from '../../../editor/owned/watchedFact.ts';
import { accountRows } from '../../../editor/trees/accountRows.ts';
import { earlierNote } from '../../../editor/trees/earlierNote.ts';
import { tailRows } from '../../../editor/trees/pagingRows.ts';
import { readBeforeRows } from '../../../editor/trees/noticeRow.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { TreeSource } from '../../../editor/trees/treeSource.ts';
import { refOfList, type ListRef, listKey, type PatchsetRef } from '../../../forge/port/list.ts';
import { type Connection, watchConnections, type Connections } from '../../../store/connection.ts';
import { distinctLists } from '../../../store/lists/knownLists.ts';
import type { ListStoreChange } from '../../../store/lists/listChange.ts';
import type { ThreadRef } from '../../../store/readMarks/listReadMarks.ts';
import type { Listing } from '../../../store/shared/listing.ts';
import type { PatchsetChecks } from '../checks/patchsetChecks.ts';
import { filteredText } from '../find/filteredText.ts';
import type { ListFinder } from '../find/listFinder.ts';
import { markedLists } from '../marks/markedLists.ts';
import type { GroupKind } from '../marks/rowUri.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import type { DraftCounts } from '../parts/draftCounts.ts';
import {
	listSubject,
	mailSubject,
	patchsetSubject,
	type AllListsSubject,
	type ListSubject,
} from '../subjects/subjects.ts';
import { allLists } from './allLists.ts';
import { failedRow, groupRow, listRow } from './listRows.ts';
import { patchsetMailRows } from './patchRows.ts';
import { patchsetNodes } from './patchsetNodes.ts';
import { threadNodes } from './threadNodes.ts';

const listsView: ViewId = 'forge.lists';

/** Changes and redraws of the board of all lists come in bursts. */
const burstMs = 150;

/** The Lists view: accounts if there are several, lists, patchsets, threads, mails and patched files. */
export interface ListTree extends TreeSource, Disposable {
	/** Invalidates the data of a row, or all data, before a redraw. */
	forget(node: TreeNode | undefined): void;
	/** The place to step through from a row: the board of all lists if it has the row, else `of`. */
	placeOf(of: RowsPlace, from: TreeNode | undefined): RowsPlace;
	/** Rows of all patchsets in view order, including folded groups. */
	patchsetRows(of: RowsPlace, signal: AbortSignal): Promise<readonly TreeNode[]>;
	/** Thread rows of a list in view order. Empty before the first read, and on the board. */
	threadRows(of: RowsPlace, signal: AbortSignal): Promise<readonly TreeNode[]>;
}

/** A place with rows to step through. */
export type RowsPlace = ListSubject | AllListsSubject;

export interface ListTreeParts extends Pick<
	ListsParts,
	'connections' | 'clock' | 'problems' | 'reviews' | 'checks' | 'draftCounts'
> {
	readonly finder: ListFinder;
}

/** Shows own, subscribed and followed lists, each once. */
export function listTree({
	connections,
	clock,
	problems,
	reviews,
	checks,
	draftCounts: drafts,
	finder,
}: ListTreeParts): ListTree {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<TreeNode | undefined>());
	const accounts = accountRows(connections, (connection, signal) => listNodes(connection, signal));
	const mailRows = patchsetMailRows({ problems, reviews, clock });
	const explain = (error: unknown): string => problems.explain(error).message;
	const patchsets = patchsetNodes({
		clock,
		explain,
		mailRows,
		finder,
		checks,
		drafts,
		groupOf: (connection, list) => groupNode(connection, list, 'patchsets'),
		redraw: (connection, list) => tell(connection, { kind: 'patchsets', list }),
	});
	const threads = threadNodes({
		explain,
		clock,
		finder,
		groupOf: (connection, list) => groupNode(connection, list, 'threads'),
		redraw: (connection, list) => tell(connection, { kind: 'posts', list }),
	});
	/** Last shown lists per account. */
	const refsOf = new Map<string, readonly ListRef[]>();
	const board = allLists({
		clock,
		problems,
		finder,
		checks,
		drafts,
		mailRows,
		parentOf: (connection) => accounts.above(connection),
		listsOf: ({ key }) => refsOf.get(key) ?? [],
		redraw: (connection) => changed.fire(board.row(connection)),
		read: (connection, list) => marked.read(connection, list),
	});
	/** Accounts whose board redraws at the end of the burst: each patchset fires its own event. */
	const burst = new Set<Connection>();
	let drawing: Disposable | undefined;
	const marked = owned.add(
		markedLists({
			connections,
			clock,
			marks: finder.marks,
			isShown: ({ key }, list) => refsOf.get(key)?.some((ref) => listKey(ref) === listKey(list)) === true,
			redraw(connection, list) {
				changed.fire(listNode(connection, list));
				// The board row counts unread patchsets even while folded.
				return board.isShown(connection) ? boardChanged(connection) : changed.fire(board.row(connection));
			},
		}),
	);
	/** Marks first: redrawn rows count unread items. */
	function watch(connection: Connection): readonly Disposable[] {
		const { lists, listChoices, reviews, threadReadMarks, patchsetReadMarks, viewed } = connection;
		const looked =
			(tellOf: (ref: ThreadRef) => ListStoreChange) =>
			(refs: readonly ThreadRef[] | 'all'): void =>
				refs === 'all' ? undefined : refs.forEach((ref) => tell(connection, tellOf(ref)));
		return [
			marked.watch(connection),
			lists.onDidChange((change) => tell(connection, change)),
			lists.onDidAnswer((patchset) => {
				finder.answered(connection, patchset);
				tell(connection, { kind: 'patchset', patchset });
			}),
			onDidChoose(connection, () => changed.fire(accounts.above(connection))),
			listChoices.onDidChange((list) => changed.fire(listNode(connection, list))),
			reviews.onDidChange((ref) => tell(connection, { kind: 'patchset', patchset: ref })),
			viewed.onDidChange((ref) => tell(connection, { kind: 'patchset', patchset: ref })),
			threadReadMarks.onDidChange(looked(({ list, id }) => ({ kind: 'thread', list, id }))),
			patchsetReadMarks.onDidChange(looked((ref) => ({ kind: 'patchset', patchset: ref }))),
		];
	}

	function boardChanged(connection: Connection): void {
		if (board.isShown(connection)) {
			burst.add(connection);
			drawing ??= clock.after(burstMs, () => {
				drawing = undefined;
				const shown = [...burst].filter((each) => connections.byKey(each.key) === each);
				shown.forEach((each) => changed.fire(board.row(each)));
				burst.clear();
			});
		}
	}

	function tell(connection: Connection, change: ListStoreChange): void {
		boardChanged(connection);
		switch (change.kind) {
			case 'lists':
				return changed.fire(accounts.above(connection));
			case 'list':
				return changed.fire(listNode(connection, change.list));
			case 'patchsets':
				// The list row counts the matches of its filter.
				return changed.fire(
					isFiltered(connection, change.list)
						? listNode(connection, change.list)
						: groupNode(connection, change.list, 'patchsets'),
				);
			case 'posts':
				return changed.fire(groupNode(connection, change.list, 'threads'));
			case 'patchset': {
				const row = patchsets.changed(connection, change.patchset);
				return row === 'all'
					? tell(connection, { kind: 'patchsets', list: change.patchset.list })
					: row && changed.fire(row);
			}
			case 'thread': {
				const row = threads.changed(connection, change.list, change.id);
				return row && changed.fire(row);
			}
		}
	}

	function isFiltered(connection: Connection, list: ListRef): boolean {
		return connection.listChoices.of(list).filter !== '';
	}

	function listNode(connection: Connection, ref: ListRef): TreeNode {
		return listRow({
			connection,
			ref,
			parent: accounts.above(connection),
			filtered: filteredText(finder, { connection, list: ref }),
			unread: () => finder.marks.unread(connection, ref).things,
			children: () => Promise.resolve([groupNode(connection, ref, 'patchsets'), groupNode(connection, ref, 'threads')]),
		});
	}

	function groupNode(connection: Connection, ref: ListRef, kind: GroupKind): TreeNode {
		const parent = listNode(connection, ref);
		return groupRow(kind, {
			parent,
			children: async (signal) => {
				const rows = await (kind === 'patchsets'
					? patchsetsBelow(connection, ref, signal)
					: threads.below(connection, ref, signal));
				marked.read(connection, ref);
				return rows;
			},
			known: () => (kind === 'patchsets' ? connection.lists.patchsets(ref).known() : undefined),
			unread: () => finder.marks.unread(connection, ref)[kind],
		});
	}

	/** The first read also redraws the rows above, since they count patchsets. */
	async function patchsetsBelow(
		connection: Connection,
		ref: ListRef,
		signal: AbortSignal,
	): Promise<readonly TreeNode[]> {
		const isFirst = connection.lists.patchsets(ref).known() === undefined;
		const rows = await patchsets.below(connection, ref, signal);
		if (isFirst) {
			tell(connection, { kind: 'patchsets', list: ref });
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
		refsOf.set(connection.key, refs);
		const notice = { id: parent?.id ?? listsView, parent, clock, explain, again: listsView };
		marked.changed();
		return [
			...readBeforeRows(lists.shelf.before(), notice),
			...(refs.length > 1 ? [board.row(connection)] : []),
			...refs.map((ref) => listNode(connection, ref)),
			...(typeof subscribed === 'string'
				? [failedRow(connection, parent, subscribed)]
				: tail({ name: 'subscriptions', unit: vscode.l10n.t('subscriptions') }, subscribed, (more) =>
						lists.subscriptions.more(more),
					)),
			...tail({ name: 'lists', unit: vscode.l10n.t('own lists') }, own, (more) => lists.own.more(more)),
		];
	}

	owned.add(patchsetNews({ connections, checks, drafts }, (at, patchset) => tell(at, { kind: 'patchset', patchset })));
	owned.add(
		watchConnections(connections, watch, () => {
			marked.changed();
			changed.fire(undefined);
		}),
	);
	return {
		roots: (signal) => accounts.roots(signal),
		onDidChange: changed.event,
		note: owned.add(earlierNote(connections, ({ lists }) => lists, clock)).note,
		placeOf(of, from) {
			const { connectionKey } = of;
			const connection = connections.byKey(connectionKey);
			return connection && from && board.holds(connection, from) ? { kind: 'allLists', connectionKey } : of;
		},
		async patchsetRows(of, signal) {
			const connection = connections.byKey(of.connectionKey);
			if (!connection) {
				return [];
			}
			const rows = await (of.kind === 'allLists'
				? board.below(connection, signal)
				: patchsetsBelow(connection, of.ref, signal));
			const all = await Promise.all(
				rows.map(async (row) => (patchsetSubject(row) ? [row] : ((await row.children?.(signal)) ?? []))),
			);
			return all.flat().filter((row) => patchsetSubject(row));
		},
		async threadRows(of, signal) {
			const connection = connections.byKey(of.connectionKey);
			const isRead = connection && of.kind === 'list' && connection.lists.posts(of.ref).known() !== undefined;
			const rows = isRead ? await threads.below(connection, of.ref, signal) : [];
			return rows.filter((row) => mailSubject(row));
		},
		forget(node) {
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
			drawing?.dispose();
			owned.dispose();
		},
	};
}

/** Sources of changes beyond the store. */
interface PatchsetNewsParts {
	readonly connections: Connections;
	readonly checks: Pick<PatchsetChecks, 'onDidChange'>;
	readonly drafts: Pick<DraftCounts, 'onDidChange'>;
}

/** Notifies of rows that changed through checks or review drafts. */
function patchsetNews(
	{ connections, checks, drafts }: PatchsetNewsParts,
	tell: (connection: Connection, ref: PatchsetRef) => void,
): Disposable {
	const owned = new Disposables();
	const changed = (connectionKey: string, ref: PatchsetRef): void => {
		const connection = connections.byKey(connectionKey);
		if (connection) {
			tell(connection, ref);
		}
	};
	owned.add(checks.onDidChange(({ connectionKey, ref }) => changed(connectionKey, ref)));
	owned.add(drafts.onDidChange(({ connectionKey, ref }) => changed(connectionKey, ref)));
	return owned;
}
