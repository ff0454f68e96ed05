import * as vscode from 'vscode';
import type { CommandTable } from '../../editor/commands/feature.ts';
import type { LinkSource } from '../../editor/links/linkCommands.ts';
import { connectionOf } from '../../editor/commands/subjects.ts';
import { followOwned, unfollowOwned } from '../../editor/owned/followOwned.ts';
import type { TicketsParts, WalkedView } from './parts/ticketsParts.ts';
import type { OpenTicket } from './subjects/openTicket.ts';
import { eventOf, ticketSubject, trackerSubject, type TicketSubject } from './subjects/subjects.ts';
import { trackerKind } from './subjects/trackerKind.ts';
import { ticketWebLink, webLink } from './subjects/webLink.ts';
import { nameOf } from './tree/ticketOrder.ts';
import { ticketOf } from './subjects/ticketTarget.ts';

/** The commands on tickets and trackers. From the palette each of them asks for what it needs. */
export function ticketCommands(parts: TicketsParts, open: OpenTicket): CommandTable {
	return {
		'forge.tickets.open': async (subject, signal) => {
			if (!ticketSubject(subject) && !trackerSubject(subject)) {
				return vscode.commands.executeCommand('forge.goTo');
			}
			const ticket = await ticketOf(parts, subject, { wanted: () => true, signal });
			open(ticket, isOneOfSeveral(parts.view, ticket) ? 'unmoved' : 'page', eventOf(subject));
		},
		'forge.trackers.follow': (_, signal) => followOwned(trackerKind, parts.connections, signal),
		'forge.trackers.unfollow': (subject) => unfollow(parts, subject),
	};
}

/**
 * True when more rows were selected since the ticket's own row was clicked. The keys that follow are meant for all of
 * them, and would go to the page if it took the focus.
 */
function isOneOfSeveral({ selection }: WalkedView, subject: TicketSubject): boolean {
	const name = nameOf(subject);
	return (
		selection.length > 1 &&
		selection.some((row) => {
			const selected = ticketSubject(row);
			return selected !== undefined && nameOf(selected) === name;
		})
	);
}

/** The addresses of trackers and tickets, for the commands that copy and open them. */
export function ticketLinks(parts: TicketsParts): LinkSource {
	return {
		name: vscode.l10n.t('A ticket'),
		webLink: (subject) => webLink(parts.connections, subject),
		async askForLink(signal) {
			const subject = await ticketOf(parts, undefined, { wanted: () => true, signal });
			return ticketWebLink(connectionOf(parts.connections, subject).instance, subject.ref);
		},
	};
}

/** How the tracker was shown goes with it; one's own stays in the view, and so does what is set there. */
async function unfollow({ connections, filters, treeChoices }: TicketsParts, subject: unknown): Promise<void> {
	const { connectionKey, ref } = await unfollowOwned(trackerKind, connections, subject);
	const { me } = connectionOf(connections, { connectionKey });
	// Servers have names of users in small letters only (docs/protocol.md#users).
	if (ref.owner.toLowerCase() !== me.toLowerCase()) {
		await treeChoices.forget(connectionKey, ref);
		await filters.setOnTracker(connectionKey, ref, undefined);
	}
}
