import * as vscode from 'vscode';
import { isAbort } from '../../base/abort.ts';
import { Emitter } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import { connectionRow } from '../../editor/connectionRow.ts';
import type { TreeSource } from '../../editor/feature.ts';
import { tailRows } from '../../editor/pagingRows.ts';
import type { TreeNode } from '../../editor/treeNode.ts';
import { listRefText, refOfList, type ListRef, type Patchset, type PatchsetRef } from '../../forge/list.ts';
import type { Connection } from '../../state/connection.ts';
import type { ListStoreChange } from '../../state/listStore.ts';
import { threadsOf, type ThreadGlance } from '../../state/listThreads.ts';
import type { Listing } from '../../state/listing.ts';
import { emptyRow, failedRow, groupRow, listRow, type GroupKind } from './listRows.ts';
import type { ListsParts } from './listsParts.ts';
import { mailRow, repeatsSubject, threadRow } from './mailRows.ts';
import type { FirstLines } from './firstLines.ts';
import { patchRow, patchsetRow } from './patchsetRows.ts';
import { listSubject } from './subjects.ts';

/** The Lists view: accounts when there are several, lists, their patchsets and threads, mails. */
export interface ListTree extends TreeSource, Disposable {
	/** Forgets what a row was read from, or everything, so that the redraw that follows asks the forge. */
	forget(node: TreeNode | undefined): void;
}

/** Own and subscribed lists come by themselves, others when they are followed; each list once. */
export function listTree({ connections, clock, problems }: ListsParts, firstLines: FirstLines): ListTree {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<TreeNode | undefined>());
	let watching = watch();

	function watch(): Disposables {
		const subscriptions = new Disposables();
		for (const connection of connections.all()) {
			subscriptions.add(connection.lists.onDidChange((change) => tell(connection, change)));
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
				return changed.fire(groupNode(connection, change.list, 'patchsets'));
			case 'posts':
				return changed.fire(groupNode(connection, change.list, 'threads'));
			case 'patchset': {
				const patchset = connection.lists.knownPatchset(change.patchset);
				return patchset && changed.fire(patchsetNode(connection, change.patchset, patchset));
			}
			case 'thread': {
				const posts = connection.lists.knownPosts(change.list)?.items ?? [];
				const thread = threadsOf(posts).find(({ id }) => id === change.id);
				return thread && changed.fire(threadNode(connection, change.list, thread));
			}
		}
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
			children: () => Promise.resolve([groupNode(connection, ref, 'patchsets'), groupNode(connection, ref, 'threads')]),
		});
	}

	function groupNode(connection: Connection, ref: ListRef, kind: GroupKind): TreeNode {
		const parent = listNode(connection, ref);
		return kind === 'patchsets'
			? groupRow(
					kind,
					{ parent, children: (signal) => patchsetNodes(connection, ref, signal) },
					connection.lists.knownPatchsets(ref),
				)
			: groupRow(kind, { parent, children: (signal) => threadNodes(connection, ref, signal) }, undefined);
	}

	function patchsetNode(
		connection: Connection,
		ref: PatchsetRef,
		patchset: Patchset,
		parent: TreeNode = groupNode(connection, ref.list, 'patchsets'),
	): TreeNode {
		return patchsetRow({
			connection,
			ref,
			patchset,
			parent,
			children: (signal) => patchNodes(connection, { ref, patchset }, signal),
			clock,
		});
	}

	function threadNode(
		connection: Connection,
		list: ListRef,
		thread: ThreadGlance,
		parent: TreeNode = groupNode(connection, list, 'threads'),
	): TreeNode {
		return threadRow({
			connection,
			list,
			thread,
			parent,
			children: (signal) => mailNodes(connection, { list, thread }, signal),
			clock,
		});
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
		const nodes = once(connection, [...own.items.map(refOfList), ...subscriptions.map(({ list }) => refOfList(list))]);
		return [
			...nodes,
			...(typeof subscribed === 'string'
				? [failedRow(connection, parent, subscribed)]
				: tail({ name: 'subscriptions', unit: vscode.l10n.t('subscriptions') }, subscribed, (more) =>
						lists.moreSubscriptions(more),
					)),
			...tail({ name: 'lists', unit: vscode.l10n.t('own lists') }, own, (more) => lists.moreOwnLists(more)),
		];
	}

	/** Rows of these lists and of the followed ones, each list once. */
	function once(connection: Connection, refs: readonly ListRef[]): readonly TreeNode[] {
		const all = [...refs, ...connection.lists.followedLists()];
		const byName = new Map(all.toReversed().map((ref) => [listRefText(ref).toLowerCase(), ref]));
		return all
			.filter((ref) => byName.get(listRefText(ref).toLowerCase()) === ref)
			.map((ref) => listNode(connection, ref));
	}

	async function patchsetNodes(
		connection: Connection,
		ref: ListRef,
		signal: AbortSignal,
	): Promise<readonly TreeNode[]> {
		const { lists } = connection;
		const parent = groupNode(connection, ref, 'patchsets');
		const listing = await lists.patchsets(ref, signal);
		return listing.items.length === 0
			? [emptyRow(parent, vscode.l10n.t('No patchsets yet'))]
			: [
					...listing.items.map((patchset) =>
						patchsetNode(connection, { list: ref, id: patchset.id }, patchset, parent),
					),
					...tailRows({ id: parent.id, parent }, listing, (more) => lists.morePatchsets(ref, more)),
				];
	}

	async function patchNodes(
		connection: Connection,
		{ ref, patchset }: { readonly ref: PatchsetRef; readonly patchset: Patchset },
		signal: AbortSignal,
	): Promise<readonly TreeNode[]> {
		const { cover, patches } = await connection.lists.series(ref, signal);
		const parent = patchsetNode(connection, ref, patchset);
		return [
			...(cover ? [patchRow({ connection, ref, mail: cover, parent }, true)] : []),
			...patches.map((mail) => patchRow({ connection, ref, mail, parent }, false)),
		];
	}

	async function threadNodes(connection: Connection, ref: ListRef, signal: AbortSignal): Promise<readonly TreeNode[]> {
		const { lists } = connection;
		const parent = groupNode(connection, ref, 'threads');
		const listing = await lists.posts(ref, signal);
		const threads = threadsOf(listing.items);
		const unit = threads.length === listing.items.length ? undefined : vscode.l10n.t('counted in mails');
		return threads.length === 0
			? [emptyRow(parent, vscode.l10n.t('No mails yet'))]
			: [
					...threads.map((thread) => threadNode(connection, ref, thread, parent)),
					...tailRows({ id: parent.id, parent, unit }, listing, (more) => lists.morePosts(ref, more)),
				];
	}

	async function mailNodes(
		connection: Connection,
		{ list, thread }: { readonly list: ListRef; readonly thread: ThreadGlance },
		signal: AbortSignal,
	): Promise<readonly TreeNode[]> {
		const mails = await connection.lists.thread(list, thread.id, signal);
		const [first] = mails;
		const lines = await firstLines(
			connection,
			mails.filter((mail) => repeatsSubject(mail, first)),
		);
		const parent = threadNode(connection, list, thread);
		return mails.map((mail) => mailRow({ connection, list, mail, firstLine: lines.get(mail.id), parent, clock }));
	}

	owned.add(
		connections.onDidChange(() => {
			watching.dispose();
			watching = watch();
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
		forget(node) {
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
