import * as vscode from 'vscode';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import type { GoToName, GoToThing } from '../../../editor/links/goToThing.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { refOfTicket } from 'sourcehut/port/ticket.ts';
import { thingSource, type KnownThings } from '../../../engine/search/rankThings.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { Connections } from '../../../store/connection.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';
import { statusLook, statusText } from '../subjects/words.ts';
import { allTrackers } from '../tree/treeContext.ts';

/** Trackers and indexed tickets for Go to…. */
export function knownTickets(context: TicketsContext): KnownThings<GoToName, GoToThing> {
	const { connections, problems } = context;
	return {
		names: () => allTrackers(connections).map((tracker) => ({ ...tracker, kind: 'tracker' })),
		sources: () =>
			allTrackers(connections).map((tracker) =>
				thingSource(
					tracker.connection.index.tickets(tracker.ref),
					{
						text: ({ ticket }) => ticket.title,
						number: ({ ticket }) => ticket.id,
						isOver: ({ ticket }) => ticket.status === 'resolved',
						atMs: ({ ticket }) => ticket.updatedMs,
					},
					({ ticket }) => {
						const { codicon } = statusLook(ticket.status);
						const state = statusText(ticket.status, ticket.resolution);
						return {
							connection: tracker.connection,
							to: { kind: 'ticket', ref: refOfTicket(ticket) },
							label: `#${ticket.id}`,
							text: `${visibleLine(ticket.title)} · ${visibleLine(refText(tracker.ref))} · ${state}`,
							icon: new vscode.ThemeIcon(codicon),
						};
					},
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

/** Notifies of index changes in all current accounts, for boxes that stay open. */
export function onIndexChange(connections: Connections, listener: () => void): Disposable {
	const listening = new Disposables();
	for (const { index } of connections.all()) {
		listening.add(index.onDidChange(listener));
	}
	return listening;
}
