import * as vscode from 'vscode';
import { confirm, namesText, notify, tellBriefly, type Severity } from '../../../editor/ask/notify.ts';
import { bulkChanges } from '../../../editor/bulk/bulkChanges.ts';
import { cancelled } from '../../../editor/ask/ask.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { ticketRefText } from 'sourcehut/port/ticket.ts';
import type { TicketRequest } from 'sourcehut/port/ticketRequest.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { WriteOutcome } from '../../../store/tickets/writing/writeOutcome.ts';
import type { Connection } from '../../../store/connection.ts';
import type { BulkPart } from '../../../store/shared/writeJournal.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';
import { noRefusals, possibility } from '../subjects/permissions.ts';
import type { OpenTicket, TicketSubject } from '../subjects/subjects.ts';
import { knownTicket } from '../subjects/ticketTarget.ts';
import { resolutionText, statusLook } from '../subjects/words.ts';
import { nameOf } from '../tree/ticketOrder.ts';
import {
	itemOutcome,
	type ItemOutcome,
	type ItemResult,
	type TicketDone,
	type TicketItem,
	countedTickets,
	outcomeText,
} from './outcomeTexts.ts';
import { changeOf, undoing, type ActItem } from './undo.ts';

/** Tickets that a command may change, and the others with the reason. */
export interface AllowedTargets {
	readonly tickets: readonly TicketSubject[];
	readonly refused: readonly ItemResult[];
}

/** Changes of tickets. */
export type Triage = ReturnType<typeof ticketTriage>;

/** `say` shows or clears an error on the ticket's page; false if that page is not active. */
export function ticketTriage(
	context: TicketsContext,
	open: OpenTicket,
	say: (subject: TicketSubject, text: string) => boolean,
) {
	const { connections, problems } = context;

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
			case 'queued':
			case 'notTried':
				return tellBriefly(text);
			case 'refused':
			case 'unread':
				// A lost connection stays beside the ticket, which the notice of the runner does not name.
				if ((problems.explain(outcome.error).action?.command ?? 'forge.checkConnection') !== 'forge.checkConnection') {
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
			label: visibleLine(`${ticketRefText(subject.ref)} ${knownTicket(context, subject)?.title ?? ''}`),
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
			result: (items, count) => changeWords(partOf(items)).undone(count),
			tellNothing([only]) {
				if (only) {
					tellTrouble(only.item.subject, outcomeText(only.item, only.outcome, problems), 'warning');
				}
			},
		},
	});

	return {
		context,
		bulk,
		open,
		say,
		/**
		 * Splits tickets by known permissions. If all are forbidden, shows the reason before any question and throws
		 * `cancelled()`.
		 */
		allowed(subjects: readonly TicketSubject[], wanted: 'triage' | 'edit'): AllowedTargets {
			const tickets: TicketSubject[] = [];
			const refused: ItemResult[] = [];
			for (const subject of subjects) {
				const ticket = knownTicket(context, subject);
				const connection = connectionOf(connections, subject);
				const can = ticket && possibility(wanted, connection, ticket, noRefusals);
				const reason = can?.kind === 'impossible' ? can.reason : undefined;
				if (reason === undefined) {
					tickets.push(subject);
				} else {
					refused.push({ item: { subject, wish: {} }, outcome: { kind: 'needless', reason } });
				}
			}
			const [first] = refused;
			if (first?.outcome.kind === 'needless' && tickets.length === 0) {
				tellTrouble(first.item.subject, first.outcome.reason, 'warning');
				throw cancelled();
			}
			return { tickets, refused };
		},
	};
}

/** Texts about a change of one part of tickets, or of several parts. */
export function changeWords(part: keyof TicketRequest | undefined) {
	switch (part) {
		case 'labels':
			return {
				heading: vscode.l10n.t('Changing labels…'),
				undoing: vscode.l10n.t('Undoing label changes…'),
				result: (count: string) => vscode.l10n.t('Changed labels on {0}.', count),
				stopped: (count: string) => vscode.l10n.t('Labels were changed on {0} when the window closed.', count),
				undone: (count: string) => vscode.l10n.t('Undid label changes on {0}.', count),
			};
		case 'assignees':
			return {
				heading: vscode.l10n.t('Changing assignees…'),
				undoing: vscode.l10n.t('Undoing assignee changes…'),
				result: (count: string) => vscode.l10n.t('Changed assignees on {0}.', count),
				stopped: (count: string) => vscode.l10n.t('Assignees were changed on {0} when the window closed.', count),
				undone: (count: string) => vscode.l10n.t('Undid assignee changes on {0}.', count),
			};
		case 'comment':
			return {
				heading: vscode.l10n.t('Commenting…'),
				undoing: vscode.l10n.t('Undoing changes…'),
				result: (count: string) => vscode.l10n.t('Commented on {0}.', count),
				stopped: (count: string) => vscode.l10n.t('A comment was posted on {0} when the window closed.', count),
				undone: (count: string) => vscode.l10n.t('Undid changes on {0}.', count),
			};
		case 'move':
			return {
				heading: vscode.l10n.t('Changing tickets…'),
				undoing: vscode.l10n.t('Undoing status changes…'),
				result: (count: string) => vscode.l10n.t('Changed {0}.', count),
				stopped: (count: string) => vscode.l10n.t('The status was changed on {0} when the window closed.', count),
				undone: (count: string) => vscode.l10n.t('Undid status changes on {0}.', count),
			};
		case undefined:
			return {
				heading: vscode.l10n.t('Changing tickets…'),
				undoing: vscode.l10n.t('Undoing changes…'),
				result: (count: string) => vscode.l10n.t('Changed {0}.', count),
				stopped: (count: string) => vscode.l10n.t('Changes were made on {0} when the window closed.', count),
				undone: (count: string) => vscode.l10n.t('Undid changes on {0}.', count),
			};
	}
}

/** The only part that the items change; `undefined` for several. */
function partOf(items: readonly TicketItem[]): keyof TicketRequest | undefined {
	return (['move', 'assignees', 'labels', 'comment'] as const).find((part) =>
		items.every(({ wish }) => Object.keys(wish).every((each) => each === part)),
	);
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

/** Reports an interrupted bulk action and offers Continue and Undo. Keeps its entries until the user answers. */
export async function resumeAct(
	{ context: { drafts }, bulk }: Triage,
	{ key: connectionKey, journal }: Connection,
	parts: readonly BulkPart[],
	signal: AbortSignal,
): Promise<void> {
	const all = parts.flatMap(({ entry, verdict }) => {
		const { write } = entry;
		if (write.kind !== 'ticket') {
			return [];
		}
		const item = { subject: { kind: 'ticket', connectionKey, ref: write.ref }, wish: write.wish } as const;
		const after = verdict?.kind === 'there' ? verdict.after : entry.after;
		const change = entry.before && after ? { ...item, before: entry.before, after } : undefined;
		return [{ entry, verdict, item, change }];
	});
	const job = changeWords(partOf(all.map(({ item }) => item)));
	await bulk.resume(journal, all, job, signal, async ([unsent]) => {
		if (unsent?.item.wish.comment !== undefined) {
			// The user dismissed the notice. All tickets share the same comment text.
			const about = { kind: 'comment', connectionKey, ref: unsent.item.subject.ref } as const;
			await drafts.keepBeside(about, { text: unsent.item.wish.comment, atMs: unsent.entry.sentMs });
		}
	});
}
