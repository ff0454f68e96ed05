import * as vscode from 'vscode';
import { isAbort } from '../../base/abort.ts';
import { Emitter } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import { connectionRow } from '../../editor/connectionRow.ts';
import type { TreeSource } from '../../editor/feature.ts';
import { tailRows } from '../../editor/pagingRows.ts';
import type { TreeNode } from '../../editor/treeNode.ts';
import type { BadgedView } from '../../editor/unreadMarks.ts';
import { refOfList, type ListRef } from '../../forge/list.ts';
import type { Connection } from '../../state/connection.ts';
import { distinctLists } from '../../state/knownLists.ts';
import type { Listing } from '../../state/listing.ts';
import type { ThreadRef } from '../../state/listLooks.ts';
import type { ListStoreChange } from '../../state/listStore.ts';
import { filteredText } from './find/filteredText.ts';
import type { ListFinder } from './find/listFinder.ts';
import { failedRow, groupRow, listRow, type GroupKind } from './listRows.ts';
import type { ListsParts } from './listsParts.ts';
import { patchsetNodes } from './patchsetNodes.ts';
import { markedLists } from './marks/markedLists.ts';
import { listSubject, mailSubject, patchsetSubject, type ListSubject } from './subjects.ts';
import { threadNodes } from './threadNodes.ts';

/** The Lists view: accounts when there are several, lists, their patchsets and threads, mails, files of patches. */
export interface ListTree extends TreeSource, Disposable {
	/** Forgets what a row was read from, or everything, so that the redraw that follows asks the forge. */
	forget(node: TreeNode | undefined): void;
	/** The rows of all patchsets of a list in the order in which they are shown, folded groups included. */
	patchsetRows(of: ListSubject, signal: AbortSignal): Promise<readonly TreeNode[]>;
	/** The rows of the conversations of a list in that order; none while they were not read. */
	threadRows(of: ListSubject, signal: AbortSignal): Promise<readonly TreeNode[]>;
}

/** What the view is made of. */
export interface ListTreeParts extends Pick<ListsParts, 'connections' | 'clock' | 'problems'> {
	readonly finder: ListFinder;
	readonly view: BadgedView;
}

/** Own and subscribed lists come by themselves, others when they are followed; each list once. */
export function listTree({ connections, clock, problems, finder, view }: ListTreeParts): ListTree {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<TreeNode | undefined>());
	const patchsets = patchsetNodes({
		clock,
		problems,
		finder,
		groupOf: (connection, list) => groupNode(connection, list, 'patchsets'),
		redraw: (connection, list) => tell(connection, { kind: 'patchsets', list }),
	});
	const threads = threadNodes({
		explain: (error) => problems.explain(error).message,
		clock,
		finder,
		groupOf: (connection, list) => groupNode(connection, list, 'threads'),
		redraw: (connection, list) => tell(connection, { kind: 'posts', list }),
	});
	const marked = owned.add(
		markedLists({
			connections,
			clock,
			marks: finder.marks,
			view,
			redraw: (connection, list) => changed.fire(listNode(connection, list)),
		}),
	);
	let watching = watch();

	function watch(): Disposables {
		const subscriptions = new Disposables();
		for (const connection of connections.all()) {
			const { lists, listChoices, standings, threadLooks, patchsetLooks } = connection;
			subscriptions.add(lists.onDidChange((change) => tell(connection, change)));
			subscriptions.add(listChoices.onDidChange((list) => changed.fire(listNode(connection, list))));
			subscriptions.add(standings.onDidChange((ref) => tell(connection, { kind: 'patchset', patchset: ref })));
			for (const news of [lists, standings, threadLooks, patchsetLooks]) {
				subscriptions.add(news.onDidChange(() => marked.changed()));
			}
			const looked =
				(tellOf: (ref: ThreadRef) => ListStoreChange) =>
				(refs: readonly ThreadRef[] | 'all'): void =>
					refs === 'all' ? undefined : refs.forEach((ref) => tell(connection, tellOf(ref)));
			subscriptions.add(threadLooks.onDidChange(looked(({ list, id }) => ({ kind: 'thread', list, id }))));
			subscriptions.add(patchsetLooks.onDidChange(looked((ref) => ({ kind: 'patchset', patchset: ref }))));
		}
		return subscriptions;
	}

	function tell(connection: Connection, change: ListStoreChange): void {
		switch (change.kind) {
			case 'lists':
				return changed.fire(parentOf(connection));
			case 'list':
				return changed.fire(listNode(connection, change.list));
			case 'patchsets':
				// The row of the list counts what its filter leaves.
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

	function parentOf(connection: Connection): TreeNode | undefined {
		return connections.all().length > 1
			? connectionRow(connection, (signal) => listNodes(connection, signal))
			: undefined;
	}

	function listNode(connection: Connection, ref: ListRef): TreeNode {
		return listRow({
			connection,
			ref,
			parent: parentOf(connection),
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
			known: kind === 'patchsets' ? connection.lists.knownPatchsets(ref) : undefined,
			unread: () => finder.marks.unread(connection, ref)[kind],
		});
	}

	/** The row of the list counts what its filter leaves, which is known once the patchsets are. */
	async function patchsetsBelow(
		connection: Connection,
		ref: ListRef,
		signal: AbortSignal,
	): Promise<readonly TreeNode[]> {
		const isFirst = connection.lists.knownPatchsets(ref) === undefined;
		const rows = await patchsets.below(connection, ref, signal);
		if (isFirst && isFiltered(connection, ref)) {
			changed.fire(listNode(connection, ref));
		}
		return rows;
	}

	async function listNodes(connection: Connection, signal: AbortSignal): Promise<readonly TreeNode[]> {
		const { lists } = connection;
		const [own, subscribed] = await Promise.all([
			lists.ownLists(signal),
			lists.subscriptions(signal).catch((error: unknown) => {
				if (isAbort(error)) {
					throw error;
				}
				problems.log(error);
				return problems.explain(error).message;
			}),
		]);
		const subscriptions = typeof subscribed === 'string' ? [] : subscribed.items;
		const parent = parentOf(connection);
		const tail = (
			{ name, unit }: { readonly name: string; readonly unit: string },
			listing: Listing<unknown>,
			readOn: (more: AbortSignal) => Promise<unknown>,
		): readonly TreeNode[] => tailRows({ id: `${connection.key}/${name}`, parent, unit }, listing, readOn);
		const refs = distinctLists([
			...own.items.map(refOfList),
			...subscriptions.map(({ list }) => refOfList(list)),
			...lists.followedLists(),
		]);
		return [
			...refs.map((ref) => listNode(connection, ref)),
			...(typeof subscribed === 'string'
				? [failedRow(connection, parent, subscribed)]
				: tail({ name: 'subscriptions', unit: vscode.l10n.t('subscriptions') }, subscribed, (more) =>
						lists.moreSubscriptions(more),
					)),
			...tail({ name: 'lists', unit: vscode.l10n.t('own lists') }, own, (more) => lists.moreOwnLists(more)),
		];
	}

	owned.add(
		connections.onDidChange(() => {
			watching.dispose();
			watching = watch();
			marked.changed();
			changed.fire(undefined);
		}),
	);
	return {
		async roots(signal) {
			const all = connections.all();
			const [only] = all;
			return all.length === 1 && only
				? listNodes(only, signal)
				: all.map((connection) => connectionRow(connection, (below) => listNodes(connection, below)));
		},
		onDidChange: changed.event,
		async patchsetRows({ connectionKey, ref }, signal) {
			const connection = connections.byKey(connectionKey);
			const rows = connection ? await patchsetsBelow(connection, ref, signal) : [];
			const all = await Promise.all(
				rows.map(async (row) => (patchsetSubject(row) ? [row] : ((await row.children?.(signal)) ?? []))),
			);
			return all.flat().filter((row) => patchsetSubject(row));
		},
		async threadRows({ connectionKey, ref }, signal) {
			const connection = connections.byKey(connectionKey);
			const rows = connection?.lists.knownPosts(ref) ? await threads.below(connection, ref, signal) : [];
			return rows.filter((row) => mailSubject(row));
		},
		forget(node) {
			finder.lookAnew();
			if (!node) {
				return connections.all().forEach(({ lists }) => lists.forget());
			}
			// What hangs below patchsets and threads is either known for good or was not kept.
			const list = listSubject(node);
			connections.byKey(list?.connectionKey ?? '')?.lists.forget(list?.ref);
		},
		dispose() {
			watching.dispose();
			owned.dispose();
		},
	};
}
