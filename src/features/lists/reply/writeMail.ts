import * as vscode from 'vscode';
import { cancelled } from '../../../editor/ask/ask.ts';
import { confirm, confirmForGood, notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { connectionOf, isRecord } from '../../../editor/commands/subjects.ts';
import type { MailDraft, MailDraftDocuments } from '../../../editor/documents/mailDrafts.ts';
import { mailDraftOf, mailDraftText, type MailDraftFault, type MailDraftParts } from '../../../mail/mailDraftText.ts';
import type { OutgoingMail } from '../../../mail/outgoingMail.ts';
import { referencesOf } from '../../../review/replyHead.ts';
import { wrappedLines } from '../../../review/replyProse.ts';
import type { Connection } from '../../../state/connection.ts';
import { draftKey } from '../../../state/drafts/draftSubject.ts';
import type { MailDraftSubject } from '../../../state/drafts/drafts.ts';
import { findMail } from '../../../state/lists/findMail.ts';
import { shortLine } from '../../../text/visible.ts';
import { listTarget, mailTarget, type TargetParts } from '../subjects/listTargets.ts';
import { addressOf, askAddress, readAnswered, replyText } from './mailBeginning.ts';
import { newMessageId, writerOf } from './readReview.ts';
import { oneSending } from './oneSending.ts';
import { failedText, sendOne, thrownText } from './sendInTurn.ts';
import type { SendReviewParts } from './sendReview.ts';
import { seriesOfDraft } from './seriesDraft.ts';
import { askWay, handOver } from './sendWays.ts';
import { mailsText, notWritableText, sendingDetail } from './sendWords.ts';

export interface WriteMailParts extends SendReviewParts, TargetParts {
	/** The documents in which mails are written. */
	readonly documents: MailDraftDocuments;
}

/** Replies to any mail, and new mails: documents with headers and text, which are drafts until they are sent. */
export function mailCommands(parts: WriteMailParts): CommandTable {
	/** Mails of which nobody knows whether they went out, by their drafts: they keep their ids. */
	const unsure: Sending['unsure'] = new Map();
	const inTurn = oneSending();
	return {
		'forge.lists.reply': async (subject, signal) => {
			const { connectionKey, list, id } = await mailTarget(parts, subject, signal);
			const about = { kind: 'mail', connectionKey, ref: list, answers: id, name: 'reply' } as const;
			const text = await withProgress(vscode.l10n.t('Loading the mail…'), signal, (working) =>
				replyText(parts, about, working),
			);
			const editor = await parts.documents.open(about, text);
			toEnd(editor);
		},
		'forge.lists.newMail': async (subject, signal) => {
			const { connectionKey, ref } = await listTarget(parts, subject, signal);
			const about = { kind: 'mail', connectionKey, ref, answers: undefined, name: parts.newName() } as const;
			const connection = connectionOf(parts.connections, about);
			const known = await withProgress(vscode.l10n.t('Loading the list…'), signal, (working) =>
				addressOf(connection, ref, working),
			);
			const address = known ?? (await askAddress(ref));
			const text = mailDraftText({ to: [{ name: '', address }], cc: [], subject: '', body: '\n' });
			await parts.documents.open(about, text);
		},
		'forge.lists.sendMail': async (subject, signal) => {
			const about = mailDraftIn(parts, subject);
			const series = about?.kind === 'mail' ? seriesOfDraft(about.name) : undefined;
			if (about && series !== undefined) {
				await vscode.commands.executeCommand('forge.submit.preview', {
					kind: 'series',
					connectionKey: about.connectionKey,
					id: series,
				});
				return;
			}
			if (about?.kind === 'mail') {
				return inTurn(draftKey(about), () => sendDraft(parts, { about, unsure }, signal));
			}
			if (about) {
				const { connectionKey, ref, patchsetId } = about;
				await vscode.commands.executeCommand('forge.review.send', {
					kind: 'patchset',
					connectionKey,
					ref: { list: ref, id: patchsetId },
				});
				return;
			}
			tellBriefly(vscode.l10n.t('Open the mail that you are writing first.'));
		},
		'forge.lists.discardMail': async (subject) => {
			const about = mailDraftIn(parts, subject);
			if (
				about &&
				(await confirmForGood(
					vscode.l10n.t('Discard this draft?'),
					vscode.l10n.t("It was not sent. This can't be undone."),
					vscode.l10n.t('Discard'),
				))
			) {
				await parts.documents.finish(about);
			}
		},
	};
}

/** The draft that a command was used in. */
function mailDraftIn({ documents }: WriteMailParts, subject: unknown): MailDraft | undefined {
	const uri =
		isRecord(subject) && subject instanceof vscode.Uri ? subject : vscode.window.activeTextEditor?.document.uri;
	return uri && documents.aboutOf(uri);
}

/** One writes below what is quoted. */
function toEnd(editor: vscode.TextEditor): void {
	const end = editor.document.lineAt(editor.document.lineCount - 1).range.end;
	editor.selection = new vscode.Selection(end, end);
	editor.revealRange(new vscode.Range(end, end));
}

interface Sending {
	readonly about: MailDraftSubject;
	/** Mails of which nobody knows whether they went out, and the text of the draft that they were made of. */
	readonly unsure: Map<string, { readonly messageId: string; readonly text: string }>;
}

async function sendDraft(parts: WriteMailParts, sending: Sending, signal: AbortSignal): Promise<void> {
	const ready = await readyMail(parts, sending, signal);
	if (!ready) {
		return;
	}
	const { mail, text } = ready;
	const way = await askWay(parts.mailer, [mail]);
	if (way !== 'git') {
		void afterHandOver(parts, sending.about, await handOver(way, [mail], parts.clock.nowMs()));
		return;
	}
	if (!(await confirm(vscode.l10n.t('Send {0}?', mailsText(1)), sendingDetail([mail]), vscode.l10n.t('Send')))) {
		throw cancelled();
	}
	const trouble = await tryToSend(parts, sending, ready, signal);
	if (trouble !== undefined) {
		void notify('error', vscode.l10n.t('{0} Your draft is kept.', trouble));
		return;
	}
	// What was typed since is a draft still.
	if (parts.documents.textOf(sending.about) === text) {
		await parts.documents.finish(sending.about);
	}
	tellBriefly(vscode.l10n.t('Mail sent'));
}

/** The mail that a draft is now, and the draft's text; `undefined` where the person was told why there is none. */
async function readyMail(
	{ documents, connections, mailer, newName }: WriteMailParts,
	{ about, unsure }: Sending,
	signal: AbortSignal,
): Promise<{ readonly mail: OutgoingMail; readonly text: string } | undefined> {
	const text = documents.textOf(about) ?? '';
	const written = mailDraftOf(text);
	if ('kind' in written) {
		void notify('warning', faultText(written));
		return undefined;
	}
	const connection = connectionOf(connections, about);
	const writer = await writerOf(connection, mailer, signal);
	if (!writer) {
		void notify('error', notWritableText('noSender'));
		return undefined;
	}
	const before = unsure.get(draftKey(about));
	if (before && (await wasSent(connection, about, { messageId: before.messageId, signal }))) {
		unsure.delete(draftKey(about));
		if (documents.textOf(about) !== before.text) {
			const kept = vscode.l10n.t('The mail is on the list already, as you wrote it first. Your draft is kept.');
			void notify('warning', kept);
			return undefined;
		}
		await documents.finish(about);
		void notify('information', vscode.l10n.t('The mail is on the list already. Your draft was removed.'));
		return undefined;
	}
	// A list drops a second mail of the same id, so another text needs one of its own.
	const messageId = before?.text === text ? before.messageId : newMessageId(newName(), writer.from);
	return { mail: await outgoing(connection, about, { ...writer, written, messageId }, signal), text };
}

/** Answers why a mail did not go out for sure; `undefined` for one that did. */
async function tryToSend(
	parts: WriteMailParts,
	{ about, unsure }: Sending,
	{ mail, text }: { readonly mail: OutgoingMail; readonly text: string },
	signal: AbortSignal,
): Promise<string | undefined> {
	unsure.set(draftKey(about), { messageId: mail.messageId, text });
	try {
		const sent = await withProgress(vscode.l10n.t('Sending {0}…', mailsText(1)), signal, (working) =>
			sendOne(parts, mail, working),
		);
		if (sent.kind !== 'unsure') {
			unsure.delete(draftKey(about));
		}
		return sent.kind === 'sent' ? undefined : failedText(sent);
	} catch (error) {
		unsure.delete(draftKey(about));
		parts.problems.log(error);
		return thrownText(parts, error);
	}
}

async function wasSent(
	{ lists }: Connection,
	{ ref }: MailDraftSubject,
	{ messageId, signal }: { readonly messageId: string; readonly signal: AbortSignal },
): Promise<boolean> {
	return (await findMail({ lists }, { messageId, list: ref }, signal)) !== undefined;
}

interface Written extends Pick<OutgoingMail, 'from' | 'messageId'> {
	readonly written: MailDraftParts;
}

async function outgoing(
	connection: Connection,
	about: MailDraftSubject,
	{ from, messageId, written }: Written,
	signal: AbortSignal,
): Promise<OutgoingMail> {
	const { answered, mail } =
		about.answers === undefined
			? { answered: undefined, mail: undefined }
			: await readAnswered(connection, about, signal);
	return {
		...written,
		from,
		messageId,
		inReplyTo: answered?.messageId,
		references: answered ? referencesOf(answered, mail) : [],
		patchsetStatus: undefined,
		body: `${wrappedLines(written.body).join('\n')}\n`,
	};
}

/** Not awaited by the command: a notice that nobody closes must not keep it from ending. */
async function afterHandOver({ documents, problems }: WriteMailParts, about: MailDraft, done: string): Promise<void> {
	const discard = vscode.l10n.t('Discard Draft');
	const text = vscode.l10n.t('{0} Your draft is kept. Discard it once the mail is sent.', done);
	if ((await notify('information', text, discard)) === discard) {
		await documents.finish(about).catch((error: unknown) => problems.show(error));
	}
}

function faultText(fault: MailDraftFault): string {
	switch (fault.kind) {
		case 'nobody':
			return vscode.l10n.t('Add a recipient after "To:".');
		case 'badPeople':
			return vscode.l10n.t(
				'No mail can be sent to this: {0}. Write addresses with commas between them.',
				shortLine(fault.text, 100),
			);
		case 'badHeader':
			return vscode.l10n.t('Only To, Cc and Subject can stand above the empty line: {0}', shortLine(fault.text, 100));
		case 'noSubject':
			return vscode.l10n.t('Add a subject after "Subject:".');
		case 'noText':
			return vscode.l10n.t('Write a text below the empty line.');
	}
}
