import * as vscode from 'vscode';
import { cancelled, choose } from '../../../editor/ask/ask.ts';
import { confirm, notify, offer, tellBriefly, type Severity } from '../../../editor/ask/notify.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { SettablePatchsetStatus } from '../../../forge/port/list.ts';
import { forgetSent, nothing, reviewSubject, type Reviewed } from '../../../store/drafts/reviewDrafts.ts';
import { setStatusQuietly, statusQuestion } from '../status/setStatus.ts';
import { subjectOfReview } from '../subjects/reviewUri.ts';
import { statusLook } from '../subjects/words.ts';
import { canBeSet, statusWay, type ReplyDesk, type ReviewStatus, type WrittenReview } from './readReview.ts';
import type { SendWay } from './sendWays.ts';
import { notInMailsTexts, sentBeforeTexts, statusAloneText } from './sendWords.ts';

/** Asks for the status that the patchset is to get with its review; it is a draft like the comments. */
export async function askReviewStatus(parts: ReplyDesk, of: Reviewed, signal: AbortSignal): Promise<void> {
	const { connections, drafts, clock } = parts;
	const way = statusWay(connectionOf(connections, of), of);
	const { title, choices } = await statusQuestion(parts.statuses, [subjectOfReview(of)], signal);
	const word = await choose<SettablePatchsetStatus | 'none'>(title, [
		...choices.filter(({ value }) => canBeSet(value, way)),
		// The icon aligns the row with the others.
		{ label: vscode.l10n.t('None'), iconPath: new vscode.ThemeIcon('dash'), value: 'none' },
	]);
	const about = reviewSubject(of, { kind: 'status' });
	// Load an earlier window's choice first; otherwise both would exist.
	drafts.draft(about);
	await drafts.keep(about, { text: word === 'none' ? '' : word, atMs: clock.nowMs() });
	tellBriefly(
		word === 'none'
			? vscode.l10n.t('The review sets no status')
			: vscode.l10n.t('Draft saved: {0}', statusLook(word).text),
	);
}

/**
 * Sets the stored status after the mails and reports both. A failure keeps the status. `done`: earlier results as a
 * sentence; may be empty.
 */
export async function setReviewStatus(
	parts: ReplyDesk,
	of: Reviewed,
	{ word }: ReviewStatus,
	done: string,
	signal: AbortSignal,
): Promise<void> {
	const { drafts, problems, statuses } = parts;
	const subject = subjectOfReview(of);
	const outcome = await setStatusQuietly(statuses, subject, word, signal);
	const { text } = statusLook(word);
	if (outcome.kind === 'done') {
		await forgetSent(drafts, of, { ...nothing, status: word });
		const set = statuses.outcomeText(subject, outcome);
		const all = done === '' ? vscode.l10n.t('Status: {0}', set) : vscode.l10n.t('{0} Status: {1}', done, set);
		void notify('information', all);
		return;
	}
	if ('error' in outcome) {
		problems.log(outcome.error);
	}
	const why = statuses.outcomeText(subject, outcome);
	void offerAgain(
		'error',
		done === ''
			? vscode.l10n.t('The status was not set to {0}: {1}', text, why)
			: vscode.l10n.t('{0} But the status was not set to {1}: {2}', done, text, why),
		of,
	);
}

/** Not awaited: the notice may stay open for hours. */
export function offerAgain(severity: Severity, text: string, of: Reviewed): Promise<void> {
	return offer(severity, text, vscode.l10n.t('Try Again'), () =>
		vscode.commands.executeCommand('forge.review.send', subjectOfReview(of)),
	);
}

/**
 * A review without mails, perhaps with the status of an earlier try; asks before setting it. `before`: number of mails
 * sent earlier.
 */
export async function sendWithoutMails(
	parts: ReplyDesk,
	of: Reviewed,
	written: WrittenReview,
	before: number,
	signal: AbortSignal,
): Promise<void> {
	const { status } = written;
	const [sent, notIn] = [sentBeforeTexts(before), notInMailsTexts(written)];
	if (status?.way !== 'api') {
		const why = [...sent, ...(status ? [statusAloneText(status)] : []), ...notIn];
		const head = before === 0 ? vscode.l10n.t('Nothing to send.') : vscode.l10n.t('Nothing else to send.');
		const text = why.length === 0 ? vscode.l10n.t('Nothing to send: no draft comments.') : [head, ...why].join(' ');
		void (notIn.length === 0
			? notify('information', text)
			: offer('information', text, vscode.l10n.t('Show Drafts'), () =>
					vscode.commands.executeCommand('forge.drafts.show'),
				));
		return;
	}
	const { text } = statusLook(status.word);
	const isMeant = await confirm(
		vscode.l10n.t('Set the status to {0}?', text),
		[vscode.l10n.t('The review has no messages to send.'), ...sent, ...notIn].join('\n'),
		vscode.l10n.t('Set to {0}', text),
	);
	if (!isMeant) {
		throw cancelled();
	}
	await setReviewStatus(parts, of, status, sent.join(' '), signal);
}

/** After handing mails over, the status depends on the user's next step. */
export function handedOverText(done: string, way: SendWay, status: ReviewStatus | undefined): string {
	if (status?.way === 'api') {
		return vscode.l10n.t('{0} The status is set when you discard the drafts.', done);
	}
	return status && way === 'link'
		? vscode.l10n.t("{0} A link can't ask the forge for a status: it is not set.", done)
		: done;
}
