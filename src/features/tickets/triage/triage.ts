import * as vscode from 'vscode';
import { confirm, namesText, notify, tellBriefly, type Severity } from '../../../editor/ask/notify.ts';
import { bulkChanges } from '../../../editor/bulk/bulkChanges.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { ticketRefText } from '../../../forge/port/ticket.ts';
import type { TicketRequest } from '../../../forge/port/ticketRequest.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { WriteOutcome } from '../../../store/tickets/writing/writeOutcome.ts';
import type { TicketsParts } from '../parts/ticketsParts.ts';
import type { OpenTicket, TicketSubject } from '../subjects/subjects.ts';
import { knownTicket } from '../subjects/ticketTarget.ts';
import { resolutionText, statusLook } from '../subjects/words.ts';
import { nameOf } from '../tree/ticketOrder.ts';
import { itemOutcome, type ItemOutcome, type TicketDone, type TicketItem } from './bulk.ts';
import { countedTickets, outcomeText } from './outcomeTexts.ts';
import { changeOf, undoing, type ActItem } from './undo.ts';

/** Changes of tickets. */
export type Triage = ReturnType<typeof ticketTriage>;

/** `say` shows or clears an error on the ticket's page; false if that page is not active. */
export function ticketTriage(
	parts: TicketsParts,
	open: OpenTicket,
	say: (subject: TicketSubject, text: string) => boolean,
) {
	const { connections, problems } = parts;

	/** Shows the message on the ticket's page if that is active: a notice would cover it and disappear. */
	function tellTrouble(subject: TicketSubject, text: string, severity: Severity): void {
		if (!say(subject, text)) {
			void notify(severity, text);
		}
	}

	function tellOne(item: TicketItem, outcome: ItemOutcome, again: (item: TicketItem) => Promise<void>): void {
		const { subject } = item;
		const text = `${visibleLine(ticketRefText(subject.ref))}: ${outcomeText(item, outcome, problems)}`;
		switch (outcome.kind) {
			case 'done':
				if (outcome.deviations.length > 0) {
					return tellTrouble(subject, text, 'warning');
				}
				say(subject, '');
				return tellBriefly(text);
			case 'needless':
			case 'leftAlone':
			case 'notTried':
				return tellBriefly(text);
			case 'refused':
			case 'unread':
				if (problems.explain(outcome.error).action) {
					throw outcome.error;
				}
				problems.log(outcome.error);
				return tellTrouble(subject, text, 'error');
			case 'missing':
				problems.log(outcome.error);
				return offer(text, vscode.l10n.t('Send Again'), () => again({ ...item, wish: outcome.left }));
			case 'unclear':
				problems.log(outcome.error);
				return offer(text, vscode.l10n.t('Open Ticket'), () => open(subject, 'page'));
		}
	}

	/** Not awaited: the notice may stay open for hours. */
	function offer(text: string, label: string, step: () => unknown): void {
		notify('warning', text, label)
			.then((chosen) => (chosen === label ? step() : undefined))
			.catch((error: unknown) => problems.show(error));
	}

	const bulk = bulkChanges<TicketSubject, TicketRequest, TicketDone, ActItem, WriteOutcome>({
		connections,
		problems,
		atOnce: 4,
		nameOf,
		counted: countedTickets,
		plan: async (key, items) =>
			connections.byKey(key)?.writes.plan(items.map(({ subject: { ref }, wish }) => ({ ref, wish }))),
		send: ({ subject, wish }, signal) => connectionOf(connections, subject).writes.write(subject.ref, wish, signal),
		write: async (_, send, signal) => itemOutcome(await send(signal)),
		changeOf,
		isAsWanted: ({ deviations }) => deviations.length === 0,
		outcomeText: (item, outcome) => outcomeText(item, outcome, problems),
		row: (subject) => ({
			label: visibleLine(`${ticketRefText(subject.ref)} ${knownTicket(parts, subject)?.title ?? ''}`),
		}),
		open: (subject) => open(subject, 'page'),
		tellOne,
		undo: {
			checking: vscode.l10n.t('Checking tickets…'),
			async undoing(change, signal) {
				const { ref } = change.subject;
				const { tickets, writes } = connectionOf(connections, change.subject);
				return undoing(change, await tickets.renewTicket(ref, signal), writes.limits());
			},
			asksFromNotice: false,
			isMeant,
			result: undoneText,
			tellNothing([only]) {
				if (only) {
					tellTrouble(only.item.subject, outcomeText(only.item, only.outcome, problems), 'warning');
				}
			},
		},
	});

	return { parts, bulk, open, say, tellTrouble };
}

function undoneText(items: readonly TicketItem[], count: string): string {
	const isOnly = (part: keyof TicketRequest): boolean =>
		items.every(({ wish }) => Object.keys(wish).every((each) => each === part));
	if (isOnly('move')) {
		return vscode.l10n.t('Undid status changes on {0}.', count);
	}
	if (isOnly('assignees')) {
		return vscode.l10n.t('Undid assignee changes on {0}.', count);
	}
	return isOnly('labels')
		? vscode.l10n.t('Undid label changes on {0}.', count)
		: vscode.l10n.t('Undid changes on {0}.', count);
}

function isMeant(items: readonly TicketItem[]): Promise<boolean> {
	const [only] = items;
	return confirm(
		only && items.length === 1 ? undoQuestion(only) : vscode.l10n.t('Undo the changes of {0} tickets?', items.length),
		items.length === 1 ? '' : namesText(items.map(undoText)),
		vscode.l10n.t('Undo'),
	);
}

/** "Reopen ~alice/website#203?" */
function undoQuestion({ subject, wish: { move, assignees } }: TicketItem): string {
	const name = visibleLine(ticketRefText(subject.ref));
	switch (move?.kind) {
		case 'reopen':
			return vscode.l10n.t('Reopen {0}?', name);
		case 'resolve':
			return vscode.l10n.t('Resolve {0} as {1}?', name, resolutionText(move.resolution));
		case 'set':
			return vscode.l10n.t('Set the status of {0} to {1}?', name, statusLook(move.status).text);
		case undefined:
			return assignees
				? vscode.l10n.t('Undo the assignee changes of {0}?', name)
				: vscode.l10n.t('Undo the label changes of {0}?', name);
	}
}

/** "Reopen ~alice/website#203", as one of several. */
function undoText({ subject, wish: { move, assignees } }: TicketItem): string {
	const name = visibleLine(ticketRefText(subject.ref));
	switch (move?.kind) {
		case 'reopen':
			return vscode.l10n.t('Reopen {0}', name);
		case 'resolve':
			return vscode.l10n.t('Resolve {0} as {1}', name, resolutionText(move.resolution));
		case 'set':
			return vscode.l10n.t('Set the status of {0} to {1}', name, statusLook(move.status).text);
		case undefined:
			return assignees
				? vscode.l10n.t('Undo the assignee changes of {0}', name)
				: vscode.l10n.t('Undo the label changes of {0}', name);
	}
}
