import * as vscode from 'vscode';
import { assertNever } from '../../../base/assertNever.ts';
import { withoutPictures } from '../../../editor/ask/notify.ts';
import { refOfTicket, type Ticket, type TicketRef } from '../../../forge/ticket.ts';
import { refText } from '../../../forge/namedRef.ts';
import type { TrackerRef } from '../../../forge/tracker.ts';
import { foldText } from '../../../search/foldText.ts';
import type { RankedTicket } from '../../../search/rankTickets.ts';
import type { KnownPerson } from '../../../editor/ask/peopleMet.ts';
import type { Connection } from '../../../state/connection.ts';
import { readerOf } from '../subjects/knownTrackers.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { SeenTracker } from '../tree/shelf.ts';
import { statusLook, statusText } from '../subjects/words.ts';
import type { Destination } from '../../../forge/destination.ts';
import { destinationIcon, destinationText } from '../../../editor/links/destinationText.ts';
import { webDestination } from '../../../forge/webDestination.ts';
import type { Typed } from './readTyped.ts';

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
	readonly people: readonly SeenPerson[];
}

/** Somebody who was met, and through which account. */
export interface SeenPerson {
	readonly connection: Connection;
	readonly person: KnownPerson;
}

/** More trackers than these are not offered for a bare number: the way there is to name the tracker. */
const mostTrackers = 20;

/** As many people are offered beside the tickets whose titles have the same words. */
const mostPeople = 5;

/** Where the typed text may lead, likeliest first. */
export function goToRows({ typed, connections, trackers, front, ranked, people }: GoToRowsOf): readonly Row[] {
	const found = ranked.map(({ entry, from }) => ticketRow(from, entry.ticket));
	switch (typed.kind) {
		case 'nothing':
			return found;
		case 'words':
			return [...found, ...peopleRows(typed.text, people)];
		case 'number':
			return numberRows(typed.id, { trackers, front, ranked });
		case 'ticket':
			return [...referenceRows(typed, connections, trackers), ...found];
		case 'named':
			return namedRows(typed, connections, trackers);
		case 'address':
			return addressRows(typed.url, connections);
		case 'messageId':
			return messageRows(typed, connections);
		case 'person':
			return personRows(typed.name, connections);
	}
}

/** Message-IDs look like addresses. The editor puts rows that repeat what was typed first, so only the likelier one does. */
function messageRows(
	{ messageId, address }: Extract<Typed, { kind: 'messageId' }>,
	connections: readonly Connection[],
): readonly Row[] {
	const mails = oncePerForge(connections).map((connection) =>
		row(connection, { kind: 'mail', messageId, list: undefined }),
	);
	if (address === undefined) {
		return mails;
	}
	const people = personRows(address, connections);
	return madeByProgram.test(address.slice(0, longestAddress))
		? [...mails, ...people.map((each) => ({ ...each, label: vscode.l10n.t('Person with this address') }))]
		: [...people, ...mails.map((each) => ({ ...each, label: vscode.l10n.t('Mail with this Message-ID') }))];
}

/** Programs put the time, or a random number, into a Message-ID. */
const madeByProgram = /\d{5}|[\da-f]{8}|\.git\./i;
const longestAddress = 300;

/** Somebody may be known to one forge and not to another; whether they are is found out when the row is chosen. */
function personRows(name: string, connections: readonly Connection[]): readonly Row[] {
	return oncePerForge(connections).map((connection) => row(connection, { kind: 'person', name }));
}

/** Those whose name or address begins with what was typed, or who call themselves so. */
function peopleRows(text: string, people: readonly SeenPerson[]): readonly Row[] {
	const wanted = foldText(text.trim());
	return people
		.filter(({ person: { name, called } }) =>
			[name, name.replace(/^~/, ''), ...(called ?? '').split(/\s+/)].some((each) => foldText(each).startsWith(wanted)),
		)
		.slice(0, mostPeople)
		.map(({ connection, person }) => row(connection, { kind: 'person', name: person.name }));
}

/** The number is the label, so that the editor, which puts likely labels first, leaves our order of titles alone. */
function ticketRow({ connection, ref }: SeenTracker, ticket: Ticket): Row {
	const { codicon } = statusLook(ticket.status);
	return {
		label: `#${ticket.id}`,
		description: withoutPictures(
			`${visibleLine(ticket.title)} · ${visibleLine(refText(ref))} · ${statusText(ticket.status, ticket.resolution)}`,
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
						'{0} · not loaded yet, find it on {1}',
						visibleLine(refText(ref.tracker)),
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
		.filter((tracker) => refText(tracker.ref).toLowerCase() === refText(ref).toLowerCase())
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
					detail: vscode.l10n.t('You are not signed in to a forge at this address.'),
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
		case 'person':
			return there.find(({ me }) => me === to.name);
		case 'list':
		case 'repository':
		case 'reference':
		case 'file':
		case 'inRepository':
		case 'log':
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
