import * as vscode from 'vscode';
import { delay, isAbort } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { cancelled, choose, confirmOrCancel, type Choice } from '../../../editor/ask/ask.ts';
import { askForProgram } from '../../../editor/ask/askForProgram.ts';
import { chooseAction, confirmForGood, notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { mailForGit, type OutgoingMail } from 'patchmail/mail/outgoingMail.ts';
import { afterInterruption, afterLook, sendWaiting, stillUnsure, type MailOfMany } from 'patchmail/review/sending.ts';
import type { ListRef } from 'sourcehut/port/list.ts';
import type { AskPerson } from 'hardened-git/askPass.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import type { MailSent } from 'hardened-git/sendMail.ts';
import type { Connection } from '../../../store/connection.ts';
import { findMail } from '../../../store/lists/findMail.ts';
import type { ListsContext } from '../context/listsContext.ts';
import { handOver, stopIfStale, type HandOver } from './handOver.ts';
import { gitProblemText, mailsText, reasonText, recipientsText, sendingDetail, troubleText } from './sendWords.ts';

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

/** Mails on their way out, with the way to keep their progress. */
interface Batch<Mail extends MailOfMany> extends Settled<Mail> {
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
	readonly beforeHandOver?: () => Promise<void>;
	/** Resolves once this would survive the end of the process. */
	readonly keep: (now: readonly Mail[]) => Promise<void>;
	/** Reports the last sent mail, and the last possibly sent one. */
	readonly wentOut: (messageId: string) => void;
}

/**
 * Sends mails by git after a last question, or hands them over to the user in another way; `done` says how. Throws `cancelled()` for a no, and, after a message, if another window sent or changed a mail meanwhile.
 */
export async function sendMails<Mail extends MailOfMany>(
	context: ListsContext,
	batch: Batch<Mail>,
	signal: AbortSignal,
) {
	const { mails, kind, isStale, beforeHandOver } = batch;
	// Almost all mails leave by git, so the last question comes first.
	if (context.mailer.isTrusted() && (await isForGit(batch))) {
		stopIfStale(isStale);
		return { way: 'git', ...(await sendInTurn(context, batch, signal)) } as const;
	}
	const way = await askWay(mails, kind);
	await beforeHandOver?.();
	return { way, done: await handOver(way, mails, context.clock.nowMs(), isStale) } as const;
}

/** The last question. False for another way. Throws `cancelled()` for a no, and after a test. */
async function isForGit<Mail extends MailOfMany>({ mails, also, test }: Batch<Mail>): Promise<boolean> {
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
	const plan = copies.map(({ messageId }) => ({ messageId, progress: { kind: 'waiting' } as const }));
	const batch: Batch<MailOfMany> = {
		mails: copies,
		kind: 'patches',
		clone,
		plan,
		known: plan,
		isStale: () => false,
		also: () => [],
		keep: async () => undefined,
		wentOut: () => undefined,
	};
	const { now, why, severity } = await sendInTurn(context, batch, signal);
	const sent = now.filter(({ progress }) => progress.kind === 'sent').length;
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

/** Sends the mails that wait by git, shows that it does, and stops at the first that does not certainly go out. */
async function sendInTurn<Mail extends MailOfMany>(
	context: ListsContext,
	{ mails, kind, clone, plan, known, keep, wentOut }: Batch<Mail>,
	signal: AbortSignal,
) {
	const byId = new Map(mails.map((mail) => [mail.messageId, mail]));
	const count = plan.filter(({ progress }) => progress.kind === 'waiting').length;
	let now = stillUnsure(plan, known);
	let why = '';
	// Separate: a mail that never arrives must not hide sent ones.
	const last = new Map<'sent' | 'unsure', string>();
	const questions = sendingQuestions();
	const nextSecond = kind === 'patches' ? secondsApart(context.clock) : undefined;
	await withProgress(vscode.l10n.t('Sending {0}…', mailsText(count)), signal, async (working) => {
		try {
			await sendWaiting(
				plan,
				{
					send: async (id, sending) => {
						const mail = byId.get(id);
						const source = mail && mailForGit(mail);
						if (mail && !source) {
							throw new GitFailure({ kind: 'refused', what: 'mail' });
						}
						await nextSecond?.(sending);
						const sent =
							source && (await questions.asking((ask) => context.mailer.send({ ...source, clone }, ask, sending)));
						// Closing a question means "don't send"; it is no rejection by the mail server.
						const isCancelled = sent?.kind === 'notSent' && questions.isDeclined();
						why = sent && !isCancelled ? failedText(sent) : '';
						if (sent && sent.kind !== 'notSent') {
							last.set(sent.kind, id);
						}
						return sent && sent.kind !== 'notSent' ? sent : { kind: 'notSent', complaint: sent?.complaint ?? '' };
					},
					keep: async (next) => {
						now = stillUnsure(next, known);
						await keep(now);
					},
				},
				working,
			);
		} catch (error) {
			context.problems.log(error);
			why = isAbort(error) ? '' : thrownText(context.problems, error);
		} finally {
			questions.forget();
			last.forEach((id) => wentOut(id));
		}
	});
	// A cancel is no error.
	return why === ''
		? ({ now, why: vscode.l10n.t('Sending was cancelled.'), severity: 'information' } as const)
		: ({ now, why, severity: 'error' } as const);
}

/** Git dates a mail when it runs, in seconds, and programs sort a series by date. */
function secondsApart(clock: Clock): (signal: AbortSignal) => Promise<void> {
	let isFirst = true;
	return async (signal) => {
		await (isFirst ? undefined : delay(clock, 1000 - (clock.nowMs() % 1000), signal));
		isFirst = false;
	};
}

/**
 * Deletes the drafts of sent mails; returns whether that worked. The message and the stored record say "sent" in any
 * case, so the next try starts with the deletion and sends none again.
 */
export async function removeSent({ problems }: ListsContext, count: number, remove: () => Promise<void>) {
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

/** Reason of a failure before any attempt. */
export function thrownText(problems: ListsContext['problems'], error: unknown): string {
	return error instanceof GitFailure ? gitProblemText(error.problem) : problems.explain(error).message;
}

/** Why a mail did not go out for sure; empty for one that did. */
function failedText(sent: MailSent): string {
	switch (sent.kind) {
		case 'sent':
			return '';
		case 'notSent':
			return troubleText(sent.trouble, sent.complaint);
		case 'unsure':
			return vscode.l10n.t("It isn't known whether the last one was sent: {0}", reasonText(sent.complaint));
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

/**
 * Git's questions during a batch. Git starts anew for each mail and asks for the password each time, but each question
 * appears once per batch. Replies stay in memory only, and only during the batch.
 */
function sendingQuestions() {
	const replies = new Map<string, string>();
	let isDeclined = false;
	return {
		/** Sends one mail; its questions come here. */
		async asking(send: (ask: AskPerson) => Promise<MailSent>): Promise<MailSent> {
			const askedNow = new Set<string>();
			isDeclined = false;
			let isSent = false;
			try {
				const sent = await send(async (question, signal) => {
					// A repeated question for one mail means that the first reply was wrong.
					const known = askedNow.has(question) ? undefined : replies.get(question);
					askedNow.add(question);
					const reply = known ?? (await askForProgram(vscode.l10n.t('Sending Message'), question, signal));
					if (reply === undefined) {
						isDeclined = true;
					} else {
						replies.set(question, reply);
					}
					return reply;
				});
				isSent = sent.kind === 'sent';
				return sent;
			} finally {
				if (!isSent) {
					replies.clear();
				}
			}
		},
		/** The user closed a question of the last mail. */
		isDeclined: () => isDeclined,
		forget: () => replies.clear(),
	};
}
