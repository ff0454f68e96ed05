import * as vscode from 'vscode';
import type { LabelRequest, StatusMove } from 'sourcehut/port/ticketRequest.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { QueuedItem, QueuedWrite } from '../../../store/outbox/outbox.ts';
import { resolutionText, statusLook, statusText } from './words.ts';

/** A queued write in one line: "Comment: Works for me · Resolve: fixed". */
export function queuedTitle(write: QueuedWrite): string {
	if (write.kind === 'newTicket') {
		return vscode.l10n.t('New ticket: {0}', visibleLine(write.ticket.title));
	}
	const { comment, move, labels, assignees } = write.wish;
	return [
		...(comment === undefined ? [] : [vscode.l10n.t('Comment: {0}', firstLine(comment))]),
		...(move ? [moveText(move)] : []),
		...named(
			labels,
			(names) => vscode.l10n.t('Add labels: {0}', names),
			(names) => vscode.l10n.t('Remove labels: {0}', names),
		),
		...named(
			assignees,
			(names) => vscode.l10n.t('Assign: {0}', names),
			(names) => vscode.l10n.t('Unassign: {0}', names),
		),
	].join(' · ');
}

function moveText(move: StatusMove): string {
	switch (move.kind) {
		case 'resolve':
			return vscode.l10n.t('Resolve: {0}', resolutionText(move.resolution));
		case 'reopen':
			return vscode.l10n.t('Reopen');
		case 'set':
			return vscode.l10n.t('Status: {0}', statusLook(move.status).text);
	}
}

function named(
	change: LabelRequest | undefined,
	added: (names: string) => string,
	removed: (names: string) => string,
): readonly string[] {
	const { add = [], remove = [] } = change ?? {};
	const list = (names: readonly string[]): string => names.map(visibleLine).join(', ');
	return [...(add.length > 0 ? [added(list(add))] : []), ...(remove.length > 0 ? [removed(list(remove))] : [])];
}

/** `error`: absent if the write waits behind an earlier one. */
export function queuedText(error: unknown): string {
	if (error === undefined) {
		return vscode.l10n.t('Your change is in the outbox, behind an earlier one to this ticket.');
	}
	return isForgeError(error) && error.problem.kind === 'rateLimited'
		? vscode.l10n.t('Too many requests. Your change is in the outbox, and sent when the forge accepts more.')
		: vscode.l10n.t("The forge can't be reached. Your change is in the outbox, and sent when the forge is back.");
}

/** Why an item is still queued, as part of a row. */
export function queuedState({ progress, write }: QueuedItem): string {
	switch (progress.kind) {
		case 'waiting':
			return vscode.l10n.t('waiting for the forge');
		case 'sent':
			return vscode.l10n.t('sent, the response was lost');
		case 'conflict':
			return progress.now
				? vscode.l10n.t('not sent: the status is now {0}', statusText(progress.now.status, progress.now.resolution))
				: vscode.l10n.t('not sent: the status may have changed');
		case 'refused':
			return vscode.l10n.t('not sent: {0}', visibleLine(progress.reason));
		case 'edited':
			return write.kind === 'newTicket'
				? vscode.l10n.t('not sent: open it to continue')
				: vscode.l10n.t('not sent: its text is also a draft');
	}
}

/** A notice about an item that waits for the user. `place`: its ticket or tracker. */
export function stoppedText({ progress }: QueuedItem, place: string): string {
	if (progress.kind === 'refused') {
		return vscode.l10n.t('Your change of {0} stays in the outbox. {1}', place, visibleLine(progress.reason));
	}
	return progress.kind === 'conflict' && progress.now
		? vscode.l10n.t(
				'Your change of {0} was not sent, because someone else set the status to "{1}".',
				place,
				statusText(progress.now.status, progress.now.resolution),
			)
		: vscode.l10n.t('Your change of {0} was not sent, because someone else may have changed the status.', place);
}

/** True if the queue waits for the user. */
export function isStopped({ progress }: QueuedItem): boolean {
	return progress.kind !== 'waiting' && progress.kind !== 'sent';
}

function firstLine(text: string): string {
	return visibleLine(text.split(/\r?\n/).find((line) => line.trim() !== '') ?? '');
}
