import * as vscode from 'vscode';
import type { GoToName, GoToThing } from '../../../editor/links/goToThing.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import { refOfTicket, type Ticket } from '../../../forge/port/ticket.ts';
import { thingSource, type KnownThings } from '../../../engine/search/rankThings.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { TicketsParts } from '../parts/ticketsParts.ts';
import { statusLook, statusText } from '../subjects/words.ts';
import type { SeenTracker } from '../tree/shelf.ts';
import { allTrackers } from '../tree/treeContext.ts';
import { onIndexChange } from './onIndexChange.ts';

/** Trackers and indexed tickets for Go to…. */
export function knownTickets(parts: TicketsParts): KnownThings<GoToName, GoToThing> {
	const { connections, problems } = parts;
	return {
		names: () => allTrackers(parts).map((tracker) => ({ ...tracker, kind: 'tracker' })),
		sources: () =>
			allTrackers(parts).map((tracker) =>
				thingSource(
					tracker.connection.index.tickets(tracker.ref),
					{
						text: ({ ticket }) => ticket.title,
						number: ({ ticket }) => ticket.id,
						isOver: ({ ticket }) => ticket.status === 'resolved',
						atMs: ({ ticket }) => ticket.updatedMs,
					},
					({ ticket }) => ticketThing(tracker, ticket),
				),
			),
		learn(changed, signal) {
			const listening = onIndexChange(connections, changed);
			signal.addEventListener('abort', () => listening.dispose(), { once: true });
			for (const { tickets } of connections.all()) {
				tickets.ownTrackers(signal).then(changed, problems.log);
			}
		},
	};
}

function ticketThing({ connection, ref }: SeenTracker, ticket: Ticket): GoToThing {
	const { codicon } = statusLook(ticket.status);
	const state = statusText(ticket.status, ticket.resolution);
	return {
		connection,
		to: { kind: 'ticket', ref: refOfTicket(ticket) },
		label: `#${ticket.id}`,
		text: `${visibleLine(ticket.title)} · ${visibleLine(refText(ref))} · ${state}`,
		icon: new vscode.ThemeIcon(codicon),
	};
}
