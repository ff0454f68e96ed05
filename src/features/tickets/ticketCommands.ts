import * as vscode from 'vscode';
import { askFor } from '../../editor/ask.ts';
import { offer } from '../../editor/askConnection.ts';
import type { CommandTable } from '../../editor/feature.ts';
import type { LinkSource } from '../../editor/linkCommands.ts';
import { withProgress } from '../../editor/progress.ts';
import { connectionOf } from '../../editor/subjects.ts';
import { refOfTicket, ticketRefText, type Ticket, type TicketChanges } from '../../forge/ticket.ts';
import { trackerRefText } from '../../forge/tracker.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import { refusedText } from './permissions.ts';
import { isOpen } from './ticketPage.ts';
import { askResolution, askTicket, askTicketConnection, askTracker } from './ticketQuestions.ts';
import type { TicketsParts } from './ticketsParts.ts';
import { ticketSubject, trackerSubject, type TicketSubject, type TrackerSubject } from './subjects.ts';
import { pastedReference, ticketWebLink, webLink } from './webLink.ts';
import { statusText } from './words.ts';
import { notify, tellBriefly } from '../../editor/notify.ts';
import { visibleLine } from '../../text/visible.ts';

/** Known limits (observed-behaviour 10). */
const title = { shortest: 3, longest: 2048 } as const;
const longestDescription = 16_383;

/** Shows a ticket's page; `focusComposer` puts the caret into the comment box. */
export type OpenTicket = (subject: TicketSubject, focusComposer: boolean) => void;

/** The commands on tickets and trackers. From the palette each of them asks for what it needs. */
export function ticketCommands(parts: TicketsParts, open: OpenTicket): CommandTable {
	return {
		'forge.tickets.open': async (subject, signal) =>
			open(await ticketOf(parts, subject, { wanted: () => true, signal }), false),
		'forge.tickets.comment': async (subject, signal) =>
			open(await ticketMeant(parts, subject, { wanted: () => true, signal }), true),
		'forge.tickets.resolve': (subject, signal) => resolve(parts, subject, signal),
		'forge.tickets.reopen': (subject, signal) => reopen(parts, subject, signal),
		'forge.tickets.new': (subject, signal) => submit(parts, subject, { open, signal }),
		'forge.trackers.follow': (_, signal) => follow(parts, signal),
		'forge.trackers.unfollow': async (subject, signal) => {
			const { ref, connectionKey } =
				trackerSubject(subject) ?? (await askTracker(parts.connections, 'followed', signal));
			await connectionOf(parts.connections, { connectionKey }).tickets.unfollow(ref);
		},
	};
}

interface Wish {
	readonly wanted: (ticket: Ticket) => boolean;
	readonly signal: AbortSignal;
}

/** The ticket that a command is about; asks when it was not handed one. */
async function ticketOf(parts: TicketsParts, subject: unknown, wish: Wish): Promise<TicketSubject> {
	const given = ticketSubject(subject);
	if (given) {
		return given;
	}
	const tracker = trackerSubject(subject) ?? (await askTracker(parts.connections, 'any', wish.signal));
	return askTicket(connectionOf(parts.connections, tracker), tracker.ref, wish);
}

/** The same for a command that works on an open ticket: from the palette it means the one in front. */
async function ticketMeant(parts: TicketsParts, subject: unknown, wish: Wish): Promise<TicketSubject> {
	const front = subject === undefined ? ticketSubject(parts.pages.inFront()) : undefined;
	const known = front && parts.connections.byKey(front.connectionKey)?.tickets.knownTicket(front.ref);
	return front && known && wish.wanted(known) ? front : ticketOf(parts, subject, wish);
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

async function resolve(parts: TicketsParts, subject: unknown, signal: AbortSignal): Promise<void> {
	const ticket = await ticketMeant(parts, subject, { wanted: isOpen, signal });
	const resolution = await askResolution();
	await change(parts, ticket, { changes: { status: 'resolved', resolution }, signal });
}

async function reopen(parts: TicketsParts, subject: unknown, signal: AbortSignal): Promise<void> {
	const ticket = await ticketMeant(parts, subject, { wanted: (known) => !isOpen(known), signal });
	await change(parts, ticket, { changes: { status: 'reported' }, signal });
}

/** Sends one change, and says what the server answered. */
async function change(
	parts: TicketsParts,
	subject: TicketSubject,
	{ changes, signal }: { readonly changes: TicketChanges; readonly signal: AbortSignal },
): Promise<void> {
	const reference = ticketRefText(subject.ref);
	const { tickets } = connectionOf(parts.connections, subject);
	try {
		const { ticket } = await withProgress(vscode.l10n.t('Changing {0}…', reference), signal, (working) =>
			tickets.update(subject.ref, changes, working),
		);
		tellBriefly(vscode.l10n.t('{0}: {1}', reference, statusText(ticket.status, ticket.resolution)));
	} catch (error) {
		// A refused request may have changed something all the same (observed-behaviour 3.4).
		tickets.renewTicket(subject.ref, signal).catch((again: unknown) => parts.problems.log(again));
		if (!isForgeError(error) || error.problem.kind !== 'notAllowed') {
			throw error;
		}
		parts.problems.log(error);
		// Not awaited: a notice that nobody closes must not keep the command from ending.
		void notify('error', refusedText('triage', visibleLine(subject.ref.tracker.owner)));
	}
}

async function submit(
	parts: TicketsParts,
	subject: unknown,
	{ open, signal }: { readonly open: OpenTicket; readonly signal: AbortSignal },
): Promise<void> {
	const tracker =
		trackerSubject(subject) ?? trackerOfTicket(subject) ?? (await askTracker(parts.connections, 'any', signal));
	const heading = vscode.l10n.t('New ticket in {0}', trackerRefText(tracker.ref));
	const newTitle = await askFor({
		title: heading,
		prompt: vscode.l10n.t('Title'),
		complaint: (value) => titleComplaint(value.trim()),
	});
	const description = await askFor({
		title: heading,
		prompt: vscode.l10n.t('Description in Markdown; may stay empty'),
		complaint: (value) =>
			value.length > longestDescription
				? vscode.l10n.t('A description may have at most {0} characters.', longestDescription)
				: undefined,
	});
	const { tickets } = connectionOf(parts.connections, tracker);
	const ticket = await withProgress(vscode.l10n.t('Submitting…'), signal, (working) =>
		tickets.submit(tracker.ref, { title: newTitle, description }, working),
	);
	open({ kind: 'ticket', connectionKey: tracker.connectionKey, ref: refOfTicket(ticket) }, false);
}

/** The view hands over the row in focus, which may be a ticket. */
function trackerOfTicket(subject: unknown): TrackerSubject | undefined {
	const ticket = ticketSubject(subject);
	return ticket && { kind: 'tracker', connectionKey: ticket.connectionKey, ref: ticket.ref.tracker };
}

function titleComplaint(text: string): string | undefined {
	return text.length < title.shortest || text.length > title.longest
		? vscode.l10n.t('A title has {0} to {1} characters.', title.shortest, title.longest)
		: undefined;
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
