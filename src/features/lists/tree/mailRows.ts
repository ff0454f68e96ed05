import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import { extraParagraphs, unsentMark } from '../../../editor/ask/extraFields.ts';
import type { Clock } from '../../../base/clock.ts';
import { markSentence, markText } from '../../../editor/trees/markTexts.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import type { ListRef, ShortEmail } from '../../../forge/port/list.ts';
import type { Mark } from '../../../forge/port/mark.ts';
import { subjectOfThread } from '../../../forge/port/patchSubject.ts';
import { asksForPull } from '../../../engine/series/pullRequest.ts';
import type { Connection } from '../../../store/connection.ts';
import type { MailSummary } from '../../../store/lists/mailSummary.ts';
import type { ThreadSummary } from '../../../store/lists/listThreads.ts';
import { fullTime, shortAge, spokenAge } from '../../../engine/text/age.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { Children } from './listRows.ts';
import { listRowUri } from '../marks/rowUri.ts';
import type { MailSubject } from '../subjects/subjects.ts';
import { statusLook, titleOf } from '../subjects/words.ts';

/** Opens a single mail as a document. */
export function openMailCommand(subject: MailSubject): vscode.Command {
	return { command: 'forge.lists.openMail', title: vscode.l10n.t('Open Message'), arguments: [subject] };
}

/** Opens a thread page at one of its mails. */
function openThreadCommand(subject: MailSubject): vscode.Command {
	return { command: 'forge.lists.openThread', title: vscode.l10n.t('Open Thread'), arguments: [subject] };
}

export interface ThreadRowParts {
	readonly connection: Connection;
	readonly list: ListRef;
	readonly thread: ThreadSummary;
	readonly mark: Mark | undefined;
	readonly parent: TreeNode;
	readonly children: Children;
	readonly clock: Clock;
}

export function threadRow(parts: ThreadRowParts): TreeNode {
	const { connection, list, thread, parent, children } = parts;
	const { id, latest, first } = thread;
	const mails = connection.lists.knownThread(list, id);
	const subject: MailSubject = {
		kind: 'mail',
		connectionKey: connection.key,
		list,
		id,
		messageId: first?.messageId ?? mails?.find((mail) => mail.id === id)?.messageId,
	};
	return {
		id: `${parent.id}/${id}`,
		get item() {
			return threadItem(parts, subject);
		},
		agedMs: latest.createdMs,
		parent,
		children,
		subject,
		tooltip: () => Promise.resolve(mailTooltip(first ?? latest, parts.mark)),
	};
}

function threadItem({ connection, list, thread, mark, clock }: ThreadRowParts, subject: MailSubject): vscode.TreeItem {
	const { id, latest, first } = thread;
	const title = titleOf(thread.subject);
	const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Collapsed);
	const mails = connection.lists.knownThread(list, id);
	const isTold = connection.lists.knownMail(id)?.isRequestPull;
	const isPull =
		asksForPull({ subject: thread.subject, isTold, reading: connection.texts.known(id)?.reading }) === true;
	const kind = isPull ? [vscode.l10n.t('pull request')] : patchsetText(connection, list, first);
	const facts = [
		...kind,
		...senderOf(first ?? latest),
		shortAge(latest.createdMs, clock.nowMs(), vscode.env.language),
		...(mails === undefined ? [] : [repliesText(mails.length - 1)]),
		...unsentMark(first ?? latest),
	];
	item.description = facts.join(' · ');
	item.iconPath = new vscode.ThemeIcon(isPull ? 'repo-pull' : 'comment-discussion');
	item.contextValue = rowContext('mail.thread', { pull: isPull, unread: mark !== undefined });
	item.resourceUri = listRowUri(connection.key, 'threads', { list, id });
	item.accessibilityInformation = {
		label: [
			vscode.l10n.t('Thread {0}', title),
			...(mark ? [markText(mark)] : []),
			...kind,
			...senderOf(first ?? latest),
			spokenAge(latest.createdMs, clock.nowMs(), vscode.env.language),
		].join(', '),
	};
	item.command = openThreadCommand(subject);
	return item;
}

/** Version and status of the thread's patchset, from the cache or else from its mail. */
function patchsetText({ lists }: Connection, list: ListRef, first: ShortEmail | undefined): readonly string[] {
	const id = first?.patchsetId;
	const patchset = id === undefined ? undefined : (lists.knownPatchset({ list, id }) ?? first?.patchset);
	return patchset === undefined
		? []
		: [vscode.l10n.t('Patchset v{0}: {1}', patchset.version, visibleLine(statusLook(patchset.status).text))];
}

function repliesText(count: number): string {
	return count === 0
		? vscode.l10n.t('no replies')
		: count === 1
			? vscode.l10n.t('1 reply')
			: vscode.l10n.t('{0} replies', count);
}

export interface MailRowParts {
	readonly connection: Connection;
	readonly list: ListRef;
	readonly mail: MailSummary;
	/** First line of a reply, if it says more than the subject. */
	readonly firstLine: string | undefined;
	readonly parent: TreeNode;
	readonly clock: Clock;
}

/** Row of a mail in its thread. */
export function mailRow(parts: MailRowParts): TreeNode {
	const { connection, list, mail, parent } = parts;
	const { id, messageId } = mail;
	const subject: MailSubject = { kind: 'mail', connectionKey: connection.key, list, id, messageId };
	return {
		id: `${parent.id}/${id}`,
		get item() {
			return mailItem(parts, subject);
		},
		agedMs: mail.createdMs,
		parent,
		subject,
		tooltip: () => Promise.resolve(mailTooltip(mail)),
	};
}

function mailItem({ mail, firstLine, clock }: MailRowParts, subject: MailSubject): vscode.TreeItem {
	const title = firstLine ?? titleOf(mail.subject);
	const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.None);
	const age = shortAge(mail.createdMs, clock.nowMs(), vscode.env.language);
	item.description = [...senderOf(mail), age, ...unsentMark(mail)].join(' · ');
	item.iconPath = new vscode.ThemeIcon(mail.isPatch === true ? 'diff' : 'comment');
	item.contextValue = rowContext('mail.single', {});
	item.accessibilityInformation = {
		label: [
			mail.isPatch === true ? vscode.l10n.t('Patch {0}', title) : vscode.l10n.t('Message {0}', title),
			...senderOf(mail),
			spokenAge(mail.createdMs, clock.nowMs(), vscode.env.language),
		].join(', '),
	};
	item.command = openThreadCommand(subject);
	return item;
}

/** True if a mail's subject only repeats the subject of its thread. */
export function repeatsSubject(mail: ShortEmail, thread: ShortEmail | undefined): boolean {
	return mail.id !== thread?.id && subjectOfThread(mail.subject) === subjectOfThread(thread?.subject ?? '');
}

function senderOf({ sender }: ShortEmail): readonly string[] {
	return sender ? [visibleLine(sender.canonicalName)] : [];
}

function mailTooltip(mail: ShortEmail, mark?: Mark): vscode.MarkdownString {
	return untrustedMarkdown([
		`**${escapeMarkdown(titleOf(mail.subject))}**`,
		...[
			mark ? markSentence(mark) : '',
			mail.sender
				? vscode.l10n.t('Sent by {0}', visibleLine(mail.sender.canonicalName))
				: vscode.l10n.t('Sent from an email address without an account'),
			vscode.l10n.t('Received on {0}', fullTime(mail.createdMs, vscode.env.language)),
			visibleLine(mail.messageId),
		].map(escapeMarkdown),
		...extraParagraphs(mail),
	]);
}
