import * as vscode from 'vscode';
import { isBareRefusal, isForgeError } from 'sourcehut/port/forgeError.ts';
import { ticketResolutions, ticketStatuses, type Ticket } from 'sourcehut/port/ticket.ts';
import { isNothing, type Deviation, type TicketRequest } from 'sourcehut/port/ticketRequest.ts';
import { wordOf } from 'sourcehut/port/word.ts';
import { withWhatWasDone, type Problems } from '../../../editor/ask/problems.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { queuedText } from '../subjects/queuedWords.ts';
import { refusedText } from '../subjects/permissions.ts';
import { resolutionText, statusLook, statusText } from '../subjects/words.ts';
import type { BulkItem, BulkOutcome, BulkResult } from '../../../editor/bulk/runBulk.ts';
import type { WriteOutcome } from '../../../store/tickets/writing/writeOutcome.ts';
import type { TicketSubject } from '../subjects/subjects.ts';

/** "3 tickets", or "2 of 3 tickets". */
export function countedTickets(done: number, all: number): string {
	if (done < all) {
		return vscode.l10n.t('{0} of {1} tickets', done, all);
	}
	return all === 1 ? vscode.l10n.t('1 ticket') : vscode.l10n.t('{0} tickets', all);
}

/** Outcome of one ticket as a sentence. */
export function outcomeText(item: TicketItem, outcome: ItemOutcome, problems: Problems): string {
	switch (outcome.kind) {
		case 'done': {
			const { move, ...others } = item.wish;
			if (outcome.isNeedless && move && isNothing(others)) {
				return alreadyText(outcome.ticket);
			}
			return outcome.deviations.length > 0
				? deviationText(item.wish, outcome.deviations)
				: outcome.wasLost
					? besides(doneText(item, outcome.ticket), vscode.l10n.t('The response was lost, but the change was made.'))
					: doneText(item, outcome.ticket);
		}
		case 'refused': {
			const reason = reasonOf(item, outcome.error);
			return reason === undefined ? problems.explain(outcome.error).message : withWhatWasDone(reason, outcome.error);
		}
		case 'missing':
			return vscode.l10n.t('The connection was lost, and the change was not made. It can be sent again.');
		case 'unclear':
			return vscode.l10n.t(
				'The connection was lost, and it is not known whether the change was made. Check the ticket before you send it again.',
			);
		case 'notTried':
			return vscode.l10n.t('Not tried.');
		case 'needless':
		case 'leftAlone':
		case 'queued':
			return outcome.reason;
		case 'unread':
			return problems.explain(outcome.error).message;
	}
}

/** Why the status of a ticket was not set. */
export function alreadyText({ status, resolution }: Ticket): string {
	return vscode.l10n.t('Not changed: the status was already {0}.', statusText(status, resolution));
}

/** Result in a row: status, labels, assignees, comment. */
function doneText({ wish: { comment, move, labels, assignees }, leftOut }: TicketItem, ticket: Ticket): string {
	const names = ticket.labels.map(visibleLine);
	const people = ticket.assignees.map(({ canonicalName }) => visibleLine(canonicalName));
	const done = [
		...(comment === undefined ? [] : [vscode.l10n.t('Commented')]),
		...(move ? [statusText(ticket.status, ticket.resolution)] : []),
		...(labels
			? [names.length === 0 ? vscode.l10n.t('No labels') : vscode.l10n.t('Labels: {0}', names.join(', '))]
			: []),
		...(assignees
			? [people.length === 0 ? vscode.l10n.t('No assignees') : vscode.l10n.t('Assignees: {0}', people.join(', '))]
			: []),
	].join(', ');
	return leftOut === undefined ? done : besides(done, leftOut);
}

/** A result followed by a detail sentence. */
function besides(done: string, sentence: string): string {
	return `${done} · ${sentence}`;
}

/** Differences between the forge's answer and the request, as sentences. */
export function deviationText(wish: TicketRequest, deviations: readonly Deviation[]): string {
	return deviations.map((each) => deviationSentence(wish, each)).join(' ');
}

function deviationSentence({ labels }: TicketRequest, deviations: Deviation): string {
	switch (deviations.kind) {
		case 'status':
			return vscode.l10n.t(
				'The forge set the status {0} instead of {1}.',
				statusName(deviations.got),
				statusName(deviations.wanted),
			);
		case 'resolution':
			return vscode.l10n.t(
				'It is already resolved as {0}, and the forge keeps that. Reopen it first to resolve it as {1}.',
				resolutionName(deviations.got),
				resolutionName(deviations.wanted),
			);
		case 'labelMissing':
			return labels?.add.includes(deviations.name)
				? vscode.l10n.t('The forge did not add the label {0}.', visibleLine(deviations.name))
				: vscode.l10n.t(
						'The label {0}, which someone added at the same time, was lost and could not be restored. Add it again.',
						visibleLine(deviations.name),
					);
		case 'labelLeft':
			return labels?.remove.includes(deviations.name)
				? vscode.l10n.t('The forge did not remove the label {0}.', visibleLine(deviations.name))
				: vscode.l10n.t(
						'The label {0}, which someone removed at the same time, was added again by this. Remove it if it is not wanted.',
						visibleLine(deviations.name),
					);
		case 'assigneeMissing':
			return vscode.l10n.t('The forge did not assign {0}.', visibleLine(deviations.name));
		case 'assigneeLeft':
			return vscode.l10n.t('The forge did not unassign {0}.', visibleLine(deviations.name));
		case 'comment':
			return vscode.l10n.t('The response does not contain the comment. Check the ticket before you send it again.');
	}
}

function statusName(word: string): string {
	return statusLook(wordOf(ticketStatuses, word)).text;
}

function resolutionName(word: string): string {
	return resolutionText(wordOf(ticketResolutions, word));
}

/** `undefined` if the usual text suffices. */
function reasonOf({ subject, wish }: TicketItem, error: unknown): string | undefined {
	if (!isForgeError(error)) {
		return undefined;
	}
	const { problem } = error;
	if (isBareRefusal(error)) {
		const owner = visibleLine(subject.ref.tracker.owner);
		if (wish.assignees) {
			return vscode.l10n.t('The forge rejected the change of assignees. Ask {0} for permission to triage.', owner);
		}
		return wish.labels
			? vscode.l10n.t('The forge rejected the label change. Ask {0} for permission to triage.', owner)
			: refusedText(wish.move ? 'triage' : 'comment', owner);
	}
	const isMoveRefused = problem.kind === 'invalid' && problem.errors.some(({ field }) => field === 'resolution');
	return isMoveRefused && wish.move?.kind === 'set'
		? vscode.l10n.t('This forge can only resolve or reopen tickets.')
		: undefined;
}

export interface TicketDone {
	readonly ticket: Ticket;
	readonly before: Ticket | undefined;
	/** With `wasLost`: changes of others that the write reverted. */
	readonly deviations: readonly Deviation[];
	/** Already in the wanted state; nothing sent. */
	readonly isNeedless?: true;
}

export type TicketItem = BulkItem<TicketSubject, TicketRequest>;
export type ItemOutcome = BulkOutcome<TicketRequest, TicketDone>;
export type ItemResult = BulkResult<TicketSubject, TicketRequest, TicketDone>;

/** Converts a single write's outcome. */
export function itemOutcome(outcome: WriteOutcome): ItemOutcome {
	switch (outcome.kind) {
		case 'done':
			return { ...outcome, wasLost: false };
		case 'arrived':
			return { ...outcome, kind: 'done', deviations: outcome.deviations ?? [], wasLost: true };
		case 'missing':
			return { kind: 'missing', left: outcome.left, error: outcome.error };
		case 'unclear':
			return outcome;
		case 'queued':
			return { kind: 'queued', reason: queuedText(outcome.error) };
	}
}
