import * as vscode from 'vscode';
import { assertNever } from '../../../base/assertNever.ts';
import { withoutPictures } from '../../../editor/notify.ts';
import { refOfTicket, type Ticket, type TicketRef } from '../../../forge/ticket.ts';
import { trackerRefText, type TrackerRef } from '../../../forge/tracker.ts';
import type { RankedTicket } from '../../../search/rankTickets.ts';
import type { Connection } from '../../../state/connection.ts';
import { readerOf } from '../references/knownTrackers.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { SeenTracker } from '../tree/ticketShelf.ts';
import { statusLook, statusText } from '../words.ts';
import type { Destination, Typed } from './destination.ts';
import { destinationIcon, destinationText } from './destinationText.ts';
import { webDestination } from './webDestination.ts';

/** A row of the box: where Enter leads. */
export interface GoToRow extends vscode.QuickPickItem {
	/** `undefined` only for addresses of no known forge. */
	readonly connection: Connection | undefined;
	readonly to: Destination;
	/** The typed text that the row was made for. */
	readonly forText: string;
}

type Row = Omit<GoToRow, 'forText'>;

/** What the rows are made of. */
export interface GoToRowsOf {
	readonly typed: Typed;
	readonly connections: readonly Connection[];
	/** The one in front comes first. */
	readonly trackers: readonly SeenTracker[];
	/** The tracker whose numbers are most likely meant; one of `trackers`. */
	readonly front: SeenTracker | undefined;
	/** Tickets found among those that are known, best first. */
	readonly ranked: readonly RankedTicket<SeenTracker>[];
}

/** More trackers than these are not offered for a bare number: the way there is to name the tracker. */
const mostTrackers = 20;

/** Where the typed text may lead, likeliest first. */
export function goToRows({ typed, connections, trackers, front, ranked }: GoToRowsOf): readonly Row[] {
	const found = ranked.map(({ entry, from }) => ticketRow(from, entry.ticket));
	switch (typed.kind) {
		case 'nothing':
			return [];
		case 'words':
			return found;
		case 'number':
			return numberRows(typed.id, { trackers, front, ranked });
		case 'ticket':
			return [...referenceRows(typed, connections, trackers), ...found];
		case 'named':
			return namedRows(typed, connections, trackers);
		case 'address':
			return addressRows(typed.url, connections);
		case 'messageId':
			return oncePerForge(connections).map((connection) =>
				row(connection, { kind: 'mail', messageId: typed.messageId, list: undefined }),
			);
	}
}

/** The number is the label, so that the editor, which puts likely labels first, leaves our order of titles alone. */
function ticketRow({ connection, ref }: SeenTracker, ticket: Ticket): Row {
	const { codicon } = statusLook(ticket.status);
	return {
		label: `#${ticket.id}`,
		description: withoutPictures(
			`${visibleLine(ticket.title)} · ${visibleLine(trackerRefText(ref))} · ${statusText(ticket.status, ticket.resolution)}`,
		),
		iconPath: new vscode.ThemeIcon(codicon),
		alwaysShow: true,
		connection,
		to: { kind: 'ticket', ref: refOfTicket(ticket) },
	};
}

/**
 * The ticket of this number in the tracker in front, then those that are known, then titles with the number in them. It
 * may be newer than all that is known, so it opens in every tracker all the same.
 */
function numberRows(
	id: number,
	{ trackers, front, ranked }: Pick<GoToRowsOf, 'trackers' | 'front' | 'ranked'>,
): readonly Row[] {
	const rowOf = ({ entry, from }: RankedTicket<SeenTracker>): Row => ticketRow(from, entry.ticket);
	const isMeant = ({ entry }: RankedTicket<SeenTracker>): boolean => entry.ticket.id === id;
	const numbered = ranked.filter(isMeant);
	const known = new Set(numbered.map(({ from }) => from));
	const unknown = trackers
		.filter((tracker) => tracker !== front && !known.has(tracker))
		.slice(0, mostTrackers)
		.map(({ connection, ref }) => numberRow(connection, { tracker: ref, id }));
	return [
		...(front ? [numberRow(front.connection, { tracker: front.ref, id })] : []),
		...numbered.filter(({ from }) => from !== front).map(rowOf),
		...ranked.filter((each) => !isMeant(each)).map(rowOf),
		...unknown,
	];
}

function numberRow(connection: Connection, ref: TicketRef): Row {
	const known = connection.tickets.knownTicket(ref);
	return known
		? ticketRow({ connection, ref: ref.tracker }, known)
		: {
				label: `#${ref.id}`,
				description: withoutPictures(
					vscode.l10n.t(
						'{0} · not among the known tickets, look on {1}',
						visibleLine(trackerRefText(ref.tracker)),
						connection.instance.name,
					),
				),
				iconPath: new vscode.ThemeIcon('issues'),
				alwaysShow: true,
				connection,
				to: { kind: 'ticket', ref },
			};
}

function referenceRows(
	{ owner, name, id }: Extract<Typed, { kind: 'ticket' }>,
	connections: readonly Connection[],
	trackers: readonly SeenTracker[],
): readonly Row[] {
	if (owner !== undefined) {
		const tracker = { owner, name };
		return readersPerForge(connections, tracker).map((connection) => numberRow(connection, { tracker, id }));
	}
	return trackers
		.filter(({ ref }) => ref.name.toLowerCase() === name.toLowerCase())
		.map(({ connection, ref }) => numberRow(connection, { tracker: ref, id }));
}

/** What is known needs no request; what is not is looked for when it is chosen. */
function namedRows(
	ref: TrackerRef,
	connections: readonly Connection[],
	trackers: readonly SeenTracker[],
): readonly Row[] {
	const known = trackers
		.filter((tracker) => trackerRefText(tracker.ref).toLowerCase() === trackerRefText(ref).toLowerCase())
		.map(({ connection, ref: tracker }) => row(connection, { kind: 'tracker', ref: tracker }));
	const others = readersPerForge(connections, ref).map((connection) =>
		row(connection, { kind: 'named', ref: { owner: ref.owner, name: ref.name } }),
	);
	return [...known, ...others];
}

function addressRows(url: URL, connections: readonly Connection[]): readonly Row[] {
	const found = oncePerForge(connections).flatMap((connection) => {
		const to = webDestination(url, connection.instance);
		const reader = to && readerThere(connections, connection, to);
		return to ? [row(reader ?? connection, to)] : [];
	});
	return found.length > 0
		? found
		: [
				{
					...row(undefined, { kind: 'web', href: url.href }),
					detail: vscode.l10n.t('You are signed in to no forge at this address.'),
				},
			];
}

function row(connection: Connection | undefined, to: Destination): Row {
	return {
		label: withoutPictures(destinationText(to)),
		...(connection ? { description: connection.instance.name } : {}),
		iconPath: new vscode.ThemeIcon(destinationIcon(to.kind)),
		alwaysShow: true,
		connection,
		to,
	};
}

/** For each forge the account that sees what bears this name. */
function readersPerForge(connections: readonly Connection[], ref: TrackerRef): readonly Connection[] {
	return oncePerForge(connections).map((first) => readerOf(ref, accountsThere(connections, first)) ?? first);
}

/** The account of a forge that sees what an address leads to. */
function readerThere(connections: readonly Connection[], first: Connection, to: Destination): Connection | undefined {
	const there = accountsThere(connections, first);
	switch (to.kind) {
		case 'ticket':
			return readerOf(to.ref.tracker, there);
		case 'tracker':
			return readerOf(to.ref, there);
		case 'patchset':
			return ownerOf(to.ref.list, there);
		case 'mail':
			return to.list && ownerOf(to.list, there);
		case 'list':
		case 'repository':
		case 'reference':
		case 'file':
		case 'commit':
		case 'named':
			return ownerOf(to.ref, there);
		case 'web':
			return first;
		default:
			return assertNever(to);
	}
}

function ownerOf({ owner }: { readonly owner: string }, there: readonly Connection[]): Connection | undefined {
	return there.find(({ me }) => me === owner);
}

function accountsThere(connections: readonly Connection[], { instance }: Connection): readonly Connection[] {
	return connections.filter((each) => each.instance.id === instance.id);
}

/** The first account of each forge. */
function oncePerForge(connections: readonly Connection[]): readonly Connection[] {
	return [...new Map(connections.toReversed().map((each) => [each.instance.id, each])).values()].toReversed();
}
