import * as vscode from 'vscode';
import { showDocument } from '../../../editor/documents/showDocument.ts';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { restorePage, type PageContent, type PageLink } from '../../../editor/pages/pageHost.ts';
import { followLink, openPerson, run } from '../../../editor/links/pageRequests.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { isTextType } from 'patchmail/mail/isTextType.ts';
import { action, handler, itemId, nothing, wholeNumber } from '../../../pages/protocol/pageProtocol.ts';
import {
	type ThreadProtocol,
	copyWish,
	mailPart,
	threadLook,
	type MailPart,
} from '../../../pages/protocol/threadProtocol.ts';
import type { Connection } from '../../../store/connection.ts';
import { safeFileName } from '../../../engine/text/fileName.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { attachmentUri } from '../mail/mailUri.ts';
import type { ListsContext } from '../context/listsContext.ts';
import { mailTarget, patchsetTarget } from '../subjects/listTargets.ts';
import { rootOf } from '../subjects/mailPlaces.ts';
import { mailSubject, type MailSubject } from '../subjects/subjects.ts';
import { webLink } from '../subjects/webLink.ts';
import { bareId } from '../subjects/words.ts';
import { OpenThread } from './openThread.ts';
import { threadTitle } from './threadPublisher.ts';
import { webAddress } from 'sourcehut/web/webOf.ts';

/** Conversations as pages. */
export function threadPages(context: ListsContext) {
	/** `subject` is any mail of the conversation; the page shows it. */
	async function openAt(subject: MailSubject, signal: AbortSignal): Promise<void> {
		const connection = connectionOf(context.connections, subject);
		const id = await withProgress(vscode.l10n.t('Opening the thread…'), signal, (working) =>
			rootOf(connection, subject, working),
		);
		const first: MailSubject =
			id === subject.id ? subject : { ...subject, id, messageId: connection.lists.knownMail(id)?.messageId };
		context.pages.open(threadPage(context, first), subject.id);
	}

	async function step(way: 'next' | 'previous'): Promise<void> {
		context.pages.front<ThreadProtocol>('forge.thread')?.tell('step', way);
	}

	const commands: CommandTable = {
		'forge.lists.nextMail': () => step('next'),
		'forge.lists.previousMail': () => step('previous'),
		'forge.lists.openThread': async (subject, signal) => openAt(await mailTarget(context, subject, signal), signal),
		'forge.patchsets.openThread': async (subject, signal) => {
			const { connectionKey, ref } = await patchsetTarget(context, subject, signal);
			const { lists } = connectionOf(context.connections, { connectionKey });
			const { cover, patches } = await withProgress(vscode.l10n.t('Opening the thread…'), signal, (working) =>
				lists.series(ref, working),
			);
			const mail = cover ?? patches[0];
			if (!mail) {
				throw new ForgeError({ kind: 'notFound' });
			}
			await openAt({ kind: 'mail', connectionKey, list: ref.list, id: mail.id, messageId: mail.messageId }, signal);
		},
	};
	return {
		/** Opens the conversation of any of its mails, and shows that mail. */
		open: openAt,
		commands,
		restorePage: restorePage(mailSubject, (panel, subject) => {
			context.pages.restore(panel, threadPage(context, subject));
		}),
		dispose: () => undefined,
	};
}

/** The page of one conversation. `subject`: its first mail. */
export function threadPage(context: ListsContext, subject: MailSubject): PageContent<ThreadProtocol> {
	const { list, id } = subject;
	const lists = context.connections.byKey(subject.connectionKey)?.lists;
	const first = lists?.knownThread(list, id)?.find((mail) => mail.id === id) ?? lists?.knownMail(id);
	return {
		type: 'forge.thread',
		key: `${subject.connectionKey} ${refText(list)} ${id}`,
		title: first ? threadTitle(first) : vscode.l10n.t('Thread in {0}', visibleLine(list.name)),
		icon: 'comment-discussion',
		subject,
		script: 'thread.js',
		styles: ['page.css', 'mailText.css', 'threadPage.css'],
		keptOpenBy: ['follow', 'reply'],
		connect(link) {
			// The first mail needs no scrolling in a new page.
			const page = new OpenThread(context, subject, { ...link, entry: link.entry === id ? undefined : link.entry });
			return { handlers: threadHandlers(page, context, subject, link), start: page.live.open() };
		},
	};
}

/** Requests that the page may send. */
function threadHandlers(page: OpenThread, context: ListsContext, subject: MailSubject, link: PageLink<ThreadProtocol>) {
	const { connectionKey, list } = subject;
	const mailAt = (id: number): MailSubject => mailSubjectOf(page, subject, id);
	return {
		load: handler(wholeNumber, (number) => page.live.start(number)),
		again: action(nothing, async () => {
			await page.live.load();
			await page.live.changed();
		}),
		readAgain: action(itemId, async (mail) => {
			await page.texts().again(mail);
			await page.live.changed();
		}),
		readWhole: action(itemId, async (mail) => {
			await page.texts().readWhole(mail);
			await page.live.changed();
		}),
		keepLook: action(threadLook, (look) => context.threadLook.keep(look)),
		saveAttachment: action(mailPart, ({ mail, part = 0 }) =>
			saveAttachment(page.live.connection(), mailAt(mail), part, link.signal),
		),
		openAttachment: action(mailPart, ({ mail, part = 0 }) =>
			openAttachment(page.live.connection(), mailAt(mail), part, link.signal),
		),
		openDiff: action(mailPart, (part) => run('forge.patchsets.openDiff', diffSubject(page, subject, part))),
		showRaw: action(mailPart, (part) => run('forge.patchsets.showRaw', diffSubject(page, subject, part))),
		openDocument: action(itemId, (mail) => run('forge.lists.openMail', mailAt(mail))),
		openPullChanges: action(itemId, (mail) => run('forge.lists.openPullChanges', mailAt(mail))),
		copyFetchCommand: action(itemId, (mail) => run('forge.lists.copyFetchCommand', mailAt(mail))),
		fetchPull: action(itemId, (mail) => run('forge.lists.fetchPull', mailAt(mail))),
		openPerson: openPerson(connectionKey),
		openPatchset: action(itemId, (id) =>
			run('forge.patchsets.open', { kind: 'patchset', connectionKey, ref: { list, id } }),
		),
		copy: action(copyWish, ({ mail, what }) => {
			const copied = mailAt(mail);
			const texts = { messageId: bareId(copied.messageId ?? ''), link: webLink(context.connections, copied) ?? '' };
			return vscode.env.clipboard.writeText(texts[what]);
		}),
		openOnWeb: action(itemId, (mail) => run('forge.openOnWeb', mailAt(mail))),
		mark: action(itemId, (mail) => link.mark(mailAt(mail))),
		reply: action(itemId, (mail) => run('forge.lists.reply', mailAt(mail))),
		newMail: action(nothing, () => run('forge.lists.newMail', { kind: 'list', connectionKey, ref: list })),
		follow: followLink(
			context,
			connectionKey,
			() =>
				webLink(context.connections, subject) ??
				webAddress(page.live.connection().instance, { kind: 'list', ref: list }),
			link.signal,
		),
	};
}

/** Pages are untrusted: accepts only mails of the page's own thread. */
function mailSubjectOf(page: OpenThread, subject: MailSubject, id: number): MailSubject {
	const { connectionKey, list } = subject;
	const mail = page.live
		.connection()
		.lists.knownThread(list, subject.id)
		?.find((each) => each.id === id);
	if (!mail) {
		throw new Error(`There is no mail ${id} in the thread`);
	}
	return { kind: 'mail', connectionKey, list, id, messageId: mail.messageId };
}

/** One file of a diff if the forge assigns the mail to a patchset, else the mail. */
function diffSubject(page: OpenThread, ofThread: MailSubject, { mail, part }: MailPart) {
	const subject = mailSubjectOf(page, ofThread, mail);
	const patchsetId = page.live.connection().lists.knownMail(mail)?.patchsetId;
	const { connectionKey, list } = subject;
	return part === undefined || patchsetId === undefined
		? subject
		: { kind: 'patchFile', connectionKey, list, patchsetId, mailId: mail, fileIndex: part };
}

/** Asks for a target and writes the attachment there. Never opens or runs it. */
export async function saveAttachment(connection: Connection, subject: MailSubject, index: number, signal: AbortSignal) {
	const { name } = await attachmentAt(connection, subject, index, signal);
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	const fileName = attachmentFileName(name, index);
	const target = await vscode.window.showSaveDialog({
		title: vscode.l10n.t('Save attachment'),
		defaultUri: folder ? vscode.Uri.joinPath(folder.uri, fileName) : vscode.Uri.file(fileName),
	});
	if (!target) {
		return;
	}
	await withProgress(vscode.l10n.t('Saving the attachment…'), signal, async (working) => {
		const content = await connection.texts.attachment(subject.id, index, working);
		if (!content) {
			throw missing(index);
		}
		await vscode.workspace.fs.writeFile(target, content);
	});
	tellBriefly(vscode.l10n.t('Saved {0}', visibleLine(vscode.workspace.asRelativePath(target))));
}

/** Shows a text that came with a mail as a plain read-only document. */
export async function openAttachment(connection: Connection, subject: MailSubject, index: number, signal: AbortSignal) {
	const { name, type, patch } = await attachmentAt(connection, subject, index, signal);
	const isPatch = patch !== undefined;
	if (!isPatch && !isTextType(type)) {
		throw missing(index);
	}
	const uri = attachmentUri(subject, { index, name: name ?? attachmentFileName(name, index), isPatch });
	await showDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
}

async function attachmentAt({ texts }: Connection, subject: MailSubject, index: number, signal: AbortSignal) {
	const { reading } = await texts.read(subject.id, signal);
	const found = reading.kind === 'read' ? reading.mail.attachments[index] : undefined;
	if (!found) {
		throw missing(index);
	}
	return found;
}

function missing(index: number): Error {
	return new Error(`The mail has no attachment ${index} of this kind`);
}

/** A safe file name for an attachment: never a path, a device name, hidden or empty. */
export function attachmentFileName(name: string | undefined, index: number): string {
	return safeFileName(name ?? '', `attachment-${index + 1}`);
}
