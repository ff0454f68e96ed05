import * as vscode from 'vscode';
import {
	toolStates,
	type Patchset,
	type PatchsetStatus,
	type ShortEmail,
	type ToolState,
} from 'sourcehut/port/list.ts';
import { spelled } from 'sourcehut/port/word.ts';
import type { MailPerson } from 'patchmail/mail/readableMail.ts';
import { personText as personLine } from 'patchmail/mail/writtenAddress.ts';
import { nameOfSender, visibleLine } from '../../../engine/text/visible.ts';
import type { MailSummary } from '../../../store/lists/mailSummary.ts';
import { patchSubject } from 'patchmail/series/patchSubject.ts';

/** How many lines a diff adds and removes, read aloud. */
export function lineChangesText(added: number, removed: number): string {
	return added === 1
		? vscode.l10n.t('1 line added, {0} removed', removed)
		: vscode.l10n.t('{0} lines added, {1} removed', added, removed);
}

/** How a status looks in rows. */
export interface StatusLook {
	readonly text: string;
	readonly codicon: string;
	/** `undefined` means the row's own colour. */
	readonly color: string | undefined;
}

/** Label and icon of a status. Unknown statuses keep the server's word. */
export function statusLook(status: PatchsetStatus): StatusLook {
	switch (status) {
		case 'proposed':
			return { text: vscode.l10n.t('Proposed'), codicon: 'git-pull-request', color: 'charts.blue' };
		case 'needs_revision':
			return { text: vscode.l10n.t('Needs revision'), codicon: 'request-changes', color: 'symbolIcon.eventForeground' };
		case 'approved':
			return { text: vscode.l10n.t('Approved'), codicon: 'check-all', color: 'charts.green' };
		case 'applied':
			return { text: vscode.l10n.t('Applied'), codicon: 'git-merge', color: 'charts.purple' };
		case 'rejected':
			return { text: vscode.l10n.t('Rejected'), codicon: 'circle-slash', color: 'charts.red' };
		case 'superseded':
			return { text: vscode.l10n.t('Superseded'), codicon: 'history', color: 'disabledForeground' };
		case 'none':
			return { text: '', codicon: 'git-pull-request', color: undefined };
		case 'unknown':
			return { text: vscode.l10n.t('Unknown status'), codicon: 'question', color: undefined };
		default:
			return { text: visibleLine(spelled(status)), codicon: 'question', color: undefined };
	}
}

interface StatusFacts {
	readonly status: PatchsetStatus;
	readonly formed?: Patchset['formed'];
}

/** False for patches of an archive, and for those that the forge has no patchset of. */
export function hasStatus({ status, formed }: StatusFacts): boolean {
	return status !== 'none' && (formed === undefined || formed.threadPatchsetId !== undefined);
}

/** Reason for a patchset without a status. */
export function noStatusText({ status }: StatusFacts): string {
	return status === 'none'
		? vscode.l10n.t('An email archive keeps no status of patchsets.')
		: vscode.l10n.t('The forge has no patchset of these messages, so it keeps no status for them.');
}

/** Status of a patchset as rows and pages show it; an empty text for one of an archive. */
export function statusOf(patchset: StatusFacts): StatusLook {
	const look = statusLook(patchset.status);
	return hasStatus(patchset) || patchset.status === 'none' ? look : { ...look, text: vscode.l10n.t('No status') };
}

/** Who sent a mail, as rows have it: the account, else the name. Empty if unknown. */
export function writerText({ sender, from = '' }: ShortEmail): string {
	return sender ? visibleLine(sender.canonicalName) : nameOfSender(from);
}

/** The address is always shown, because a name proves nothing. */
export function personText(person: MailPerson): string {
	return visibleLine(personLine(person));
}

/** A mail's subject as a row's label. */
export function titleOf(subject: string): string {
	const title = visibleLine(subject);
	return title === '' ? vscode.l10n.t('Message without subject') : title;
}

/** How many mails answer, in words. */
export function answersText(count: number): string {
	return count === 1 ? vscode.l10n.t('1 reply') : vscode.l10n.t('{0} replies', count);
}

/** `2/3 Add foo`; a single patch goes by its subject alone. */
export function patchTitle(mail: Pick<MailSummary, 'subject'>): string {
	const read = patchSubject(mail.subject);
	const place = read?.isNumbered === true ? `${read.index}/${read.count} ` : '';
	return titleOf(`${place}${read?.subject ?? mail.subject}`);
}

/** A patchset's subject as visible text, never empty. */
export function titleText({ subject }: Patchset): string {
	const title = visibleLine(subject);
	return title === '' ? vscode.l10n.t('Patchset without subject') : title;
}

/**
 * Servers pass on the sender's text. After a paste into a shell, a line break could run the rest as a command, and invisible
 * characters would be pasted too.
 */
export function bareId(messageId: string): string {
	return messageId.replaceAll(/[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');
}

/** Most urgent first. */
const byWeight: readonly ToolState[] = ['failed', 'pending', 'waiting', 'cancelled', 'success'];

/** Text about the most urgent tool of a patchset; empty without tools. */
export function toolsWords({ tools = [] }: Patchset): readonly string[] {
	const states = tools.map(({ state }) => state);
	const unknown = states.find((state) => !toolStates.some((known) => known === state));
	const heaviest = byWeight.find((state) => states.includes(state));
	const shown = heaviest === 'failed' ? heaviest : (unknown ?? heaviest);
	return shown === undefined ? [] : [toolText(shown)];
}

/** State of a tool. Unknown states keep the server's word. */
export function toolText(state: ToolState): string {
	switch (state) {
		case 'pending':
			return vscode.l10n.t('CI pending');
		case 'waiting':
			return vscode.l10n.t('CI waiting');
		case 'success':
			return vscode.l10n.t('CI passed');
		case 'failed':
			return vscode.l10n.t('CI failed');
		case 'cancelled':
			return vscode.l10n.t('CI cancelled');
		default:
			return vscode.l10n.t('CI: {0}', visibleLine(spelled(state)));
	}
}
