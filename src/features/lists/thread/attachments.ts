import * as vscode from 'vscode';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { isTextType } from '../../../mail/isTextType.ts';
import type { MailAttachment } from '../../../mail/readableMail.ts';
import type { Connection } from '../../../state/connection.ts';
import { visibleLine } from '../../../text/visible.ts';
import { attachmentFileName } from '../mail/mailAttachments.ts';
import { attachmentUri } from '../mail/mailUri.ts';
import type { MailSubject } from '../subjects/subjects.ts';

/** One attachment of a mail, by its place. */
export interface AttachmentPlace {
	readonly subject: MailSubject;
	readonly index: number;
}

/** Asks for a target and writes the attachment there. Never opens or runs it. */
export async function saveAttachment(
	connection: Connection,
	{ subject, index }: AttachmentPlace,
	signal: AbortSignal,
): Promise<void> {
	const { name } = await attachmentAt(connection, { subject, index }, signal);
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
export async function openAttachment(
	connection: Connection,
	{ subject, index }: AttachmentPlace,
	signal: AbortSignal,
): Promise<void> {
	const { name, type, patch } = await attachmentAt(connection, { subject, index }, signal);
	const isPatch = patch !== undefined;
	if (!isPatch && !isTextType(type)) {
		throw missing(index);
	}
	const uri = attachmentUri(subject, { index, name: name ?? attachmentFileName(name, index), isPatch });
	await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
}

async function attachmentAt(
	{ texts }: Connection,
	{ subject, index }: AttachmentPlace,
	signal: AbortSignal,
): Promise<MailAttachment> {
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
