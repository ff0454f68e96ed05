import * as vscode from 'vscode';
import { nextTurnBy } from '../../../base/timeSlice.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import { mailParts } from './mailText.ts';
import { placeOfUri, viewOfUri, type ArchivedPlace } from './mailUri.ts';
import { visibleTextResting } from './restingText.ts';
import { textFiles } from './textFiles.ts';
import { mailSubject, type MailSubject } from '../subjects/subjects.ts';

/** Read-only file system `forge-mail:` with mails and their attachments as text. */
export function mailFiles(parts: ListsParts, signal: AbortSignal): vscode.FileSystemProvider {
	const { connections, clock } = parts;

	const shown = (text: string): Promise<string> => visibleTextResting(text, () => nextTurnBy(clock));

	async function textOf(uri: vscode.Uri): Promise<string> {
		const archived = placeOfUri(uri);
		if (archived) {
			return archivedMail(archived);
		}
		const subject = mailSubject(uri);
		if (!subject) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		const { attachment, isWhole } = viewOfUri(uri);
		return attachment === undefined ? mailOf(subject, isWhole) : attachmentOf(subject, attachment);
	}

	async function mailOf(subject: MailSubject, isWhole: boolean): Promise<string> {
		const { texts } = connectionOf(connections, subject);
		const { mail, reading } = await (isWhole ? texts.readWhole(subject.id, signal) : texts.read(subject.id, signal));
		const { head, body } = mailParts(mail, reading);
		return `${head}${await shown(body)}`;
	}

	async function archivedMail({ connectionKey, list, place }: ArchivedPlace): Promise<string> {
		const { archives } = connectionOf(connections, { connectionKey });
		const mail = await archives?.mail(list, place);
		if (!mail) {
			throw vscode.FileSystemError.Unavailable(
				vscode.l10n.t('The archive of this list is no longer on this computer. Search it again to download it.'),
			);
		}
		const { head, body } = mailParts({}, mail.reading);
		return `${head}${await shown(body)}`;
	}

	/** Accepts text types only: a binary file would be misleading as text. */
	async function attachmentOf(subject: MailSubject, index: number): Promise<string> {
		const { texts } = connectionOf(connections, subject);
		const { reading } = await texts.readWhole(subject.id, signal);
		const found = reading.kind === 'read' ? reading.mail.attachments[index] : undefined;
		const text = found?.patch ?? found?.text;
		if (text === undefined) {
			throw vscode.FileSystemError.Unavailable(vscode.l10n.t('There is no text at this URL.'));
		}
		return shown(text.replaceAll('\r\n', '\n'));
	}

	return textFiles(parts, textOf);
}
