import * as vscode from 'vscode';
import { isAbort } from '../../base/abort.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import { withProgress } from '../../editor/progress.ts';
import { connectionOf } from '../../editor/subjects.ts';
import { largestMail } from '../../forge/largestMail.ts';
import type { OpenMail } from './listCommands.ts';
import type { ListsParts } from './listsParts.ts';
import { mailText } from './mailText.ts';
import { mailUri, viewOfUri } from './mailUri.ts';
import { mailScheme, mailSubject } from './subjects.ts';
import { notify } from '../../editor/notify.ts';

/** Mails as read-only documents. */
export interface MailDocuments extends vscode.TextDocumentContentProvider, Disposable {
	readonly open: OpenMail;
}

/** Opens mails, and fills the documents of those that the editor kept over a reload. */
export function mailDocuments(parts: ListsParts): MailDocuments {
	const owned = new Disposables();
	owned.add(vscode.workspace.onDidOpenTextDocument((document) => void colour(document)));

	async function textOf(uri: vscode.Uri, signal: AbortSignal): Promise<string> {
		await parts.ready();
		const subject = mailSubject(uri);
		if (!subject) {
			return vscode.l10n.t('There is no mail at this address.');
		}
		const email = await connectionOf(parts.connections, subject).lists.mail(subject.id, signal);
		return mailText(email, await parts.mailReader.readMail(email.envelope, { evenIfLarge: viewOfUri(uri).isWhole }));
	}

	const open: OpenMail = async (subject, signal) => {
		const { lists } = connectionOf(parts.connections, subject);
		const email = await withProgress(vscode.l10n.t('Opening the mail…'), signal, (working) =>
			lists.mail(subject.id, working),
		);
		const isWhole = email.envelope.length > largestMail && (await wantsWhole());
		const document = await vscode.workspace.openTextDocument(mailUri(subject, email, isWhole));
		await vscode.window.showTextDocument(await colour(document), { preview: true });
	};

	return {
		open,
		async provideTextDocumentContent(uri, token) {
			const abort = new AbortController();
			const cancelling = token.onCancellationRequested(() => abort.abort());
			try {
				return await textOf(uri, abort.signal);
			} catch (error) {
				parts.problems.log(error);
				// The document is there already, so its text says why there is nothing else in it.
				return isAbort(error) ? '' : parts.problems.explain(error).message;
			} finally {
				cancelling.dispose();
			}
		},
		dispose: () => owned.dispose(),
	};
}

/** Gives a mail the colours of a diff when it is a patch, and none when it is not, whatever its subject looks like. */
async function colour(document: vscode.TextDocument): Promise<vscode.TextDocument> {
	if (document.uri.scheme !== mailScheme) {
		return document;
	}
	const language = viewOfUri(document.uri).isPatch ? 'diff' : 'plaintext';
	return document.languageId === language ? document : vscode.languages.setTextDocumentLanguage(document, language);
}

async function wantsWhole(): Promise<boolean> {
	const readIt = vscode.l10n.t('Read It');
	const chosen = await notify(
		'information',
		vscode.l10n.t('This mail is larger than 1 MB. Reading it may take a while; otherwise it is shown as it came.'),
		readIt,
		vscode.l10n.t('Show As It Came'),
	);
	return chosen === readIt;
}
