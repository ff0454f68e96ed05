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

/** Ticket and tracker commands. From the palette, each prompts for its subject. */
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
 * True if the selection has more rows than the clicked ticket. The following keys apply to the selection, so the page
 * must not take the focus.
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

/** Web links of trackers and tickets for the copy and open commands. */
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

/** Also forgets the tracker's order, grouping and filter. Own trackers stay in the view and keep them. */
async function unfollow({ connections, filters, treeChoices }: TicketsParts, subject: unknown): Promise<void> {
	const { connectionKey, ref } = await unfollowOwned(trackerKind, connections, subject);
	const { me } = connectionOf(connections, { connectionKey });
	// Servers have lower-case user names only (docs/protocol.md#users).
	if (ref.owner.toLowerCase() !== me.toLowerCase()) {
		await treeChoices.forget(connectionKey, ref);
		await filters.setOnTracker(connectionKey, ref, undefined);
	}
}
