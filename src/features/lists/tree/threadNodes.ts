import * as vscode from 'vscode';
import { tailRows } from '../../../editor/trees/pagingRows.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { isBeingRead, type ReadBefore } from '../../../store/shared/listing.ts';
import { threadsOf, threadsWithReplies, type ThreadSummary } from '../../../store/lists/listThreads.ts';
import { filteredItems } from '../find/listFilterRows.ts';
import type { Left } from '../find/listFinder.ts';
import type { AccountList } from '../find/accountList.ts';
import type { ListsContext } from '../context/listsContext.ts';
import { emptyRow, ageFact, same, shownFacts, spokenFacts, type Children } from './listRows.ts';
import { readBeforeRows } from '../../../editor/trees/noticeRow.ts';
import { firstLine } from '../mail/mailText.ts';
import { rowContext } from '../../../commands/rows.ts';
import { extraParagraphs, unsentMark } from '../../../editor/ask/extraFields.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { markSentence, markText } from '../../../editor/trees/markTexts.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import type { ShortEmail } from 'sourcehut/port/list.ts';
import type { Mark } from 'sourcehut/port/mark.ts';
import { subjectOfThread } from 'patchmail/series/patchSubject.ts';
import { asksForPull } from 'patchmail/series/pullRequest.ts';
import type { MailSummary } from '../../../store/lists/mailSummary.ts';
import { fullTime } from '../../../engine/text/age.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { listRowUri } from '../marks/listMarks.ts';
import type { MailSubject } from '../subjects/subjects.ts';
import { answersText, statusOf, titleOf, writerText } from '../subjects/words.ts';

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
export function threadNodes(
	context: ListsContext,
	groupOf: (seen: AccountList) => TreeNode,
	redraw: (seen: AccountList) => void,
) {
	const { clock, finder, problems } = context;

	function nodeOf(seen: AccountList, thread: ThreadSummary, parent: TreeNode): TreeNode {
		const { connection, list } = seen;
		const { lists, texts } = connection;
		const row: TreeNode = threadRow(context, seen, thread, parent, async (signal) => {
			const mails = await lists.thread(list, thread.id, signal);
			const [first] = mails;
			const title = subjectOfThread(first?.subject ?? '');
			const repeating = mails.filter(({ id, subject }) => id !== first?.id && subjectOfThread(subject) === title);
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
	const isOld = ({ connection: { lists }, list }: AccountList): boolean => isBeingRead(lists.posts(list).before());

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
		async below(seen: AccountList, signal: AbortSignal): Promise<readonly TreeNode[]> {
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
			const { shown, undecided } = await filtered.left(seen, signal);
			return [
				...noticeAbove(parent, lists.posts(list).before()),
				...(shown.length === 0
					? [emptyRow(parent, vscode.l10n.t('No thread matches the filter'))]
					: shown.map((thread) => nodeOf(seen, thread, parent))),
				...filtered.undecidedRow(seen, parent, undecided, redraw),
				...tailRows({ id: parent.id, parent, unit }, listing, (more) => lists.posts(list).more(more)),
			];
		},
		/** Row of a changed thread, if loaded. */
		changed(seen: AccountList, id: number) {
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

/** Opens a single mail as a document. */
export function openMailCommand(subject: MailSubject): vscode.Command {
	return { command: 'forge.lists.openMail', title: vscode.l10n.t('Open Message'), arguments: [subject] };
}

/** Opens a thread page at one of its mails. */
function openThreadCommand(subject: MailSubject): vscode.Command {
	return { command: 'forge.lists.openThread', title: vscode.l10n.t('Open Thread'), arguments: [subject] };
}

function threadRow(
	{ finder, clock }: ListsContext,
	{ connection, list }: AccountList,
	thread: ThreadSummary,
	parent: TreeNode,
	children: Children,
): TreeNode {
	const { lists, texts } = connection;
	const { id, latest, first } = thread;
	const mark = finder.marks.thread(connection, list, thread);
	const messageId = first?.messageId ?? lists.knownThread(list, id)?.find((mail) => mail.id === id)?.messageId;
	const subject: MailSubject = { kind: 'mail', connectionKey: connection.key, list, id, messageId };
	return {
		id: `${parent.id}/${id}`,
		get item() {
			const title = titleOf(thread.subject);
			const isTold = lists.knownMail(id)?.isRequestPull;
			const isPull = asksForPull({ subject: thread.subject, isTold, reading: texts.known(id)?.reading }) === true;
			// From the cache or else from its mail.
			const patchset =
				first?.patchsetId === undefined
					? undefined
					: (lists.knownPatchset({ list, id: first.patchsetId }) ?? first.patchset);
			const patchsetText = patchset && patchsetFact(patchset);
			const mails = lists.knownThread(list, id);
			const replies = mails === undefined ? undefined : mails.length - 1;
			const facts = [
				same(isPull ? vscode.l10n.t('pull request') : (patchsetText ?? '')),
				same(writerText(first ?? latest)),
				ageFact(latest.createdMs, clock),
				{
					shown: replies === 0 ? vscode.l10n.t('no replies') : replies === undefined ? '' : answersText(replies),
					spoken: '',
				},
				...unsentMark(first ?? latest).map((shown) => ({ shown, spoken: '' })),
			];
			const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Collapsed);
			item.description = shownFacts(facts);
			item.iconPath = new vscode.ThemeIcon(isPull ? 'repo-pull' : 'comment-discussion');
			item.contextValue = rowContext('mail.thread', { pull: isPull, unread: mark !== undefined });
			item.resourceUri = listRowUri(connection.key, 'threads', { list, id });
			item.accessibilityInformation = {
				label: spokenFacts([vscode.l10n.t('Thread {0}', title), mark ? markText(mark) : ''], facts),
			};
			item.command = openThreadCommand(subject);
			return item;
		},
		agedMs: latest.createdMs,
		parent,
		children,
		subject,
		tooltip: () => Promise.resolve(mailTooltip(first ?? latest, mark)),
	};
}

/** Row of a mail in its thread. `firstLine`: of a reply, if it says more than the subject. */
function mailRow(
	clock: Clock,
	{ connection, list }: AccountList,
	mail: MailSummary,
	firstLine: string | undefined,
	parent: TreeNode,
): TreeNode {
	const { id, messageId } = mail;
	const subject: MailSubject = { kind: 'mail', connectionKey: connection.key, list, id, messageId };
	return {
		id: `${parent.id}/${id}`,
		get item() {
			const title = firstLine ?? titleOf(mail.subject);
			const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.None);
			const facts = [
				same(writerText(mail)),
				ageFact(mail.createdMs, clock),
				...unsentMark(mail).map((shown) => ({ shown, spoken: '' })),
			];
			const isPatch = mail.isPatch === true;
			item.description = shownFacts(facts);
			item.iconPath = new vscode.ThemeIcon(isPatch ? 'diff' : 'comment');
			item.contextValue = rowContext('mail.single', {});
			const name = isPatch ? vscode.l10n.t('Patch {0}', title) : vscode.l10n.t('Message {0}', title);
			item.accessibilityInformation = { label: spokenFacts([name], facts) };
			item.command = openThreadCommand(subject);
			return item;
		},
		agedMs: mail.createdMs,
		parent,
		subject,
		tooltip: () => Promise.resolve(mailTooltip(mail)),
	};
}

function mailTooltip(mail: ShortEmail, mark?: Mark): vscode.MarkdownString {
	const written = visibleLine(mail.sender?.canonicalName ?? mail.from ?? '');
	return untrustedMarkdown([
		`**${escapeMarkdown(titleOf(mail.subject))}**`,
		...[
			mark ? markSentence(mark) : '',
			written !== ''
				? vscode.l10n.t('Sent by {0}', written)
				: vscode.l10n.t('Sent from an email address without an account'),
			vscode.l10n.t('Received on {0}', fullTime(mail.createdMs, vscode.env.language)),
			visibleLine(mail.messageId),
		].map(escapeMarkdown),
		...extraParagraphs(mail),
	]);
}

function patchsetFact(patchset: NonNullable<ShortEmail['patchset']>): string {
	return patchset.status === 'none'
		? vscode.l10n.t('Patchset v{0}', patchset.version)
		: vscode.l10n.t('Patchset v{0}: {1}', patchset.version, visibleLine(statusOf(patchset).text));
}
