import * as vscode from 'vscode';
import { showDocument } from '../../../editor/documents/showDocument.ts';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { openPerson, run } from '../../../editor/links/pageRequests.ts';
import { isTextType } from 'patchmail/mail/isTextType.ts';
import { action, itemId } from '../../../pages/protocol/pageProtocol.ts';
import { copyWish, mailPart, type MailPart } from '../../../pages/protocol/mailsProtocol.ts';
import type { Connection } from '../../../store/connection.ts';
import { safeFileName } from '../../../engine/text/fileName.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { ListsContext } from '../context/listsContext.ts';
import { attachmentUri } from '../mail/mailUri.ts';
import type { MailSubject } from '../subjects/subjects.ts';
import { webLink } from '../subjects/webLink.ts';
import { bareId } from '../subjects/words.ts';

/**
 * Requests about mails that pages may send, except loads and replies. `mailAt` rejects mails of other pages. `patchsetOf`:
 * patchset of a patch, if known.
 */
export function mailHandlers(
	context: ListsContext,
	connectionKey: string,
	mailAt: (id: number) => MailSubject,
	patchsetOf: (id: number) => number | undefined,
	signal: AbortSignal,
) {
	const connection = (): Connection => connectionOf(context.connections, { connectionKey });
	return {
		saveAttachment: action(mailPart, ({ mail, part = 0 }) => saveAttachment(connection(), mailAt(mail), part, signal)),
		openAttachment: action(mailPart, ({ mail, part = 0 }) => openAttachment(connection(), mailAt(mail), part, signal)),
		openDiff: action(mailPart, (part) =>
			run('forge.patchsets.openDiff', diffSubject(mailAt(part.mail), patchsetOf(part.mail), part)),
		),
		showRaw: action(mailPart, (part) =>
			run('forge.patchsets.showRaw', diffSubject(mailAt(part.mail), patchsetOf(part.mail), part)),
		),
		openDocument: action(itemId, (mail) => run('forge.lists.openMail', mailAt(mail))),
		openPullChanges: action(itemId, (mail) => run('forge.lists.openPullChanges', mailAt(mail))),
		copyFetchCommand: action(itemId, (mail) => run('forge.lists.copyFetchCommand', mailAt(mail))),
		fetchPull: action(itemId, (mail) => run('forge.lists.fetchPull', mailAt(mail))),
		openPerson: openPerson(connectionKey),
		copy: action(copyWish, ({ mail, what }) => {
			const copied = mailAt(mail);
			const known = { messageId: bareId(copied.messageId ?? ''), link: webLink(context.connections, copied) ?? '' };
			return vscode.env.clipboard.writeText(known[what]);
		}),
		openOnWeb: action(itemId, (mail) => run('forge.openOnWeb', mailAt(mail))),
	};
}

/** One file of a diff if the mail belongs to a patchset, else the mail. */
function diffSubject(subject: MailSubject, patchsetId: number | undefined, { mail, part }: MailPart) {
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
