import * as vscode from 'vscode';
import type { PatchsetRef, PatchsetStatus } from 'sourcehut/port/list.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import { spelled } from 'sourcehut/port/word.ts';
import type { Connection } from '../../store/connection.ts';
import type { SentPatchset, SentPatchsets } from '../../store/people/person.ts';
import { visibleLine } from '../../engine/text/visible.ts';

/** Place from the sender's view. Words that this version does not know are neither open nor done. */
const orders = { waiting: 0, changesAsked: 1, approved: 2, other: 3, done: 4 } as const;

/** The text of a patchset's status, and the place of its row. */
export function sentLook(status: PatchsetStatus): { readonly order: number; readonly text: string } {
	switch (status) {
		case 'none':
			return { order: orders.waiting, text: '' };
		case 'proposed':
			return { order: orders.waiting, text: vscode.l10n.t('Proposed') };
		case 'needs_revision':
			return { order: orders.changesAsked, text: vscode.l10n.t('Needs revision') };
		case 'approved':
			return { order: orders.approved, text: vscode.l10n.t('Approved') };
		case 'applied':
			return { order: orders.done, text: vscode.l10n.t('Applied') };
		case 'rejected':
			return { order: orders.done, text: vscode.l10n.t('Rejected') };
		case 'superseded':
			return { order: orders.done, text: vscode.l10n.t('Superseded') };
		case 'unknown':
			return { order: orders.other, text: vscode.l10n.t('Unknown status') };
		default:
			return { order: orders.other, text: visibleLine(spelled(status)) };
	}
}

/** Open patchsets, newest first; only these need their replies. */
export function openOnes({ items }: SentPatchsets): readonly SentPatchset[] {
	return items.filter(({ patchset }) => sentLook(patchset.status).order !== orders.done);
}

/** How many replies a patchset has and how many are new; empty until its thread is read. `account`: the sender's, if known; their own replies don't count. */
export function sentReplies(
	{ reviews, threadReadMarks }: Connection,
	ref: PatchsetRef,
	account: OwnerName | undefined,
): readonly string[] {
	const review = reviews.known(ref);
	if (!review) {
		return [];
	}
	const { series, mails, threadId } = review;
	const own = new Set([...series.patches.map(({ mail }) => mail.id), ...(series.cover ? [series.cover.id] : [])]);
	const answers = mails.filter((mail) => !own.has(mail.id) && (account === undefined || mail.account !== account));
	const seen = threadId === undefined ? undefined : threadReadMarks.lastSeenEventId({ list: ref.list, id: threadId });
	const fresh = seen === undefined ? 0 : answers.filter(({ id }) => id > seen).length;
	return [
		answers.length === 0
			? vscode.l10n.t('no replies')
			: answers.length === 1
				? vscode.l10n.t('1 reply')
				: vscode.l10n.t('{0} replies', answers.length),
		...(fresh === 0 ? [] : [vscode.l10n.t('{0} new', fresh)]),
	];
}
