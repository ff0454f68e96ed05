import * as vscode from 'vscode';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { inLanguage, mailLanguage } from '../../../editor/documents/mailLanguage.ts';
import { largestMail } from '../../../forge/largestMail.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import { mailFiles } from './mailFiles.ts';
import { mailUri, viewOfUri } from './mailUri.ts';
import { mailScheme, type MailSubject } from '../subjects/subjects.ts';
import { notify } from '../../../editor/ask/notify.ts';

/** Shows a mail as a document. */
export type OpenMail = (subject: MailSubject, signal: AbortSignal) => Promise<void>;

/** Mails as read-only documents. */
export interface MailDocuments extends vscode.FileSystemProvider, Disposable {
	readonly open: OpenMail;
}

/** Opens mails as documents; the editor asks for them again after a reload. */
export function mailDocuments(parts: ListsParts): MailDocuments {
	const owned = new Disposables();
	const ending = new AbortController();
	owned.add({ dispose: () => ending.abort() });
	owned.add(vscode.workspace.onDidOpenTextDocument((document) => void colour(document)));

	const open: OpenMail = async (subject, signal) => {
		const { lists } = connectionOf(parts.connections, subject);
		const email = await withProgress(vscode.l10n.t('Opening the message…'), signal, (working) =>
			lists.mail(subject.id, working),
		);
		const isWhole = email.envelope.length > largestMail && (await wantsWhole());
		const document = await vscode.workspace.openTextDocument(mailUri(subject, email, isWhole));
		await vscode.window.showTextDocument(await colour(document), { preview: true });
	};

	return { ...mailFiles(parts, ending.signal), open, dispose: () => owned.dispose() };
}

/** Sets the language "diff" for patches and "mail" for others, whatever the file name suggests. */
async function colour(document: vscode.TextDocument): Promise<vscode.TextDocument> {
	if (document.uri.scheme !== mailScheme) {
		return document;
	}
	const { isPatch, attachment } = viewOfUri(document.uri);
	return inLanguage(document, isPatch ? 'diff' : attachment === undefined ? mailLanguage : 'plaintext');
}

async function wantsWhole(): Promise<boolean> {
	const readIt = vscode.l10n.t('Parse Message');
	const chosen = await notify(
		'information',
		vscode.l10n.t('This message is larger than 1 MB. Parsing it may take a while; otherwise it is shown as raw text.'),
		readIt,
		vscode.l10n.t('Show Raw Message'),
	);
	return chosen === readIt;
}
