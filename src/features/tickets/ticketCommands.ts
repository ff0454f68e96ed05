import * as vscode from 'vscode';
import { askFor } from '../../editor/ask.ts';
import { offer } from '../../editor/askConnection.ts';
import type { CommandTable } from '../../editor/feature.ts';
import type { LinkSource } from '../../editor/linkCommands.ts';
import { withProgress } from '../../editor/progress.ts';
import { connectionOf } from '../../editor/subjects.ts';
import { trackerRefText } from '../../forge/tracker.ts';
import { askTicketConnection, askTracker } from './ticketQuestions.ts';
import type { TicketsParts } from './ticketsParts.ts';
import { trackerSubject, type TicketSubject } from './subjects.ts';
import { pastedReference, ticketWebLink, webLink } from './webLink.ts';
import { ticketOf } from './triage/ticketMeant.ts';

/** Shows a ticket's page; `focusComposer` puts the caret into the comment box. */
export type OpenTicket = (subject: TicketSubject, focusComposer: boolean) => void;

/** The commands on tickets and trackers. From the palette each of them asks for what it needs. */
export function ticketCommands(parts: TicketsParts, open: OpenTicket): CommandTable {
	return {
		'forge.tickets.open': async (subject, signal) =>
			open(await ticketOf(parts, subject, { wanted: () => true, signal }), false),
		'forge.trackers.follow': (_, signal) => follow(parts, signal),
		'forge.trackers.unfollow': async (subject, signal) => {
			const { ref, connectionKey } =
				trackerSubject(subject) ?? (await askTracker(parts.connections, 'followed', signal));
			await connectionOf(parts.connections, { connectionKey }).tickets.unfollow(ref);
		},
	};
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
	const tracker = await withProgress(vscode.l10n.t('Looking for {0}…', trackerRefText(ref)), signal, (working) =>
		connection.tickets.follow(ref, working),
	);
	if (tracker.owner.canonicalName === connection.me) {
		await offer(vscode.l10n.t('{0} is your own tracker and already in the view.', trackerRefText(ref)), {
			label: vscode.l10n.t('Show'),
			command: 'forge.tickets.focus',
		});
	}
}
