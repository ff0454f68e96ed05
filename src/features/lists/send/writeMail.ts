import { addressOf, newMessageId, writerOf } from './writer.ts';
import { replyRecipients } from './replyRecipients.ts';
import * as vscode from 'vscode';
import * as v from 'valibot';
import { confirmForGood, notify, offer, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { connectionOf, isRecord } from '../../../editor/commands/subjects.ts';
import type { MailDraft } from '../../../editor/documents/mailDrafts.ts';
import { mailDraftOf, mailDraftText, subjectLine } from 'patchmail/mail/mailDraftText.ts';
import type { ListRef } from 'sourcehut/port/list.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { onlySender } from 'patchmail/mail/onlySender.ts';
import type { OutgoingMail } from 'patchmail/mail/outgoingMail.ts';
import { attributionOf, referencesOf, replySubject } from 'patchmail/review/replyHead.ts';
import { ownBody } from 'patchmail/review/replyProse.ts';
import { afterInterruption, sendingAlone, type SendingAlone } from 'patchmail/review/sending.ts';
import { longestSignature } from 'patchmail/series/ownLines.ts';
import type { Connection } from '../../../store/connection.ts';
import {
	draftKey,
	replyName,
	seriesOfDraft,
	unnamedReply,
	type Drafts,
	type MailDraftSubject,
} from '../../../store/drafts/drafts.ts';
import { forgetAlone, keepAlone, keptAlone, forgetWholeOf } from '../../../store/drafts/reviewDrafts.ts';
import { subjectOfReview } from '../subjects/reviewUri.ts';
import { documentInFront } from '../subjects/givenSubject.ts';
import type { PatchsetProtocol } from '../../../pages/protocol/patchsetProtocol.ts';
import type { ThreadProtocol } from '../../../pages/protocol/threadProtocol.ts';
import { listTarget, mailTarget } from '../subjects/listTargets.ts';
import { patchsetOfMail } from '../subjects/mailPlaces.ts';
import { mailSubject, type MailSubject } from '../subjects/subjects.ts';
import { askToWrap, confirmPatches, sureAddress, faultText, noSenderText } from './sendWords.ts';
import type { ListsContext } from '../context/listsContext.ts';
import type { MailsOf } from '../../../store/outbox/mailOutbox.ts';
import type { MailOrigin } from './sendInTurn.ts';
import { oneSending, sendMails, settled, tellQueued } from './sendMails.ts';

/** Commands for replies and new mails. Their documents are drafts until sent. */
export function mailCommands(parts: ListsContext): CommandTable {
	const inTurn = oneSending();
	return {
		'forge.lists.reply': async (subject, signal) => {
			const { pages } = parts;
			if (subject === undefined && !documentInFront()) {
				const patchset = pages.front<PatchsetProtocol>('forge.patchset');
				const thread = pages.front<ThreadProtocol>('forge.thread');
				patchset?.tell('write', 'reply');
				thread?.tell('reply', undefined);
				if (patchset ?? thread) {
					return;
				}
			}
			const mail = await mailTarget(parts, subject, signal);
			const { about, text } = await withProgress(vscode.l10n.t('Loading the message…'), signal, async (working) => {
				const draft = await replyDraft(parts, mail, working);
				return { about: draft, text: await replyText(parts, draft, true, working) };
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
				await vscode.commands.executeCommand('forge.submit.send', {
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
				await vscode.commands.executeCommand('forge.review.send', subjectOfReview(about));
				return;
			}
			tellBriefly(vscode.l10n.t('Open the message that you are writing first.'));
		},
		'forge.lists.discardMail': async (subject) => {
			const about = mailDraftIn(parts, subject);
			if (about) {
				const isUnsure = about.kind === 'mail' && keptAlone(parts.drafts, about) !== undefined;
				const detail = isUnsure
					? vscode.l10n.t("It may have been sent already, which this doesn't change. This can't be undone.")
					: vscode.l10n.t("It was not sent. This can't be undone.");
				if (await confirmForGood(vscode.l10n.t('Discard this draft?'), detail, vscode.l10n.t('Discard'))) {
					await (about.kind === 'review' ? forgetWholeOf(parts.drafts, about) : undefined);
					await parts.mailDrafts.finish(about);
					await (about.kind === 'mail' ? forgetAlone(parts.drafts, about) : undefined);
				}
			}
		},
	};
}

/** The open draft of a reply, else a new one with the sender's name. */
export async function replyDraft(
	{ connections, drafts }: ListsContext,
	{ connectionKey, list, id }: MailSubject,
	signal: AbortSignal,
): Promise<MailDraftSubject> {
	const begun = repliesTo(drafts, { connectionKey, list }).find(({ answers }) => answers === id);
	if (begun) {
		return begun;
	}
	const about = { kind: 'mail', connectionKey, ref: list, answers: id, name: unnamedReply } as const;
	const { mail } = await readAnswered(connectionOf(connections, about), about, signal);
	const { name = '', address = '' } = (mail && onlySender(mail)) ?? {};
	return { ...about, name: replyName(name.trim() === '' ? address : name) };
}

/** All drafts of replies to mails of a list. */
export function repliesTo(
	drafts: Drafts,
	{ connectionKey, list }: { readonly connectionKey: string; readonly list: ListRef },
): readonly MailDraftSubject[] {
	const of = refText(list);
	return drafts
		.all()
		.flatMap(({ about }) =>
			about.kind === 'mail' &&
			about.answers !== undefined &&
			about.connectionKey === connectionKey &&
			refText(about.ref) === of
				? [about]
				: [],
		);
}

/** The draft in the command's document. For a mail, the reply to it. */
function mailDraftIn({ mailDrafts, drafts }: ListsContext, subject: unknown): MailDraft | undefined {
	const answered = mailSubject(subject);
	if (answered) {
		return repliesTo(drafts, answered).find(({ answers }) => answers === answered.id);
	}
	const uri =
		isRecord(subject) && subject instanceof vscode.Uri ? subject : vscode.window.activeTextEditor?.document.uri;
	return uri && mailDrafts.aboutOf(uri);
}

async function sendDraft(parts: ListsContext, about: MailDraftSubject, signal: AbortSignal): Promise<void> {
	let ready = await readyMail(parts, about, signal);
	while (ready?.isStale() === true) {
		// Repeats to include text typed during preparation.
		ready = await readyMail(parts, about, signal);
	}
	if (!ready) {
		return;
	}
	const { text, isStale, before } = ready;
	await confirmPatches(about.answers === undefined ? [] : [ready.mail]);
	const [mail = ready.mail] = await askToWrap([ready.mail]);
	const connection = connectionOf(parts.connections, about);
	const waiting: SendingAlone = { messageId: mail.messageId, text, progress: { kind: 'waiting' } };
	const sent = await sendMails(
		parts,
		connection,
		{
			origin: draftOrigin(parts, connection, about, before),
			mails: [mail],
			kind: 'prose',
			isStale,
			also: () => [],
			plan: [waiting],
			known: before ? [before] : [],
		},
		signal,
	);
	if (sent.way !== 'git') {
		const question = vscode.l10n.t('{0} Your draft is kept. Discard it once the message is sent.', sent.done);
		void offer('information', question, vscode.l10n.t('Discard Draft'), async () => {
			if (parts.mailDrafts.textOf(about) !== text) {
				void notify('information', vscode.l10n.t('The draft was changed since, so it is kept.'));
				return;
			}
			await parts.mailDrafts
				.finish(about)
				.then(() => forgetAlone(parts.drafts, about))
				.catch((error: unknown) => parts.problems.show(error));
		});
		return;
	}
	if (sent.isQueued) {
		return tellQueued(1);
	}
	if (!sent.now.every(({ progress }) => progress.kind === 'sent')) {
		void notify(sent.severity, vscode.l10n.t('{0} Your draft is kept.', sent.why));
		return;
	}
	if (sent.isRemoved) {
		tellBriefly(vscode.l10n.t('Message sent'));
	}
}

/** Drafts of one mail: a reply or a new mail. `before`: an earlier try in doubt. */
function draftOrigin(
	parts: ListsContext,
	connection: Connection,
	about: MailDraftSubject,
	before: SendingAlone | undefined,
): MailOrigin {
	const { drafts, mailDrafts, clock } = parts;
	const { answers, ref, name } = about;
	return {
		of: { kind: 'draft', ref, name, ...(answers === undefined ? {} : { answers }) },
		list: ref,
		texts: () => JSON.stringify([mailDrafts.textOf(about), drafts.draft(about) !== undefined]),
		kept: () => [keptAlone(drafts, about)].flatMap((kept) => kept ?? []),
		async keep(now) {
			const [next] = v.parse(v.array(sendingAlone), now);
			const isUnsent = next?.progress.kind === 'waiting' || next?.progress.kind === 'notSent';
			const left = isUnsent ? before : next;
			await (left ? keepAlone(drafts, about, left, clock.nowMs()) : forgetAlone(drafts, about));
		},
		wentOut(id) {
			connection.sentMails.wentOut(ref, id);
			const answered = answers && patchsetOfMail(connection, { list: ref, id: answers });
			if (answered !== undefined) {
				connection.lists.answered({ list: ref, id: answered });
			}
		},
		async finish(now) {
			const [sent] = v.parse(v.array(sendingAlone), now);
			if (sent?.progress.kind === 'sent') {
				await wasSent(parts, about, sent.text);
			}
		},
		allSent: async () => tellBriefly(vscode.l10n.t('Message sent')),
	};
}

/** The drafts of a queued mail; `undefined` if they are gone. */
export function draftOfQueued(
	parts: ListsContext,
	connection: Connection,
	{ ref, answers, name }: Extract<MailsOf, { readonly kind: 'draft' }>,
): MailOrigin | undefined {
	const about = { kind: 'mail', connectionKey: connection.key, ref, answers, name } as const;
	return parts.drafts.draft(about) && draftOrigin(parts, connection, about, undefined);
}

/** True if the draft was removed too. Text typed since then stays a draft. */
async function wasSent(parts: ListsContext, about: MailDraftSubject, text: string): Promise<boolean> {
	const { mailDrafts, drafts, appliedCommits, clock } = parts;
	await appliedCommits.wasSent(about, clock.nowMs());
	const isSame = mailDrafts.textOf(about) === text;
	if (isSame) {
		await mailDrafts.finish(about);
	}
	// Last: if the process ends before, the next one still knows of the sent mail.
	await forgetAlone(drafts, about);
	return isSame;
}

/** The outgoing mail of a draft; `undefined` after a message to the user. */
async function readyMail(
	parts: ListsContext,
	about: MailDraftSubject,
	signal: AbortSignal,
): Promise<
	| {
			readonly mail: OutgoingMail;
			/** Text of the draft. */
			readonly text: string;
			readonly isStale: () => boolean;
			/** An earlier attempt in doubt, if any. */
			readonly before: SendingAlone | undefined;
	  }
	| undefined
> {
	const { mailDrafts, drafts } = parts;
	const text = mailDrafts.textOf(about) ?? '';
	const written = mailDraftOf(text);
	if ('kind' in written) {
		void notify('warning', faultText(written));
		return undefined;
	}
	const asked = stateOf(parts, about);
	const isStale = (): boolean => stateOf(parts, about) !== asked;
	const connection = connectionOf(parts.connections, about);
	const writer = await writerOf(connection, parts, undefined, signal);
	if (!writer) {
		void notify('error', noSenderText());
		return undefined;
	}
	const before = earlierTry(drafts, about, text);
	if (before) {
		const { known } = await settled([before], connection, about.ref, signal);
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
	const { answered, mail } =
		about.answers === undefined
			? { answered: undefined, mail: undefined }
			: await readAnswered(connection, about, signal);
	return {
		mail: {
			...written,
			from: writer.from,
			messageId,
			inReplyTo: answered?.messageId,
			references: answered ? referencesOf(answered, mail) : [],
			patchsetStatus: undefined,
			body: ownBody(written.body),
		},
		text,
		isStale,
		before,
	};
}

/** An earlier attempt to send this mail. */
function earlierTry(drafts: Drafts, about: MailDraftSubject, text: string): SendingAlone | undefined {
	const kept = keptAlone(drafts, about);
	// From a crashed process whose earlier draft of this name was sent and deleted.
	const isOther = kept?.progress.kind === 'sent' && !text.startsWith(kept.text);
	return kept && !isOther ? afterInterruption([kept])[0] : undefined;
}

/** Snapshot of the text in this window, the draft in any window, and the sending state. */
function stateOf({ mailDrafts, drafts }: ListsContext, about: MailDraftSubject): string {
	return JSON.stringify([mailDrafts.textOf(about), drafts.draft(about) !== undefined, keptAlone(drafts, about)]);
}

/** Initial text of a reply: its recipients, and its quote if wanted. */
export async function replyText(
	parts: ListsContext,
	about: MailDraftSubject,
	isQuoting: boolean,
	signal: AbortSignal,
): Promise<string> {
	const connection = connectionOf(parts.connections, about);
	const { answered, mail } = await readAnswered(connection, about, signal);
	const { to, cc } = await replyRecipients(connection, parts, about.ref, { id: answered.id, mail }, signal);
	const head = { to, cc, subject: replySubject(answered.subject) };
	if (!isQuoting) {
		return mailDraftText({ ...head, body: '' });
	}
	const lines = (mail?.text ?? '').split('\n');
	const at = lines.findLastIndex((line) => /^-- ?$/.test(line));
	const text = at === -1 || lines.length - at - 2 > longestSignature ? lines : lines.slice(0, at);
	const quoted = text.slice(0, text.findLastIndex((line) => line.trim() !== '') + 1);
	const body = [
		attributionOf(answered, mail),
		...quoted.map((line) => (line.trim() === '' ? '>' : `> ${line}`)),
		'',
		'',
	];
	return mailDraftText({ ...head, body: body.join('\n') });
}

async function readAnswered({ lists, texts }: Connection, { answers = 0 }: MailDraftSubject, signal: AbortSignal) {
	const [answered, { reading }] = await Promise.all([
		lists.mails.mail(answers, signal),
		texts.readPatch(answers, signal),
	]);
	return { answered, mail: reading.kind === 'read' ? reading.mail : undefined };
}
