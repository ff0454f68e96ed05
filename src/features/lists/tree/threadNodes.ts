import * as vscode from 'vscode';
import { tailRows } from '../../../editor/trees/pagingRows.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { isBeingRead, type ReadBefore } from '../../../store/shared/listing.ts';
import { threadsOf, threadsWithReplies, type ThreadSummary } from '../../../store/lists/listThreads.ts';
import { filteredItems } from '../find/listFilterRows.ts';
import type { Left } from '../find/listFinder.ts';
import type { SeenList } from '../find/seenList.ts';
import type { ListsDesk } from '../parts/listsDesk.ts';
import { emptyRow } from './listRows.ts';
import { mailRow, repeatsSubject, threadRow } from './mailRows.ts';
import { readBeforeRows } from '../../../editor/trees/noticeRow.ts';
import { firstLine } from '../mail/mailText.ts';

/** Threads loaded per step for a filter that needs their mails. */
const mostRead = 25;
/** Maximum of mail rows per thread. Its page shows the rest. */
const mostMails = 1000;
/** Limits for reading mails; larger threads show subjects instead. */
const mostReadMails = 100;
const longestMail = 20_000;

/**
 * Below the row of all threads: the loaded threads, and below each its mails. `groupOf`: that row. `redraw`: redraws all
 * threads of a list.
 */
export function threadNodes(parts: ListsDesk, groupOf: (seen: SeenList) => TreeNode, redraw: (seen: SeenList) => void) {
	const { clock, finder, problems } = parts;

	function nodeOf(seen: SeenList, thread: ThreadSummary, parent: TreeNode): TreeNode {
		const { connection, list } = seen;
		const { lists, texts } = connection;
		const row: TreeNode = threadRow(parts, seen, thread, parent, async (signal) => {
			const mails = await lists.thread(list, thread.id, signal);
			const repeating = mails.filter((mail) => repeatsSubject(mail, mails[0]));
			// The first lines, from loaded mails only, so the rows cost no request.
			const lines = new Map<number, string>();
			for (const { id } of repeating.slice(0, mostReadMails)) {
				const known = lists.knownMail(id);
				if (known !== undefined && known.envelope.length <= longestMail) {
					const { reading } = await texts.read(id, signal);
					const line = reading.kind === 'read' ? firstLine(reading.mail.text) : undefined;
					if (line !== undefined) {
						lines.set(id, line);
					}
				}
			}
			return [
				...noticeAbove(row, lists.threadBefore(list, thread.id)),
				...mails.slice(0, mostMails).map((mail) => mailRow(clock, seen, mail, lines.get(mail.id), row)),
				...(mails.length > mostMails ? [emptyRow(row, vscode.l10n.t('and {0} more', mails.length - mostMails))] : []),
			];
		});
		return row;
	}

	/** True while a refresh runs. The rows redraw after it, so nothing else loads until then. */
	const isOld = ({ connection: { lists }, list }: SeenList): boolean => isBeingRead(lists.posts(list).before());

	function noticeAbove(parent: TreeNode, before: ReadBefore | undefined): readonly TreeNode[] {
		const explain = (error: unknown): string => problems.explain(error).message;
		return readBeforeRows(before, { id: parent.id, parent, clock, explain, again: parent });
	}

	const filtered = filteredItems(
		mostRead,
		(seen): Left<ThreadSummary> => {
			const { list } = seen;
			const { lists } = seen.connection;
			const all = threadsWithReplies(lists.knownPosts(list), (id) => lists.newestReply(list, id));
			return finder.threads(seen, finder.applied(seen), all);
		},
		isOld,
		(seen, due, signal) => finder.readThreads(seen, due, signal),
	);

	return {
		async below(seen: SeenList, signal: AbortSignal): Promise<readonly TreeNode[]> {
			const { list } = seen;
			const { lists } = seen.connection;
			const parent = groupOf(seen);
			const listing = await lists.postsAtOnce(list, signal);
			const threads = threadsOf(listing.items);
			const unit = threads.length === listing.items.length ? undefined : vscode.l10n.t('in messages');
			if (threads.length === 0) {
				return [emptyRow(parent, vscode.l10n.t('No messages yet'))];
			}
			if (!isOld(seen)) {
				await finder.prepare(seen.connection, signal);
			}
			const { shown, untold } = await filtered.left(seen, signal);
			return [
				...noticeAbove(parent, lists.posts(list).before()),
				...(shown.length === 0
					? [emptyRow(parent, vscode.l10n.t('No thread matches the filter'))]
					: shown.map((thread) => nodeOf(seen, thread, parent))),
				...filtered.untoldRow(seen, parent, untold, redraw),
				...tailRows({ id: parent.id, parent, unit }, listing, (more) => lists.posts(list).more(more)),
			];
		},
		/** Row of a changed thread, if loaded. */
		changed(seen: SeenList, id: number) {
			const { lists } = seen.connection;
			const posts = lists.knownPosts(seen.list);
			const [thread] = threadsWithReplies(
				posts.filter((post) => (post.threadId ?? post.id) === id),
				() => lists.newestReply(seen.list, id),
			);
			return thread && nodeOf(seen, thread, groupOf(seen));
		},
	};
}
