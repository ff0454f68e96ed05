import * as vscode from 'vscode';
import { cancelled, choose, confirmOrCancel, type Choice } from '../../../editor/ask/ask.ts';
import { chooseAction, confirmForGood, notify, offer, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { mailForGit, type OutgoingMail } from 'patchmail/mail/outgoingMail.ts';
import { afterInterruption, afterLook, type MailOfMany } from 'patchmail/review/sending.ts';
import type { ListRef } from 'sourcehut/port/list.ts';
import type { Connection } from '../../../store/connection.ts';
import { findMail } from '../../../store/lists/findMail.ts';
import type { FrozenMail, MailsOf } from '../../../store/outbox/mailOutbox.ts';
import type { ListsContext } from '../context/listsContext.ts';
import { handOver, stopIfStale, type HandOver } from './handOver.ts';
import { askUser, sendInTurn, type MailOrigin, type TryResult } from './sendInTurn.ts';
import { mailsText, recipientsText, sendingDetail } from './sendWords.ts';

/**
 * Runs a send unless the same one is running, which shows a message: recipients would get duplicates. For one window;
 * stored records cover other windows.
 */
export function oneSending() {
	const running = new Set<string>();
	return async (name: string, send: () => Promise<void>): Promise<void> => {
		if (running.has(name)) {
			return tellBriefly(vscode.l10n.t('This is being sent already.'));
		}
		running.add(name);
		try {
			await send();
		} finally {
			running.delete(name);
		}
	};
}

/** Mails on their way out. */
interface Batch extends Settled<MailOfMany> {
	readonly origin: MailOrigin;
	/** Those to send now, in order. */
	readonly mails: readonly OutgoingMail[];
	readonly kind: 'prose' | 'patches';
	/** Top folder of the clone that gave the sender, if one did. */
	readonly clone?: string | undefined;
	/** True once drafts or typed text changed in any window since the mails were made. */
	readonly isStale: () => boolean;
	/** Further sentences of the last question. */
	readonly also: () => readonly string[];
	/** Sends patches to the sender alone. */
	readonly test?: () => Promise<void>;
	/** Asks before mails are handed over. */
	readonly beforeHandOver?: (way: HandOver) => Promise<void>;
}

/** End of a send by git. `isQueued`: the rest waits in the outbox. `isRemoved`: the drafts of sent mails are gone. */
export interface SentByGit extends TryResult {
	readonly way: 'git';
	readonly isRemoved: boolean;
	readonly isQueued: boolean;
}

/**
 * Sends mails by git after a last question, or hands them over to the user in another way; `done` says how. While the
 * mail server is away, the mails go to the outbox. Throws `cancelled()` for a no, and, after a message, if another
 * window sends the mails, or sent or changed one meanwhile.
 */
export async function sendMails(
	context: ListsContext,
	connection: Connection,
	batch: Batch,
	signal: AbortSignal,
): Promise<SentByGit | { readonly way: HandOver; readonly done: string }> {
	const { origin, mails, kind, isStale, beforeHandOver } = batch;
	// Almost all mails leave by git, so the last question comes first.
	if (context.mailer.isTrusted() && (await isForGit(batch))) {
		stopIfStale(isStale);
		return await supersedeQueued(connection, origin.of, () => sendByGit(context, connection, batch, signal));
	}
	const way = await askWay(mails, kind);
	await beforeHandOver?.(way);
	const done = await supersedeQueued(connection, origin.of, () => handOver(way, mails, context.clock.nowMs(), isStale));
	return { way, done };
}

/**
 * Takes the same drafts out of the outbox while `send` sends them. Throws `cancelled()`, after a message, if they are
 * being sent. If the process ends meanwhile, the outbox asks before it sends anything.
 */
async function supersedeQueued<T>({ mailOutbox }: Connection, of: MailsOf, send: () => Promise<T>): Promise<T> {
	const queued = mailOutbox.of(of);
	const held = queued && mailOutbox.hold(queued.id);
	if (queued && !held) {
		tellBriefly(vscode.l10n.t('This is being sent already.'));
		throw cancelled();
	}
	const before = held?.item().progress;
	try {
		await held?.change({ progress: { kind: 'changed' } });
		const result = await send();
		held?.remove();
		return result;
	} catch (error) {
		if (before) {
			await held?.change({ progress: before });
			held?.release();
		}
		throw error;
	}
}

async function sendByGit(
	context: ListsContext,
	connection: Connection,
	{ origin, mails, kind, clone, plan, known }: Batch,
	signal: AbortSignal,
): Promise<SentByGit> {
	const frozen = mails.flatMap((mail): readonly FrozenMail[] => {
		const forGit = mailForGit(mail);
		return forGit ? [{ ...forGit, messageId: mail.messageId, subject: mail.subject }] : [];
	});
	const byId = new Map(frozen.map((mail) => [mail.messageId, mail]));
	const count = plan.filter(({ progress }) => progress.kind === 'waiting').length;
	const result = await withProgress(vscode.l10n.t('Sending {0}…', mailsText(count)), signal, (working) =>
		sendInTurn(context, { ...origin, source: (id) => byId.get(id), kind, clone, plan, known }, askUser, working),
	);
	const isRemoved = await removeSent(context, sentIn(result.now), () => origin.finish(result.now));
	let isQueued = false;
	if (result.isAway && isRemoved) {
		try {
			await connection.mailOutbox.add(context.newName(), {
				of: origin.of,
				list: origin.list,
				kind,
				...(clone === undefined ? {} : { clone }),
				mails: frozen,
				plan: result.now,
				confirmed: origin.texts(),
				queuedMs: context.clock.nowMs(),
				progress: { kind: 'waiting' },
			});
			isQueued = true;
		} catch (error) {
			// The disk refuses. The mails stay drafts then.
			context.problems.log(error);
		}
	}
	return { way: 'git', ...result, isRemoved, isQueued };
}

/** Not awaited by commands: the notice may stay open for hours. */
export function tellQueued(count: number): void {
	const text = vscode.l10n.t(
		"The email server can't be reached. The outbox sends {0} once it can be reached.",
		mailsText(count),
	);
	void offer('information', text, vscode.l10n.t('Show Outbox'), () =>
		vscode.commands.executeCommand('forge.outbox.focus'),
	);
}

function sentIn(now: readonly MailOfMany[]): number {
	return now.filter(({ progress }) => progress.kind === 'sent').length;
}

/** The last question. False for another way. Throws `cancelled()` for a no, and after a test. */
async function isForGit({ mails, also, test }: Batch): Promise<boolean> {
	const [send, alone, others] = [
		vscode.l10n.t('Send'),
		vscode.l10n.t('Send to Myself Only'),
		vscode.l10n.t('Other Ways…'),
	];
	const question = vscode.l10n.t('Send {0}?', mailsText(mails.length));
	const actions = [send, ...(test ? [alone] : []), others];
	const chosen = await chooseAction(question, withSentences(sendingDetail(mails), also()), ...actions);
	if (chosen === alone) {
		await test?.();
	}
	if (chosen !== send && chosen !== others) {
		throw cancelled();
	}
	return chosen === send;
}

function withSentences(detail: string, sentences: readonly string[]): string {
	return [detail, ...(sentences.length === 0 ? [] : ['', ...sentences])].join('\n');
}

/**
 * Sends copies to the sender alone, after a question. They have ids of their own: many servers drop a second message
 * with a known id. Nothing is recorded. Throws `cancelled()` for a no.
 */
export async function sendTest(
	context: ListsContext,
	{ mails, clone }: { readonly mails: readonly OutgoingMail[]; readonly clone: string | undefined },
	idOf: (mail: OutgoingMail) => string,
	signal: AbortSignal,
): Promise<void> {
	const ids = new Map(mails.map((mail) => [mail.messageId, idOf(mail)]));
	const copies = mails.map((mail) => ({
		...mail,
		to: [mail.from],
		cc: [],
		messageId: ids.get(mail.messageId) ?? '',
		inReplyTo: mail.inReplyTo && ids.get(mail.inReplyTo),
		references: mail.references.flatMap((id) => ids.get(id) ?? []),
	}));
	await confirmOrCancel(
		vscode.l10n.t('Test: send {0} to yourself only?', mailsText(mails.length)),
		withSentences(sendingDetail(copies), [
			vscode.l10n.t('This is a test. The list and the people in Cc get nothing, and the patches stay prepared.'),
		]),
		vscode.l10n.t('Send Test'),
	);
	const byId = new Map(copies.map((mail) => [mail.messageId, mailForGit(mail)]));
	const plan = copies.map(({ messageId }) => ({ messageId, progress: { kind: 'waiting' } as const }));
	const { now, why, severity } = await withProgress(
		vscode.l10n.t('Sending {0}…', mailsText(copies.length)),
		signal,
		(working) =>
			sendInTurn(
				context,
				{
					source: (id) => byId.get(id),
					kind: 'patches',
					clone,
					plan,
					known: plan,
					keep: async () => undefined,
					wentOut: () => undefined,
				},
				askUser,
				working,
			),
	);
	const sent = sentIn(now);
	const text =
		sent === now.length
			? vscode.l10n.t('Test: sent {0} to {1}. The patches stay prepared.', mailsText(sent), recipientsText(copies))
			: vscode.l10n.t('Test: sent {0} of {1}. {2} The patches stay prepared.', sent, mailsText(now.length), why);
	void notify(sent === now.length ? 'information' : severity, text);
}

/**
 * Asks for a way without git. Omits impossible ones and warns about ones that may damage mails: line wrapping is harmless
 * to prose and breaks patches.
 */
async function askWay(mails: readonly OutgoingMail[], kind: 'prose' | 'patches'): Promise<HandOver> {
	const warned =
		kind === 'patches'
			? { detail: vscode.l10n.t('Email programs may wrap lines or change tabs. The patch does not apply then.') }
			: {};
	// Only a file and git keep the bytes of such a patch.
	const isText = mails.every(({ bytes }) => bytes === undefined);
	const ways: readonly (Choice<HandOver> | undefined)[] = [
		mails.length === 1 && isText
			? {
					label: vscode.l10n.t('Open in Email Program'),
					...warned,
					iconPath: new vscode.ThemeIcon('mail'),
					value: 'link',
				}
			: undefined,
		{
			label: mails.length === 1 ? vscode.l10n.t('Save as .eml File…') : vscode.l10n.t('Save as .eml Files…'),
			iconPath: new vscode.ThemeIcon('save'),
			value: 'file',
		},
		isText
			? { label: vscode.l10n.t('Copy Text'), ...warned, iconPath: new vscode.ThemeIcon('copy'), value: 'copy' }
			: undefined,
	];
	return choose(
		vscode.l10n.t('How to send {0}', mailsText(mails.length)),
		ways.flatMap((way) => way ?? []),
	);
}

/**
 * Deletes the drafts of sent mails; returns whether that worked. The message and the stored record say "sent" in any
 * case, so the next try starts with the deletion and sends none again.
 */
async function removeSent({ problems }: ListsContext, count: number, remove: () => Promise<void>) {
	try {
		await remove();
		return true;
	} catch (error) {
		problems.log(error);
		if (count > 0) {
			const text = vscode.l10n.t(
				"Sent {0}, but what was sent couldn't be removed here. Send again to remove it; nothing is sent twice.",
				mailsText(count),
			);
			void notify('error', text);
		}
		return false;
	}
}

/** State after an earlier try and a search in the list. */
interface Settled<Mail extends MailOfMany> {
	/** Certain facts of earlier tries; the only part to store. A mail missing in the list may still arrive. */
	readonly known: readonly Mail[];
	/** Plan of this try, in sending order, with the mails already sent. A mail in doubt is pending again for this try alone, because the user chose so. */
	readonly plan: readonly Mail[];
}

/**
 * Looks in the list for mails in doubt. Throws `cancelled()` if one is missing and the user refuses to send it again.
 */
export async function settled<Mail extends MailOfMany>(
	saved: readonly Mail[],
	{ lists }: Connection,
	list: ListRef,
	signal: AbortSignal,
): Promise<Settled<Mail>> {
	let known = afterInterruption(saved);
	let plan = known;
	for (const { messageId, progress } of known) {
		if (progress.kind === 'unsure') {
			const found = await withProgress(vscode.l10n.t('Searching the list for the last message…'), signal, (working) =>
				findMail(lists, { messageId, list }, working),
			);
			const isMeant =
				found !== undefined ||
				(await confirmForGood(
					vscode.l10n.t('A message may have been sent already.'),
					vscode.l10n.t(
						"It isn't on the list, but it may still be on its way. Sending it again may deliver it twice to the people in Cc.",
					),
					vscode.l10n.t('Send Again'),
				));
			if (!isMeant) {
				throw cancelled();
			}
			plan = afterLook(plan, messageId, found !== undefined);
			known = found ? afterLook(known, messageId, true) : known;
		}
	}
	return { known, plan };
}
