import * as vscode from 'vscode';
import { destinationIcon, destinationText } from '../../editor/links/destinationText.ts';
import type { GoToName, GoToThing } from '../../editor/links/goToThing.ts';
import { nameIn, type Destination } from '../../forge/destination.ts';
import { refText, type NamedRef } from '../../forge/namedRef.ts';
import { webDestination } from '../../forge/webDestination.ts';
import { oncePerForge, type Connection } from '../../state/connection.ts';
import { visibleLine } from '../../text/visible.ts';
import type { Typed } from './readTyped.ts';

/** More places than these are not offered for a bare number or commit. The full name finds the others. */
const mostPlaces = 20;

/** A row of the box. `isBright`: the text is the label, since the order does not come from words. */
export interface ExactRow extends GoToThing {
	readonly isBright?: boolean;
	readonly detail?: string;
}

/** What is known here, for typed text that names exactly one thing. */
export interface Known {
	readonly connections: readonly Connection[];
	/** Things in front first. */
	readonly names: readonly GoToName[];
	/** Tracker or repository in front. */
	readonly front: GoToName | undefined;
	/** Known things with the typed number. */
	readonly numbered: readonly GoToThing[];
	/** Things by words of the typed text, best first. */
	readonly found: readonly GoToThing[];
}

/** Rows for the typed text, likeliest first. */
export function exactRows(typed: Typed, known: Known): readonly ExactRow[] {
	switch (typed.kind) {
		case 'nothing':
		case 'words':
			return known.found;
		case 'number':
			return numberRows(typed.id, known);
		case 'ticket':
			return [...referenceRows(typed, known), ...known.found];
		case 'named':
			return withoutTwins([...namedRows(typed, known), ...known.found]);
		case 'address':
			return addressRows(typed.url, known);
		case 'messageId':
			return messageRows(typed, known);
		case 'person':
			// The person's page lists everything that the person owns.
			return typed.hasWords
				? [...known.found, ...personRows(typed.name, known)]
				: withoutTwins([...personRows(typed.name, known), ...known.found]);
		case 'commit':
			return typed.isLikely
				? [...commitRows(typed.id, known), ...known.found]
				: [...known.found, ...commitRows(typed.id, known)];
	}
}

/**
 * The ticket of this number in the tracker in front, then known tickets and patchsets, then titles with the number. The
 * number may be newer than everything known, so every other tracker offers it too.
 */
function numberRows(id: number, { names, front, numbered, found }: Known): readonly GoToThing[] {
	const inFront = front?.kind === 'tracker' ? [ticketRow(front, id, numbered)] : [];
	const isShown = (thing: GoToThing): boolean => inFront.some((each) => keyOf(each) === keyOf(thing));
	const known = new Set(numbered.map(({ to }) => (to.kind === 'ticket' ? nameKey(to.ref.tracker) : '')));
	const others = names.filter((name) => name.kind === 'tracker' && name !== front && !known.has(nameKey(name.ref)));
	return [
		...inFront,
		...numbered.filter((thing) => !isShown(thing)),
		...found.filter((thing) => !numbered.some((each) => keyOf(each) === keyOf(thing))),
		...others.slice(0, mostPlaces).map((name) => ticketRow(name, id, [])),
	];
}

function ticketRow({ connection, ref }: Omit<GoToName, 'kind'>, id: number, numbered: readonly GoToThing[]): GoToThing {
	const isIt = ({ to }: GoToThing): boolean => to.kind === 'ticket' && nameKey(to.ref.tracker) === nameKey(ref);
	const text = vscode.l10n.t('{0} · look up on {1}', visibleLine(refText(ref)), connection.instance.name);
	const to = { kind: 'ticket', ref: { tracker: ref, id } } as const;
	return numbered.find(isIt) ?? { connection, to, label: `#${id}`, text, icon: new vscode.ThemeIcon('issues') };
}

function referenceRows(
	{ owner, name, id }: Extract<Typed, { kind: 'ticket' }>,
	{ connections, names, numbered }: Known,
): readonly GoToThing[] {
	if (owner !== undefined) {
		const ref = { owner, name };
		return readers(ref, connections, names).map((connection) => ticketRow({ connection, ref }, id, numbered));
	}
	return names
		.filter(({ kind, ref }) => kind === 'tracker' && ref.name.toLowerCase() === name.toLowerCase())
		.map((tracker) => ticketRow(tracker, id, numbered));
}

/** Known things need no request. Others are looked up when they are chosen. */
function namedRows(ref: NamedRef, { connections, names }: Known): readonly ExactRow[] {
	const known = names.filter((each) => nameKey(each.ref) === nameKey(ref)).map(nameRow);
	const { owner, name } = ref;
	const others = readers(ref, connections, names).map((connection) =>
		row(connection, { kind: 'named', ref: { owner, name } }),
	);
	return [...known, ...others];
}

export function nameRow({ connection, kind, ref }: GoToName): ExactRow {
	return row(connection, { kind, ref });
}

function addressRows(url: URL, { connections, names }: Known): readonly ExactRow[] {
	const found = oncePerForge(connections).flatMap((connection) => {
		const to = webDestination(url, connection.instance);
		const ref = to && nameIn(to);
		const [reader] = ref ? readers(ref, accountsThere(connections, connection), names) : [];
		return to ? [row(reader ?? connection, to)] : [];
	});
	const detail = vscode.l10n.t('You are not signed in to a forge at this URL.');
	return found.length > 0 ? found : [{ ...row(undefined, { kind: 'web', href: url.href }), detail }];
}

/** Message-IDs look like email addresses. */
function messageRows({ messageId, address }: Extract<Typed, { kind: 'messageId' }>, known: Known): readonly ExactRow[] {
	const mails = oncePerForge(known.connections).map((connection) =>
		row(connection, { kind: 'mail', messageId, list: undefined }),
	);
	if (address === undefined) {
		return mails;
	}
	// The editor moves rows that repeat the typed text to the top, so only the likelier kind repeats it.
	const people = personRows(address, known);
	return madeByProgram.test(address.slice(0, longestAddress))
		? [...mails, ...people.map((each) => ({ ...each, text: vscode.l10n.t('Person with this email address') }))]
		: [...people, ...mails.map((each) => ({ ...each, text: vscode.l10n.t('Message with this Message-ID') }))];
}

/** Programs put the time, or a random number, into a Message-ID. */
const madeByProgram = /\d{5}|[\da-f]{8}|\.git\./i;
const longestAddress = 300;

function personRows(name: string, { connections }: Known): readonly ExactRow[] {
	return oncePerForge(connections).map((connection) => row(connection, { kind: 'person', name }));
}

function commitRows(id: string, { names, front }: Known): readonly ExactRow[] {
	const repositories = names.filter(({ kind }) => kind === 'repository');
	const first = front?.kind === 'repository' ? [front] : [];
	return [...first, ...repositories.filter((name) => name !== front)]
		.slice(0, mostPlaces)
		.map(({ connection, ref }) => row(connection, { kind: 'commit', ref, id }));
}

function row(connection: Connection | undefined, to: Destination): ExactRow {
	return {
		connection,
		to,
		label: '',
		text: destinationText(to),
		icon: new vscode.ThemeIcon(destinationIcon(to.kind)),
		isBright: true,
	};
}

/** For each forge the account that knows the name, else its owner's, else the first. */
function readers(ref: NamedRef, connections: readonly Connection[], names: readonly GoToName[]): readonly Connection[] {
	return oncePerForge(connections).map((first) => {
		const there = accountsThere(connections, first);
		const knows = (connection: Connection): boolean =>
			names.some((name) => name.connection === connection && nameKey(name.ref) === nameKey(ref));
		return there.find(knows) ?? there.find(({ me }) => me === ref.owner) ?? first;
	});
}

function accountsThere(connections: readonly Connection[], { instance }: Connection): readonly Connection[] {
	return connections.filter((each) => each.instance.id === instance.id);
}

/** Servers ignore the case of tracker names. */
function nameKey(ref: NamedRef): string {
	return refText(ref).toLowerCase();
}

function withoutTwins(rows: readonly ExactRow[]): readonly ExactRow[] {
	return rows.filter((row, at) => rows.findIndex((other) => keyOf(other) === keyOf(row)) === at);
}

/** Equal for rows that open the same thing in the same account. */
export function keyOf({ connection, to }: Pick<GoToThing, 'connection' | 'to'>): string {
	return JSON.stringify([connection?.key, to]);
}
