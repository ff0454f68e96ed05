import * as vscode from 'vscode';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { ticketRefText, type Ticket } from 'sourcehut/port/ticket.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { shortTitle } from './words.ts';
import { ticketSubject, trackerOf, trackerSubject, type TicketSubject, type TrackerSubject } from './subjects.ts';
import { askTicket, askTracker } from './ticketQuestions.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';

/** The command's ticket; asks for one that is `wanted` if there is none. */
export async function ticketOf(
	{ connections }: TicketsContext,
	subject: unknown,
	wanted: (ticket: Ticket) => boolean,
	signal: AbortSignal,
): Promise<TicketSubject> {
	const given = ticketSubject(subject);
	if (given) {
		return given;
	}
	const tracker = trackerSubject(subject) ?? (await askTracker(connections, signal));
	return askTicket(connectionOf(connections, tracker), tracker.ref, wanted, signal);
}

/** The command's tracker, or that of its ticket; from the palette that of the ticket in front. Asks for one otherwise. */
export async function trackerTarget(
	{ connections, pages }: TicketsContext,
	subject: unknown,
	signal: AbortSignal,
): Promise<TrackerSubject> {
	return trackerOf(subject === undefined ? pages.inFront() : subject) ?? askTracker(connections, signal);
}

/** The same for a command that works on an open ticket: from the palette it means the one in front. */
export async function ticketTarget(
	context: TicketsContext,
	subject: unknown,
	wanted: (ticket: Ticket) => boolean,
	signal: AbortSignal,
): Promise<TicketSubject> {
	const front = subject === undefined ? ticketSubject(context.pages.inFront()) : undefined;
	const known = front && knownTicket(context, front);
	return front && known && wanted(known) ? front : ticketOf(context, subject, wanted, signal);
}

/** All tickets among the selected rows, without duplicates; asks for one if there is none. */
export async function ticketTargets(
	context: TicketsContext,
	subject: unknown,
	selected: readonly unknown[],
	wanted: (ticket: Ticket) => boolean,
	signal: AbortSignal,
): Promise<readonly TicketSubject[]> {
	const tickets = new Map<string, TicketSubject>();
	for (const row of selected) {
		const ticket = ticketSubject(row);
		if (ticket) {
			tickets.set(`${ticket.connectionKey} ${ticketRefText(ticket.ref)}`, ticket);
		}
	}
	return tickets.size > 0 ? [...tickets.values()] : [await ticketTarget(context, subject, wanted, signal)];
}

/** Says in a question which tickets the answer is for: one by its tracker, number and title, several by how many they are. */
export function ticketsInWords(context: TicketsContext, tickets: readonly TicketSubject[]): string {
	const [first] = tickets;
	return first && tickets.length === 1 ? ticketInWords(context, first) : vscode.l10n.t('{0} tickets', tickets.length);
}

/** Omits the owner for own trackers: `website#12 Title`, but `~bob/website#12 Title`. */
function ticketInWords(context: TicketsContext, subject: TicketSubject): string {
	const { tracker, id } = subject.ref;
	const isMine = context.connections.byKey(subject.connectionKey)?.me === tracker.owner;
	const number = `${visibleLine(isMine ? tracker.name : refText(tracker))}#${id}`;
	const title = knownTicket(context, subject)?.title;
	return title === undefined ? number : `${number} ${shortTitle(title)}`;
}

/** A ticket as last seen, without asking. */
export function knownTicket(context: TicketsContext, { connectionKey, ref }: TicketSubject): Ticket | undefined {
	return context.connections.byKey(connectionKey)?.tickets.knownTicket(ref);
}

/** True for a ticket that resolving makes sense for. */
export function isOpen({ status }: Ticket): boolean {
	return status !== 'resolved';
}

export function isAny(): boolean {
	return true;
}
