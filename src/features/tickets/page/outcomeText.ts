import type { Deviation, TicketRequest } from 'sourcehut/port/ticketRequest.ts';
import * as vscode from 'vscode';
import type { SendAnswer } from '../../../pages/protocol/ticketProtocol.ts';
import { queuedText } from '../subjects/queuedWords.ts';
import { deviationText } from '../triage/outcomeTexts.ts';

/** The parts of a write's outcome that the page needs. */
export type WriteEnd =
	| { readonly kind: 'done'; readonly deviations: readonly Deviation[] }
	| { readonly kind: 'arrived'; readonly deviations?: readonly Deviation[] }
	| { readonly kind: 'missing'; readonly left: TicketRequest }
	| { readonly kind: 'unclear' }
	| { readonly kind: 'queued'; readonly error: unknown };

/** An unresolved write of an earlier window. `isMissing`: a lookup did not find it. */
export interface LeftOnTicket {
	readonly wish: TicketRequest;
	readonly isMissing: boolean;
}

/** The same in plain words. */
export function sendAnswer(outcome: WriteEnd, wish: TicketRequest): SendAnswer {
	switch (outcome.kind) {
		case 'done':
			return {
				kind: 'done',
				text: differences(outcome.deviations, wish),
				isCommentThere: !outcome.deviations.some(({ kind }) => kind === 'comment'),
			};
		case 'arrived': {
			// A write that dropped somebody's change needs a lasting message.
			const deviations = outcome.deviations ?? [];
			const lost = differences(deviations, wish);
			return lost === ''
				? { kind: 'arrived', text: arrivedText(wish), isCommentThere: true }
				: { kind: 'done', text: `${arrivedText(wish)} ${lost}`, isCommentThere: true };
		}
		case 'missing':
			return outcome.left.comment === undefined
				? {
						kind: 'missing',
						text:
							wish.comment === undefined
								? vscode.l10n.t('The response was lost, and the change was not made.')
								: vscode.l10n.t('The response was lost. Your comment was posted, but the change was not made.'),
						isCommentThere: true,
					}
				: {
						kind: 'missing',
						text: vscode.l10n.t('The response was lost, and your comment was not posted. It is kept here.'),
						isCommentThere: false,
					};
		case 'queued':
			// The outbox has the text, so the box is free.
			return { kind: 'queued', text: queuedText(outcome.error), isCommentThere: true };
		case 'unclear':
			return {
				kind: 'unclear',
				text:
					wish.comment === undefined
						? vscode.l10n.t('The response was lost. The change may or may not have been made.')
						: vscode.l10n.t('The response was lost. Your comment may or may not have been posted; it is kept here.'),
				isCommentThere: false,
			};
	}
}

/** Text for an unresolved write of an earlier window. */
export function leftAnswer({ wish, isMissing }: LeftOnTicket): SendAnswer {
	return isMissing
		? {
				kind: 'missing',
				text: vscode.l10n.t('This may not have arrived. Checked: it is not on the ticket.'),
				isCommentThere: false,
			}
		: sendAnswer({ kind: 'unclear' }, wish);
}

/** Refusal while another change is still in flight. */
export function stillSending(): SendAnswer {
	const text = vscode.l10n.t('Still sending your previous change. Try again when it is done.');
	return { kind: 'missing', text, isCommentThere: false };
}

function arrivedText(wish: TicketRequest): string {
	return wish.comment === undefined
		? vscode.l10n.t('The response was lost, but your change was made.')
		: vscode.l10n.t('The response was lost, but your comment was posted.');
}

/** The page keeps a comment that did not arrive, and reports it. */
function differences(deviations: readonly Deviation[], wish: TicketRequest): string {
	const others = deviations.filter(({ kind }) => kind !== 'comment');
	const kept = vscode.l10n.t('The response does not contain your comment. It is kept here.');
	return [deviationText(wish, others), ...(others.length < deviations.length ? [kept] : [])].filter(Boolean).join(' ');
}
