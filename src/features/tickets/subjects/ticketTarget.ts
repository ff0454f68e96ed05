import * as vscode from 'vscode';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { ticketRefText, type Ticket } from '../../../forge/port/ticket.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { shortTitle } from './words.ts';
import { ticketSubject, trackerSubject, type TicketSubject } from './subjects.ts';
import { askTicket, askTracker } from './ticketQuestions.ts';
import type { Connections } from '../../../store/connection.ts';
import type { PageHost } from '../../../editor/pages/pageHost.ts';

interface TargetParts {
	readonly connections: Connections;
	readonly pages: PageHost;
}

/** Filter for a command's tickets, and its signal. */
export interface TicketWanted {
	readonly wanted: (ticket: Ticket) => boolean;
	readonly signal: AbortSignal;
}

/** The command's ticket; asks if there is none. */
export async function ticketOf(parts: TargetParts, subject: unknown, wish: TicketWanted): Promise<TicketSubject> {
	const given = ticketSubject(subject);
	if (given) {
		return given;
	}
	const tracker = trackerSubject(subject) ?? (await askTracker(parts.connections, wish.signal));
	return askTicket(connectionOf(parts.connections, tracker), tracker.ref, wish);
}

/** The same for a command that works on an open ticket: from the palette it means the one in front. */
export async function ticketTarget(parts: TargetParts, subject: unknown, wish: TicketWanted): Promise<TicketSubject> {
	const front = subject === undefined ? ticketSubject(parts.pages.inFront()) : undefined;
	const known = front && knownTicket(parts, front);
	return front && known && wish.wanted(known) ? front : ticketOf(parts, subject, wish);
}

/** All tickets among the selected rows, without duplicates; asks for one if there is none. */
export async function ticketTargets(
	parts: TargetParts,
	subject: unknown,
	selected: readonly unknown[],
	wish: TicketWanted,
): Promise<readonly TicketSubject[]> {
	const tickets = new Map<string, TicketSubject>();
	for (const row of selected) {
		const ticket = ticketSubject(row);
		if (ticket) {
			tickets.set(`${ticket.connectionKey} ${ticketRefText(ticket.ref)}`, ticket);
		}
	}
	return tickets.size > 0 ? [...tickets.values()] : [await ticketTarget(parts, subject, wish)];
}

/** Says in a question which tickets the answer is for: one by its tracker, number and title, several by how many they are. */
export function ticketsInWords(parts: TargetParts, tickets: readonly TicketSubject[]): string {
	const [first] = tickets;
	return first && tickets.length === 1 ? ticketInWords(parts, first) : vscode.l10n.t('{0} tickets', tickets.length);
}

/** Omits the owner for own trackers: `website#12 Title`, but `~bob/website#12 Title`. */
function ticketInWords(parts: TargetParts, subject: TicketSubject): string {
	const { tracker, id } = subject.ref;
	const isMine = parts.connections.byKey(subject.connectionKey)?.me === tracker.owner;
	const number = `${visibleLine(isMine ? tracker.name : refText(tracker))}#${id}`;
	const title = knownTicket(parts, subject)?.title;
	return title === undefined ? number : `${number} ${shortTitle(title)}`;
}

/** A ticket as last seen, without asking. */
export function knownTicket(parts: TargetParts, { connectionKey, ref }: TicketSubject): Ticket | undefined {
	return parts.connections.byKey(connectionKey)?.tickets.knownTicket(ref);
}

/** True for a ticket that resolving makes sense for. */
export function isOpen({ status }: Ticket): boolean {
	return status !== 'resolved';
}
