import * as vscode from 'vscode';
import { confirmForGood, notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { connectionOf, isRecord } from '../../../editor/commands/subjects.ts';
import type { MailDraft } from '../../../editor/documents/mailDrafts.ts';
import { mailDraftOf, mailDraftText, subjectLine, type MailDraftParts } from '../../../engine/mail/mailDraftText.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import { onlySender } from '../../../engine/mail/onlySender.ts';
import type { OutgoingMail } from '../../../engine/mail/outgoingMail.ts';
import { referencesOf } from '../../../engine/review/replyHead.ts';
import { ownBody } from '../../../engine/review/replyProse.ts';
import { afterInterruption, type SendingAlone } from '../../../engine/review/sending.ts';
import type { Connection } from '../../../store/connection.ts';
import { draftKey } from '../../../store/drafts/draftSubject.ts';
import { forgetAlone, keepAlone, keptAlone } from '../../../store/drafts/keptSending.ts';
import { forgetWholeOf } from '../../../store/drafts/reviewDrafts.ts';
import type { MailDraftSubject } from '../../../store/drafts/drafts.ts';
import { replyName, unnamedReply } from '../../../store/drafts/replyName.ts';
import { listTarget, mailTarget, patchsetOfMail, type TargetParts } from '../subjects/listTargets.ts';
import type { MailSubject } from '../subjects/subjects.ts';
import { addressOf, sureAddress } from './listAddress.ts';
import { faultText } from './faultTexts.ts';
import { readAnswered, replyText } from './mailBeginning.ts';
import { newMessageId, writerOf } from './readReview.ts';
import { oneSending } from './oneSending.ts';
import { askToWrap, confirmPatches } from './ownTexts.ts';
import { confirmSending, removeSent, sendInTurn, settled } from './sendInTurn.ts';
import type { SendReviewParts } from './sendReview.ts';
import { seriesOfDraft } from './seriesDraft.ts';
import { askWay, handOver } from './sendWays.ts';
import type { Standing } from './standing.ts';
import { noSenderText } from './sendWords.ts';

export interface WriteMailParts extends SendReviewParts, TargetParts {}

/** Commands for replies and new mails. Their documents are drafts until sent. */
export function mailCommands(parts: WriteMailParts): CommandTable {
	const inTurn = oneSending();
	return {
		'forge.lists.reply': async (subject, signal) => {
			const mail = await mailTarget(parts, subject, signal);
			const { about, text } = await withProgress(vscode.l10n.t('Loading the message…'), signal, async (working) => {
				const draft = await replyDraft(parts, mail, working);
				return { about: draft, text: await replyText(parts, draft, working) };
			});
			// The reply goes below the quote.
			await parts.mailDrafts.open(about, text, 'end');
		},
		'forge.lists.newMail': async (subject, signal) => {
			const { connectionKey, ref } = await listTarget(parts, subject, signal);
			const about = { kind: 'mail', connectionKey, ref, answers: undefined, name: parts.newName() } as const;
			const connection = connectionOf(parts.connections, about);
			const known = await withProgress(vscode.l10n.t('Loading the list…'), signal, (working) =>
				addressOf(connection, ref, [], working),
			);
			const address = await sureAddress(connection, ref, known);
			const text = mailDraftText({ to: [{ name: '', address }], cc: [], subject: '', body: '\n' });
			await parts.mailDrafts.open(about, text, subjectLine);
		},
		'forge.lists.sendMail': async (subject, signal) => {
			const about = mailDraftIn(parts, subject);
			const series = about?.kind === 'mail' && about.answers === undefined ? seriesOfDraft(about.name) : undefined;
			if (about && series !== undefined) {
				await vscode.commands.executeCommand('forge.submit.preview', {
					kind: 'series',
					connectionKey: about.connectionKey,
					id: series,
				});
				return;
			}
			if (about?.kind === 'mail') {
				return inTurn(draftKey(about), () => sendDraft(parts, about, signal));
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
			tellBriefly(vscode.l10n.t('Open the message that you are writing first.'));
		},
		'forge.lists.discardMail': async (subject) => {
			const about = mailDraftIn(parts, subject);
			if (about) {
				await discardMail(parts, about);
			}
		},
	};
}

/** The open draft of a reply, else a new one with the sender's name. */
async function replyDraft(
	{ connections, drafts }: WriteMailParts,
	{ connectionKey, list, id }: MailSubject,
	signal: AbortSignal,
): Promise<MailDraftSubject> {
	const begun = drafts
		.all()
		.map(({ about }) => about)
		.find((each) => each.kind === 'mail' && each.connectionKey === connectionKey && each.answers === id);
	if (begun?.kind === 'mail' && refText(begun.ref) === refText(list)) {
		return begun;
	}
	const about = { kind: 'mail', connectionKey, ref: list, answers: id, name: unnamedReply } as const;
	const { mail } = await readAnswered(connectionOf(connections, about), about, signal);
	const { name = '', address = '' } = (mail && onlySender(mail)) ?? {};
	return { ...about, name: replyName(name.trim() === '' ? address : name) };
}

async function discardMail({ mailDrafts, drafts }: WriteMailParts, about: MailDraft): Promise<void> {
	const isUnsure = about.kind === 'mail' && keptAlone(drafts, about) !== undefined;
	const detail = isUnsure
		? vscode.l10n.t("It may have been sent already, which this doesn't change. This can't be undone.")
		: vscode.l10n.t("It was not sent. This can't be undone.");
	if (await confirmForGood(vscode.l10n.t('Discard this draft?'), detail, vscode.l10n.t('Discard'))) {
		await (about.kind === 'review' ? forgetWholeOf(drafts, about) : undefined);
		await mailDrafts.finish(about);
		await (about.kind === 'mail' ? forgetAlone(drafts, about) : undefined);
	}
}

/** The draft in the command's document. */
function mailDraftIn({ mailDrafts }: WriteMailParts, subject: unknown): MailDraft | undefined {
	const uri =
		isRecord(subject) && subject instanceof vscode.Uri ? subject : vscode.window.activeTextEditor?.document.uri;
	return uri && mailDrafts.aboutOf(uri);
}

async function sendDraft(parts: WriteMailParts, about: MailDraftSubject, signal: AbortSignal): Promise<void> {
	let ready = await readyMail(parts, about, signal);
	while (ready && ready.standing.now() !== ready.standing.asked) {
		// Repeats to include text typed during preparation.
		ready = await readyMail(parts, about, signal);
	}
	if (!ready) {
		return;
	}
	const { text, standing, before } = ready;
	await confirmPatches(about.answers === undefined ? [] : [ready.mail]);
	const [mail = ready.mail] = await askToWrap([ready.mail]);
	const way = await askWay(parts.mailer, [mail], 'prose');
	if (way !== 'git') {
		const done = await handOver(way, [mail], { nowMs: parts.clock.nowMs(), standing });
		void afterHandOver(parts, about, { text, done });
		return;
	}
	await confirmSending([mail], standing);
	const { messageId } = mail;
	const plan: readonly SendingAlone[] = [{ messageId, text, progress: { kind: 'waiting' } }];
	const known = before ? [before] : [];
	const keep = (now: readonly SendingAlone[]): Promise<void> => keepSending(parts, about, { now, before });
	const connection = connectionOf(parts.connections, about);
	const wentOut = (id: string): void => {
		connection.sentMails.wentOut(about.ref, id);
		const answered = about.answers && patchsetOfMail(connection, { list: about.ref, id: about.answers });
		if (answered !== undefined) {
			connection.lists.answered({ list: about.ref, id: answered });
		}
	};
	const { now, why, severity } = await sendInTurn(parts, { plan, known, mails: [mail], keep, wentOut }, signal);
	if (!now.every(({ progress }) => progress.kind === 'sent')) {
		void notify(severity, vscode.l10n.t('{0} Your draft is kept.', why));
		return;
	}
	if (await removeSent(parts, 1, async () => void (await wasSent(parts, about, text)))) {
		tellBriefly(vscode.l10n.t('Message sent'));
	}
}

interface TriedAlone {
	readonly now: readonly SendingAlone[];
	/** An earlier attempt in doubt, if any. */
	readonly before: SendingAlone | undefined;
}

/** An unsent mail is a plain draft again, unless an earlier attempt is in doubt. */
async function keepSending(
	{ drafts, clock }: WriteMailParts,
	about: MailDraftSubject,
	{ now, before }: TriedAlone,
): Promise<void> {
	for (const mail of now) {
		const { kind } = mail.progress;
		const left = kind === 'waiting' || kind === 'notSent' ? before : mail;
		await (left ? keepAlone(drafts, about, { ...left, atMs: clock.nowMs() }) : forgetAlone(drafts, about));
	}
}

/** True if the draft was removed too. Text typed since then stays a draft. */
async function wasSent(
	{ mailDrafts, drafts }: WriteMailParts,
	about: MailDraftSubject,
	text: string,
): Promise<boolean> {
	const isSame = mailDrafts.textOf(about) === text;
	if (isSame) {
		await mailDrafts.finish(about);
	}
	// Last: if the process ends before, the next one still knows of the sent mail.
	await forgetAlone(drafts, about);
	return isSame;
}

interface ReadyMail {
	readonly mail: OutgoingMail;
	/** Text of the draft. */
	readonly text: string;
	readonly standing: Standing;
	/** An earlier attempt in doubt, if any. */
	readonly before: SendingAlone | undefined;
}

/** The outgoing mail of a draft; `undefined` after a message to the user. */
async function readyMail(
	parts: WriteMailParts,
	about: MailDraftSubject,
	signal: AbortSignal,
): Promise<ReadyMail | undefined> {
	const { mailDrafts, drafts } = parts;
	const text = mailDrafts.textOf(about) ?? '';
	const written = mailDraftOf(text);
	if ('kind' in written) {
		void notify('warning', faultText(written));
		return undefined;
	}
	const now = (): string => mailStanding(parts, about);
	const standing = { asked: now(), now };
	const connection = connectionOf(parts.connections, about);
	const writer = await writerOf(connection, parts, undefined, signal);
	if (!writer) {
		void notify('error', noSenderText());
		return undefined;
	}
	const before = earlierTry(drafts, about, text);
	if (before) {
		const { known } = await settled([before], { lists: connection.lists, list: about.ref }, signal);
		if (known.every(({ progress }) => progress.kind === 'sent')) {
			const isGone = await wasSent(parts, about, before.text);
			const tale = isGone
				? vscode.l10n.t('The message is on the list already. Your draft was removed.')
				: vscode.l10n.t('The message is on the list already, as you wrote it first. Your draft is kept.');
			void notify(isGone ? 'information' : 'warning', tale);
			return undefined;
		}
	} else if (!drafts.draft(about)) {
		const gone = vscode.l10n.t(
			'This message was sent or discarded in another window. To send it anyway, change its text.',
		);
		void notify('warning', gone);
		return undefined;
	}
	// Lists drop a second mail with the same id, so a changed text needs a new id.
	const messageId = before?.text === text ? before.messageId : newMessageId(parts.newName(), writer.from);
	const mail = await outgoing(connection, about, { ...writer, written, messageId }, signal);
	return { mail, text, standing, before };
}

/** An earlier attempt to send this mail. */
function earlierTry(
	drafts: Pick<WriteMailParts['drafts'], 'draft'>,
	about: MailDraftSubject,
	text: string,
): SendingAlone | undefined {
	const kept = keptAlone(drafts, about);
	// From a crashed process whose earlier draft of this name was sent and deleted.
	const isOther = kept?.progress.kind === 'sent' && !text.startsWith(kept.text);
	return kept && !isOther ? afterInterruption([kept])[0] : undefined;
}

/** Snapshot of the text in this window, the draft in any window, and the sending state. */
function mailStanding({ mailDrafts, drafts }: WriteMailParts, about: MailDraftSubject): string {
	return JSON.stringify([mailDrafts.textOf(about), drafts.draft(about) !== undefined, keptAlone(drafts, about)]);
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
		body: ownBody(written.body),
	};
}

/** The command doesn't await this: an open notice must not block it. */
async function afterHandOver(
	parts: WriteMailParts,
	about: MailDraftSubject,
	{ text, done }: { readonly text: string; readonly done: string },
): Promise<void> {
	const discard = vscode.l10n.t('Discard Draft');
	const question = vscode.l10n.t('{0} Your draft is kept. Discard it once the message is sent.', done);
	if ((await notify('information', question, discard)) !== discard) {
		return;
	}
	if (parts.mailDrafts.textOf(about) !== text) {
		void notify('information', vscode.l10n.t('The draft was changed since, so it is kept.'));
		return;
	}
	await parts.mailDrafts
		.finish(about)
		.then(() => forgetAlone(parts.drafts, about))
		.catch((error: unknown) => parts.problems.show(error));
}
