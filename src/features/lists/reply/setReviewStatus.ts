import * as vscode from 'vscode';
import { cancelled, choose } from '../../../editor/ask/ask.ts';
import { confirm, notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { SettablePatchsetStatus } from '../../../forge/port/list.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { Connections } from '../../../store/connection.ts';
import type { Drafts } from '../../../store/drafts/drafts.ts';
import { forgetSent, nothing, reviewSubject, type Reviewed } from '../../../store/drafts/reviewDrafts.ts';
import { setStatusQuietly, statusQuestion } from '../status/setStatus.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import type { StatusChanges } from '../status/statusChanges.ts';
import { subjectOfReview } from '../subjects/reviewUri.ts';
import { statusLook } from '../subjects/words.ts';
import { canBeSet, statusWay, type ReviewStatus } from './reviewStatus.ts';
import type { WrittenReview } from './readReview.ts';
import type { SendWay } from './sendWays.ts';
import { notInMailsTexts, sentBeforeTexts, statusAloneText } from './sendWords.ts';

export interface ReviewStatusParts {
	readonly connections: Connections;
	readonly problems: Problems;
	readonly statuses: StatusChanges;
	readonly marks: ListsParts['marks'];
	readonly drafts: Drafts;
}

/** Asks for the status that the patchset is to get with its review; it is a draft like the comments. */
export async function askReviewStatus(
	parts: ReviewStatusParts & { readonly clock: { nowMs(): number } },
	of: Reviewed,
	signal: AbortSignal,
): Promise<void> {
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

/** Inputs for setting a status after mails. */
export interface StatusOfSent {
	readonly of: Reviewed;
	readonly status: ReviewStatus;
	/** Earlier results as a sentence; may be empty. */
	readonly done: string;
}

/** Sets the stored status after the mails and reports both. A failure keeps the status. */
export async function setReviewStatus(
	parts: ReviewStatusParts,
	{ of, status, done }: StatusOfSent,
	signal: AbortSignal,
): Promise<void> {
	const { drafts, problems, statuses } = parts;
	const subject = subjectOfReview(of);
	const { word } = status;
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
	void tellNotSet(
		of,
		done === ''
			? vscode.l10n.t('The status was not set to {0}: {1}', text, why)
			: vscode.l10n.t('{0} But the status was not set to {1}: {2}', done, text, why),
	);
}

/** Not awaited: the notice may stay open for hours. */
async function tellNotSet(of: Reviewed, text: string): Promise<void> {
	const again = vscode.l10n.t('Try Again');
	if ((await notify('error', text, again)) === again) {
		await vscode.commands.executeCommand('forge.review.send', subjectOfReview(of));
	}
}

/** A review that makes no mails. */
export interface WithoutMails {
	readonly written: WrittenReview;
	/** Number of mails sent earlier. */
	readonly before: number;
}

/** A review without mails, perhaps with the status of an earlier try; asks before setting it. */
export async function sendWithoutMails(
	parts: ReviewStatusParts,
	of: Reviewed,
	{ written, before }: WithoutMails,
	signal: AbortSignal,
): Promise<void> {
	const { status } = written;
	const [sent, notIn] = [sentBeforeTexts(before), notInMailsTexts(written)];
	if (status?.way !== 'api') {
		const why = [...sent, ...(status ? [statusAloneText(status)] : []), ...notIn];
		void tellNothing(before === 0 ? vscode.l10n.t('Nothing to send.') : vscode.l10n.t('Nothing else to send.'), {
			why,
			isInDrafts: notIn.length > 0,
		});
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
	await setReviewStatus(parts, { of, status, done: sent.join(' ') }, signal);
}

interface WhyNothing {
	/** Each in a sentence. */
	readonly why: readonly string[];
	/** Some parts are only in the list of drafts. */
	readonly isInDrafts: boolean;
}

/** Not awaited: the notice may stay open for hours. */
async function tellNothing(head: string, { why, isInDrafts }: WhyNothing): Promise<void> {
	const text = why.length === 0 ? vscode.l10n.t('Nothing to send: no draft comments.') : [head, ...why].join(' ');
	const show = vscode.l10n.t('Show Drafts');
	if ((await notify('information', text, ...(isInDrafts ? [show] : []))) === show) {
		await vscode.commands.executeCommand('forge.drafts.show');
	}
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
