import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import { tailRows } from '../../../editor/trees/pagingRows.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { ListRef } from '../../../forge/port/list.ts';
import type { Connection } from '../../../store/connection.ts';
import { isBeingRead, type ReadBefore } from '../../../store/shared/listing.ts';
import { threadsOf, threadsWithReplies, type ThreadSummary } from '../../../store/lists/listThreads.ts';
import { filterReads } from '../find/filterReads.ts';
import type { Left, ListFinder } from '../find/listFinder.ts';
import type { SeenList } from '../find/seenList.ts';
import { untoldRow } from '../find/untoldRow.ts';
import { firstLines } from '../mail/firstLines.ts';
import { emptyRow } from './listRows.ts';
import { mailRow, repeatsSubject, threadRow } from './mailRows.ts';
import { readBeforeRows } from '../../../editor/trees/noticeRow.ts';

export interface ThreadNodesParts {
	readonly clock: Clock;
	/** A failure as a sentence. */
	readonly explain: (error: unknown) => string;
	readonly finder: ListFinder;
	/** Row of all threads of a list. */
	readonly groupOf: (connection: Connection, list: ListRef) => TreeNode;
	/** Redraws all threads of a list. */
	readonly redraw: (connection: Connection, list: ListRef) => void;
}

/** Threads loaded per step for a filter that needs their mails. */
const mostRead = 25;
/** Maximum of mail rows per thread. Its page shows the rest. */
const mostMails = 1000;

/** Below the row of all threads: the loaded threads, and below each its mails. */
export function threadNodes({ clock, explain, finder, groupOf, redraw }: ThreadNodesParts) {
	const reads = filterReads(mostRead);

	/** All rows share one `parent`, because making it counts the matches of a filter. */
	function nodeOf(connection: Connection, list: ListRef, thread: ThreadSummary, parent: TreeNode): TreeNode {
		return threadRow({
			connection,
			list,
			thread,
			mark: finder.marks.thread(connection, list, thread),
			parent,
			children: (signal) => mailsBelow(connection, { list, thread }, signal),
			clock,
		});
	}

	/** True while a refresh runs. The rows redraw after it, so nothing else loads until then. */
	const isOld = ({ connection: { lists }, list }: SeenList): boolean => isBeingRead(lists.posts(list).before());

	const noticeAbove = (parent: TreeNode, before: ReadBefore | undefined): readonly TreeNode[] =>
		readBeforeRows(before, { id: parent.id, parent, clock, explain, again: parent });

	/** Matches of the filter. Loads some threads that the filter cannot decide otherwise. */
	async function leftOf(connection: Connection, list: ListRef, signal: AbortSignal): Promise<Left<ThreadSummary>> {
		const seen = { connection, list };
		const filter = finder.applied(seen);
		const { lists } = connection;
		const all = (): readonly ThreadSummary[] =>
			threadsWithReplies(lists.posts(list).known()?.items ?? [], (id) => lists.newestReply(list, id));
		const first = finder.threads(seen, filter, all());
		if (first.untold.length === 0 || isOld(seen)) {
			return first;
		}
		await reads.read(seen, first.untold, (due) => finder.readThreads(seen, due, signal));
		return finder.threads(seen, filter, all());
	}

	async function mailsBelow(
		connection: Connection,
		{ list, thread }: { readonly list: ListRef; readonly thread: ThreadSummary },
		signal: AbortSignal,
	): Promise<readonly TreeNode[]> {
		const mails = await connection.lists.thread(list, thread.id, signal);
		const [first] = mails;
		const lines = await firstLines(
			connection,
			mails.filter((mail) => repeatsSubject(mail, first)),
			signal,
		);
		const parent = nodeOf(connection, list, thread, groupOf(connection, list));
		const rows = mails
			.slice(0, mostMails)
			.map((mail) => mailRow({ connection, list, mail, firstLine: lines.get(mail.id), parent, clock }));
		const notice = noticeAbove(parent, connection.lists.threadBefore(list, thread.id));
		return mails.length > mostMails
			? [...notice, ...rows, emptyRow(parent, vscode.l10n.t('and {0} more', mails.length - mostMails))]
			: [...notice, ...rows];
	}

	return {
		async below(connection: Connection, list: ListRef, signal: AbortSignal): Promise<readonly TreeNode[]> {
			const { lists } = connection;
			const parent = groupOf(connection, list);
			const listing = await lists.postsAtOnce(list, signal);
			const threads = threadsOf(listing.items);
			const unit = threads.length === listing.items.length ? undefined : vscode.l10n.t('in messages');
			if (threads.length === 0) {
				return [emptyRow(parent, vscode.l10n.t('No messages yet'))];
			}
			if (!isOld({ connection, list })) {
				await finder.prepare(connection, signal);
			}
			const { shown, untold } = await leftOf(connection, list, signal);
			return [
				...noticeAbove(parent, lists.posts(list).before()),
				...(shown.length === 0
					? [emptyRow(parent, vscode.l10n.t('No thread matches the filter'))]
					: shown.map((thread) => nodeOf(connection, list, thread, parent))),
				...untoldRow(parent, untold.length, async (more) => {
					reads.wantMore({ connection, list }, untold);
					await leftOf(connection, list, more);
					redraw(connection, list);
				}),
				...tailRows({ id: parent.id, parent, unit }, listing, (more) => lists.posts(list).more(more)),
			];
		},
		/** Row of a changed thread, if loaded. */
		changed(connection: Connection, list: ListRef, id: number) {
			const posts = connection.lists.posts(list).known()?.items ?? [];
			const [thread] = threadsWithReplies(
				posts.filter((post) => (post.threadId ?? post.id) === id),
				() => connection.lists.newestReply(list, id),
			);
			return thread && nodeOf(connection, list, thread, groupOf(connection, list));
		},
	};
}
