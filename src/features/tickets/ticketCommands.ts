import * as vscode from 'vscode';
import { askFor } from '../../editor/ask/ask.ts';
import { offer } from '../../editor/ask/askConnection.ts';
import type { CommandTable } from '../../editor/commands/feature.ts';
import type { LinkSource } from '../../editor/links/linkCommands.ts';
import { withProgress } from '../../editor/ask/progress.ts';
import { connectionOf } from '../../editor/commands/subjects.ts';
import { trackerRefText } from '../../forge/tracker.ts';
import { askTicketConnection, askTracker } from './subjects/ticketQuestions.ts';
import type { TicketsParts, WalkedView } from './parts/ticketsParts.ts';
import type { OpenTicket } from './subjects/openTicket.ts';
import {
	eventOf,
	ticketSubject,
	trackerSubject,
	type TicketSubject,
	type TrackerSubject,
} from './subjects/subjects.ts';
import { pastedReference, ticketWebLink, webLink } from './subjects/webLink.ts';
import { goTo } from './find/goTo.ts';
import { nameOf } from './tree/ticketOrder.ts';
import { ticketOf } from './subjects/ticketMeant.ts';

/** The commands on tickets and trackers. From the palette each of them asks for what it needs. */
export function ticketCommands(parts: TicketsParts, open: OpenTicket): CommandTable {
	return {
		'forge.tickets.open': async (subject, signal) => {
			if (!ticketSubject(subject) && !trackerSubject(subject)) {
				return goTo(parts, { title: vscode.l10n.t('Open a ticket'), text: '' }, signal);
			}
			const ticket = await ticketOf(parts, subject, { wanted: () => true, signal });
			open(ticket, isOneOfSeveral(parts.view, ticket) ? 'unmoved' : 'page', eventOf(subject));
		},
		'forge.trackers.follow': (_, signal) => follow(parts, signal),
		'forge.trackers.unfollow': async (subject, signal) =>
			unfollow(parts, trackerSubject(subject) ?? (await askTracker(parts.connections, 'followed', signal))),
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

async function follow(parts: TicketsParts, signal: AbortSignal): Promise<void> {
	const connection = await askTicketConnection(parts.connections);
	const { todo } = connection.instance.areas;
	const answer = await askFor({
		title: vscode.l10n.t('Follow a tracker'),
		prompt: vscode.l10n.t('Its reference, or its address on the web'),
		placeHolder: '~owner/name',
		complaint: (value) =>
			pastedReference(value, todo)
				? undefined
				: vscode.l10n.t('Write ~owner/name, or paste an address that begins with {0}.', todo),
	});
	const reference = pastedReference(answer, todo);
	if (!reference) {
		return;
	}
	const ref = reference.kind === 'tracker' ? reference.tracker : reference.ticket.tracker;
	const tracker = await withProgress(vscode.l10n.t('Searching for {0}…', trackerRefText(ref)), signal, (working) =>
		connection.tickets.follow(ref, working),
	);
	if (tracker.owner.canonicalName === connection.me) {
		await offer(vscode.l10n.t('{0} is your own tracker and already in the view.', trackerRefText(ref)), {
			label: vscode.l10n.t('Show'),
			command: 'forge.tickets.focus',
		});
	}
}

/** How the tracker was shown goes with it; one's own stays in the view, and so does what is set there. */
async function unfollow(
	{ connections, filters, treeChoices }: TicketsParts,
	{ ref, connectionKey }: TrackerSubject,
): Promise<void> {
	const { tickets, me } = connectionOf(connections, { connectionKey });
	await tickets.unfollow(ref);
	// Servers have names of users in small letters only (docs/protocol.md#users).
	if (ref.owner.toLowerCase() !== me.toLowerCase()) {
		await treeChoices.forget(connectionKey, ref);
		await filters.setOnTracker(connectionKey, ref, undefined);
	}
}
