import * as vscode from 'vscode';
import { showDocument } from '../../../editor/documents/showDocument.ts';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { nextTurnBy } from '@forge-desk/base/timeSlice.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { inLanguage, mailLanguage } from '../../../editor/documents/mailDrafts.ts';
import { largestMail } from 'patchmail/mail/largestMail.ts';
import { onlySender } from 'patchmail/mail/onlySender.ts';
import type { MailReading } from 'patchmail/mail/readableMail.ts';
import type { ListsContext } from '../context/listsContext.ts';
import { mailScheme, type MailSubject, mailSubject } from '../subjects/subjects.ts';
import { attestationTexts } from './attestationTexts.ts';
import { mailParts } from './mailText.ts';
import { mailUri, viewOfUri, placeOfUri } from './mailUri.ts';
import { textFiles } from './textFiles.ts';
import { visibleText } from '../../../engine/text/visible.ts';

/** Shows a mail as a document. */
export type OpenMail = (subject: MailSubject, signal: AbortSignal) => Promise<void>;

/** Mails as read-only documents. */
export interface MailDocuments extends vscode.FileSystemProvider, Disposable {
	readonly open: OpenMail;
}

/** Opens mails as documents; the editor asks for them again after a reload. */
export function mailDocuments(context: ListsContext): MailDocuments {
	const owned = new Disposables();
	const ending = new AbortController();
	owned.add({ dispose: () => ending.abort() });
	owned.add(vscode.workspace.onDidOpenTextDocument((document) => void colour(document)));

	const open: OpenMail = async (subject, signal) => {
		const { lists } = connectionOf(context.connections, subject);
		const email = await withProgress(vscode.l10n.t('Opening the message…'), signal, (working) =>
			lists.mails.mail(subject.id, working),
		);
		const readIt = vscode.l10n.t('Parse Message');
		const isWhole =
			email.envelope.length > largestMail &&
			readIt ===
				(await notify(
					'information',
					vscode.l10n.t(
						'This message is larger than 1 MB. Parsing it may take a while; otherwise it is shown as raw text.',
					),
					readIt,
					vscode.l10n.t('Show Raw Message'),
				));
		const document = await vscode.workspace.openTextDocument(mailUri(subject, email, isWhole));
		await showDocument(await colour(document), { preview: true });
	};

	return { ...owned.add(mailFiles(context, ending.signal)), open, dispose: () => owned.dispose() };
}

/** Addresses of the only sender; none in doubt. */
export function authorsOf(reading: MailReading): readonly string[] {
	const sender = reading.kind === 'read' ? onlySender(reading.mail) : undefined;
	return sender === undefined ? [] : [sender.address];
}

/** Sets the language "diff" for patches and "mail" for others, whatever the file name suggests. */
async function colour(document: vscode.TextDocument): Promise<vscode.TextDocument> {
	if (document.uri.scheme !== mailScheme) {
		return document;
	}
	const { isPatch, attachment } = viewOfUri(document.uri);
	return inLanguage(document, isPatch ? 'diff' : attachment === undefined ? mailLanguage : 'plaintext');
}

/** Read-only file system `forge-mail:` with mails and their attachments as text. */
export function mailFiles(context: ListsContext, signal: AbortSignal): vscode.FileSystemProvider & Disposable {
	const { connections, clock, signatures } = context;
	const owned = new Disposables();
	const changed = owned.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
	let edition = 0;
	/** Documents with a signature whose key is in DNS. */
	const unasked = new Set<string>();
	owned.add(
		signatures.onDidAllow(() => {
			edition += 1;
			const open = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === mailScheme);
			changed.fire(open.map(({ uri }) => ({ type: vscode.FileChangeType.Changed, uri })));
		}),
	);
	owned.add(
		vscode.languages.registerCodeLensProvider(
			{ scheme: mailScheme },
			{
				provideCodeLenses({ uri }) {
					const title = vscode.l10n.t('Look Up Keys of Signatures in DNS…');
					const lens = new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command: 'forge.lists.lookUpKeys' });
					return unasked.has(uri.toString()) ? [lens] : [];
				},
			},
		),
	);

	const shown = (text: string): Promise<string> => visibleTextResting(text, () => nextTurnBy(clock));

	const textOf = async (uri: vscode.Uri): Promise<string> => {
		const archived = placeOfUri(uri);
		if (archived) {
			const { archives } = connectionOf(connections, { connectionKey: archived.connectionKey });
			const mail = await archives?.mail(archived.list, archived.place);
			if (!mail) {
				throw vscode.FileSystemError.Unavailable(
					vscode.l10n.t('The archive of this list is no longer on this computer. Search it again to download it.'),
				);
			}
			const { head, body } = mailParts(undefined, mail.reading, [], false);
			return `${head}${await shown(body)}`;
		}
		const subject = mailSubject(uri);
		if (!subject) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		const { attachment, isWhole } = viewOfUri(uri);
		const { texts, instance } = connectionOf(connections, subject);
		if (attachment === undefined) {
			const { mail, reading } = await (isWhole ? texts.readWhole(subject.id, signal) : texts.read(subject.id, signal));
			const found = await signatures.check(mail.envelope, authorsOf(reading), signal);
			unasked[found.some(({ state }) => state === 'notAsked') ? 'add' : 'delete'](uri.toString());
			const { head, body } = mailParts(mail, reading, attestationTexts(found), instance.archiveUrl === undefined);
			return `${head}${await shown(body)}`;
		}
		const { reading } = await texts.readWhole(subject.id, signal);
		const found = reading.kind === 'read' ? reading.mail.attachments[attachment] : undefined;
		// Text types only: a binary file would be misleading as text.
		const text = found?.patch ?? found?.text;
		if (text === undefined) {
			throw vscode.FileSystemError.Unavailable(vscode.l10n.t('There is no text at this URL.'));
		}
		return shown(text.replaceAll('\r\n', '\n'));
	};
	const files = textFiles(context, textOf, () => edition);
	return { ...files, onDidChangeFile: changed.event, dispose: () => owned.dispose() };
}

/** Approximate amount of text per turn. */
const turn = 64_000;

/** As `visibleText`, of however much text: others have their turns meanwhile. */
export async function visibleTextResting(text: string, pause: () => Promise<void>): Promise<string> {
	const pieces: string[] = [];
	for (let from = 0; from < text.length;) {
		let to = text.length;
		if (to - from > turn) {
			// Prefers a nearby line break, and never splits a character.
			const line = text.lastIndexOf('\n', from + turn);
			const last = text.charCodeAt(from + turn - 1);
			const isHalf = last >= 0xd8_00 && last <= 0xdb_ff;
			to = line > from ? line + 1 : from + turn + (isHalf ? 1 : 0);
		}
		pieces.push(visibleText(text.slice(from, to)));
		from = to;
		if (from < text.length) {
			await pause();
		}
	}
	return pieces.join('');
}
