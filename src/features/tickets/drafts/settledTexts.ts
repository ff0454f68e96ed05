import * as vscode from 'vscode';
import { refText } from '../../../forge/namedRef.ts';
import { ticketRefText } from '../../../forge/ticket.ts';
import type { DraftSubject } from '../../../state/drafts/drafts.ts';
import type { Verdict } from '../../../state/shared/writeJournal.ts';
import type { WriteRecord } from '../../../state/shared/writeRecord.ts';
import { visibleLine } from '../../../text/visible.ts';

/** A typed text and its draft. */
interface TypedText {
	readonly about: DraftSubject;
	readonly text: string;
}

/** The typed text of a write, as a draft. */
export function subjectOfWrite(connectionKey: string, write: WriteRecord): TypedText | undefined {
	if (write.kind === 'ticket') {
		const { comment } = write.wish;
		return comment === undefined
			? undefined
			: { about: { kind: 'comment', connectionKey, ref: write.ref }, text: comment };
	}
	if (write.kind === 'editComment') {
		const { ref, eventId, text } = write;
		return { about: { kind: 'editedEntry', connectionKey, ref, eventId }, text };
	}
	if (write.kind === 'newTicket') {
		const { tracker, draft } = write;
		return draft && { about: { kind: 'newTicket', connectionKey, tracker, name: draft.name }, text: draft.text };
	}
	return undefined;
}

/** True if its page or document offers to send the text again. */
export function isSentText({ kind }: WriteRecord): boolean {
	return kind === 'ticket' || kind === 'newTicket';
}

/** Outcome of a write whose window ended. `isBeside`: its text became a second draft. */
export function endText(write: WriteRecord, verdict: Verdict, isBeside: boolean): string {
	return `${interruptedText(write)} ${verdictText(write, verdict, isBeside)}`;
}

function verdictText(write: WriteRecord, verdict: Verdict, isBeside: boolean): string {
	const isTyped = subjectOfWrite('', write) !== undefined;
	switch (verdict.kind) {
		case 'there':
			return verdict.made
				? vscode.l10n.t('Checked: it is {0}.', visibleLine(ticketRefText(verdict.made)))
				: vscode.l10n.t('Checked: it was done.');
		case 'notThere':
			if (isBeside) {
				return vscode.l10n.t('Checked: it is not there. Its text is kept beside your other draft.');
			}
			return isTyped
				? vscode.l10n.t('Checked: it is not there. Your text is kept, and you can send it again.')
				: vscode.l10n.t('Checked: it was not done. You can try again.');
		case 'unknown':
			return vscode.l10n.t('It may have arrived. Check before you send it again.');
	}
}

function interruptedText(write: WriteRecord): string {
	switch (write.kind) {
		case 'ticket':
			return write.wish.comment === undefined
				? vscode.l10n.t('{0} was being changed when the window closed.', visibleLine(ticketRefText(write.ref)))
				: vscode.l10n.t(
						'Your comment on {0} was being sent when the window closed.',
						visibleLine(ticketRefText(write.ref)),
					);
		case 'newTicket':
			return vscode.l10n.t(
				'Your new ticket in {0} was being submitted when the window closed.',
				visibleLine(refText(write.tracker)),
			);
		case 'editComment':
			return vscode.l10n.t(
				'Your edited comment on {0} was being saved when the window closed.',
				visibleLine(ticketRefText(write.ref)),
			);
		case 'editTicket':
			return vscode.l10n.t('{0} was being changed when the window closed.', visibleLine(ticketRefText(write.ref)));
		case 'removeTicket':
			return vscode.l10n.t('{0} was being deleted when the window closed.', visibleLine(ticketRefText(write.ref)));
		case 'ticketMails': {
			const { to } = write;
			return mailsText(to.kind === 'ticket' ? ticketRefText(to.ref) : refText(to.ref));
		}
		case 'listMails':
			return mailsText(refText(write.ref));
		case 'makeLabel':
		case 'changeLabel':
		case 'removeLabel':
			return vscode.l10n.t(
				'The label {0} of {1} was being changed when the window closed.',
				visibleLine(write.name),
				visibleLine(refText(write.ref)),
			);
		case 'makeTracker':
		case 'makeList':
		case 'makeRepository':
			return vscode.l10n.t('{0} was being created when the window closed.', visibleLine(write.name));
		case 'removeTracker':
		case 'removeList':
		case 'removeRepository':
			return vscode.l10n.t('{0} was being deleted when the window closed.', visibleLine(refText(write.ref)));
		case 'describeTracker':
		case 'describeList':
		case 'changeRepository':
		case 'defaultBranch':
			return vscode.l10n.t('{0} was being changed when the window closed.', visibleLine(refText(write.ref)));
		case 'sendAgain':
			return vscode.l10n.t('A webhook delivery was being sent again when the window closed.');
		case 'patchsetStatus':
			return vscode.l10n.t(
				'The status of patchset {0} in {1} was being set when the window closed.',
				write.ref.id,
				visibleLine(refText(write.ref.list)),
			);
	}
}

function mailsText(name: string): string {
	return vscode.l10n.t('The subscription to {0} was being changed when the window closed.', visibleLine(name));
}
