import * as vscode from 'vscode';
import { delay, isAbort } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { AskPerson } from 'hardened-git/askPass.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import type { MailSent } from 'hardened-git/sendMail.ts';
import type { MailForGit } from 'patchmail/mail/outgoingMail.ts';
import { sendWaiting, stillUnsure, type MailOfMany } from 'patchmail/review/sending.ts';
import type { ListRef } from 'sourcehut/port/list.ts';
import { askForProgram } from '../../../editor/ask/askForProgram.ts';
import type { Severity } from '../../../editor/ask/notify.ts';
import type { MailsOf } from '../../../store/outbox/mailOutbox.ts';
import type { ListsContext } from '../context/listsContext.ts';
import { gitProblemText, reasonText, troubleText } from './sendWords.ts';

/**
 * The drafts that give mails: where the progress of these mails is stored, and what follows. Each kind of drafts reads
 * its own fields from `now`.
 */
export interface MailOrigin {
	readonly of: MailsOf;
	readonly list: ListRef;
	/** Fingerprint of the drafts in all windows, without the progress. */
	readonly texts: () => string;
	/** Progress of earlier tries, as stored. */
	readonly kept: () => readonly MailOfMany[];
	/** Resolves once this would survive the end of the process. */
	readonly keep: (now: readonly MailOfMany[]) => Promise<void>;
	/** Reports the last sent mail, and the last possibly sent one. */
	readonly wentOut: (messageId: string) => void;
	/** Removes the drafts of sent mails. Keeps newer text. */
	readonly finish: (now: readonly MailOfMany[]) => Promise<void>;
	/** Reports that all mails are sent, and does the rest of what the user confirmed. */
	readonly allSent: (now: readonly MailOfMany[], signal: AbortSignal) => Promise<void>;
}

/** End of a try. `isAway`: the mail server can't be reached, and all mails that are not sent can wait for it. */
export interface TryResult {
	readonly now: readonly MailOfMany[];
	/** A sentence; empty after success. */
	readonly why: string;
	readonly severity: Severity;
	readonly isAway: boolean;
}

/**
 * Sends the waiting mails of a plan by git, and stops at the first that does not certainly go out. `source`: of a mail;
 * `undefined` if git can't send it. `ask`: for git's questions, such as a password.
 */
export async function sendInTurn(
	{ mailer, problems, clock }: ListsContext,
	{
		source,
		kind,
		clone,
		plan,
		known,
		keep,
		wentOut,
	}: {
		readonly source: (messageId: string) => MailForGit | undefined;
		readonly kind: 'prose' | 'patches';
		readonly clone: string | undefined;
		readonly plan: readonly MailOfMany[];
		readonly known: readonly MailOfMany[];
		readonly keep: (now: readonly MailOfMany[]) => Promise<void>;
		readonly wentOut: (messageId: string) => void;
	},
	ask: AskPerson,
	signal: AbortSignal,
): Promise<TryResult> {
	let now = stillUnsure(plan, known);
	let why = '';
	let isAway = false;
	// Separate: a mail that never arrives must not hide sent ones.
	const last = new Map<'sent' | 'unsure', string>();
	const questions = sendingQuestions(ask);
	const nextSecond = kind === 'patches' ? secondsApart(clock) : undefined;
	try {
		await sendWaiting(
			plan,
			{
				send: async (id, sending) => {
					const mail = source(id);
					if (!mail) {
						throw new GitFailure({ kind: 'refused', what: 'mail' });
					}
					await nextSecond?.(sending);
					const sent = await questions.asking((asking) => mailer.send({ ...mail, clone }, asking, sending));
					// Closing a question means "don't send"; it is no rejection by the mail server.
					const isCancelled = sent.kind === 'notSent' && questions.isDeclined();
					why = isCancelled ? '' : failedText(sent);
					if (sent.kind !== 'notSent') {
						last.set(sent.kind, id);
						return sent;
					}
					isAway = !isCancelled && sent.trouble === 'unreachable';
					return { kind: 'notSent', complaint: sent.complaint };
				},
				keep: async (next) => {
					now = stillUnsure(next, known);
					await keep(now);
				},
			},
			signal,
		);
	} catch (error) {
		problems.log(error);
		why = isAbort(error) ? '' : thrownText(problems, error);
	} finally {
		questions.forget();
		last.forEach((id) => wentOut(id));
	}
	const isUnsure = now.some(({ progress }) => progress.kind === 'unsure' || progress.kind === 'underWay');
	// A cancel is no error.
	return why === '' && !now.every(({ progress }) => progress.kind === 'sent')
		? { now, why: vscode.l10n.t('Sending was cancelled.'), severity: 'information', isAway: false }
		: { now, why, severity: 'error', isAway: isAway && !isUnsure };
}

/** Git dates a mail when it runs, in seconds, and programs sort a series by date. */
function secondsApart(clock: Clock): (signal: AbortSignal) => Promise<void> {
	let isFirst = true;
	return async (signal) => {
		await (isFirst ? undefined : delay(clock, 1000 - (clock.nowMs() % 1000), signal));
		isFirst = false;
	};
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

/**
 * Git's questions during a batch. Git starts anew for each mail and asks for the password each time, but each question
 * appears once per batch. Replies stay in memory only, and only during the batch.
 */
function sendingQuestions(askUser: AskPerson) {
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
					const reply = known ?? (await askUser(question, signal));
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

/** Shows git's questions to the user. */
export const askUser: AskPerson = (question, signal) =>
	askForProgram(vscode.l10n.t('Sending Message'), question, signal);
