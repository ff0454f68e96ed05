import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import { resting } from '@forge-desk/base/timeSlice.ts';
import { liveQuickPick, showRows } from '../../editor/ask/liveQuickPick.ts';
import { plainUnderBox, withoutPictures } from '../../editor/ask/notify.ts';
import type { Problems } from '../../editor/ask/problems.ts';
import type { Feature } from '../../editor/commands/feature.ts';
import { mailUrl, readArchivePlace } from 'public-inbox/read/archivePlace.ts';
import { knownSites } from 'public-inbox/read/knownSites.ts';
import { destinationLooks, destinationText } from '../../editor/links/destinationText.ts';
import { openThing, type GoToName, type GoToThing } from '../../editor/links/goToThing.ts';
import type { RecentPage } from '../../editor/pages/pageHost.ts';
import { nameIn, type Destination } from 'sourcehut/port/destination.ts';
import { originOf, isOwnComputer } from 'sourcehut/port/instance.ts';
import { refText, type NamedRef } from 'sourcehut/port/namedRef.ts';

import {
	rankThings,
	thingSource,
	withNumber,
	type KnownThings,
	type ThingSource,
} from '../../engine/search/rankThings.ts';
import { type Connections, oncePerForge, type Connection } from '../../store/connection.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import { nameInFront, pageThing } from './goToPages.ts';
import { readTyped, type ListAddress, type Typed } from './readTyped.ts';
import { webOf } from '../../editor/links/webOf.ts';

/** More places than these are not offered for a bare number or commit. The full name finds the others. */
const mostPlaces = 20;

/** Programs put the time, or a random number, into a Message-ID. */
const madeByProgram = /\d{5}|[\da-f]{8}|\.git\./i;

const longestAddress = 300;

/** More rows are not offered; typing on narrows them. */
const most = 50;

/** A row of the box. */
interface GoToRow extends vscode.QuickPickItem {
	readonly thing: ExactRow;
	/** The typed text of the row. */
	readonly forText: string;
}

/** Dependencies of the area. */
export interface GoToContext {
	readonly connections: Connections;
	readonly known: readonly KnownThings<GoToName, GoToThing>[];
	/** Subject of the page or file in front. */
	readonly front: () => unknown;
	/** Opens a page of an email archive, by its URL. */
	readonly openArchive: (url: string, signal: AbortSignal) => Promise<void>;
	/** Pages that were in front, the latest first. */
	readonly recent: () => readonly RecentPage[];
	readonly clock: Clock;
	readonly problems: Problems;
}

/** One box for everything that has a name, number, id, URL, Message-ID or commit. */
export function goToFeature(parts: GoToContext): Feature {
	return {
		commands: {
			// Works without a folder, and sends no request for the first rows.
			'forge.goTo': async (subject, signal) => {
				const thing = await askThing(parts, typeof subject === 'string' ? subject : '', signal);
				await openThing(thing, parts.openArchive, signal);
			},
		},
		dispose: () => undefined,
	};
}

/** `text`: typed already. Throws an abort when the box is closed. */
function askThing(parts: GoToContext, text: string, signal: AbortSignal): Promise<GoToThing> {
	return liveQuickPick<GoToRow, GoToThing>(
		({ box, ended, redraw }) => {
			box.title = vscode.l10n.t('Go to');
			box.placeholder = vscode.l10n.t('Name, number, words of a title, URL, Message-ID, commit, or ~person');
			box.value = text;
			parts.known.forEach(({ learn }) => learn(redraw, ended));
			return {
				async draw(drawing) {
					const forText = box.value;
					const things = await thingsFor(parts, forText, drawing);
					const kept = box.items[0]?.forText === forText ? box.items.map(({ thing }) => thing) : [];
					const rows = withPlacesOf(kept, things).map((thing): GoToRow => {
						const { label, text: said, icon, connection, detail, isBright } = thing;
						const line = withoutPictures(said);
						return {
							// The editor sorts rows whose label matches the typed text before all others. Words therefore go into
							// the description, and our ranking stays.
							label: isBright ? line : label === '' ? ' ' : label,
							...(isBright ? (connection ? { description: connection.instance.name } : {}) : { description: line }),
							...(detail === undefined ? {} : { detail }),
							iconPath: icon,
							alwaysShow: true,
							thing,
							forText,
						};
					});
					showRows(box, rows, (one, other) => one.forText === other.forText && keyOf(one.thing) === keyOf(other.thing));
					const none =
						parts.connections.all().length > 0
							? vscode.l10n.t(
									'Nothing known here matches. Enter a full name, such as ~owner/name#12 or ~person, or a URL.',
								)
							: vscode.l10n.t(
									'Paste the URL of a list or message in an email archive. Sign in to go to tickets, patches and repositories.',
								);
					box.prompt = plainUnderBox(rows.length === 0 ? none : '');
				},
				take: ({ thing }) => thing,
			};
		},
		parts.problems,
		signal,
	);
}

async function thingsFor(parts: GoToContext, text: string, signal: AbortSignal): Promise<readonly ExactRow[]> {
	const typed = readTyped(text);
	const front = nameInFront(parts.connections, parts.front());
	const all = parts.known.flatMap(({ names }) => names());
	const names = front ? [front, ...all.filter((name) => keyOf(nameRow(name)) !== keyOf(nameRow(front)))] : all;
	const ofNames = thingSource(
		names,
		{ text: ({ ref }) => `${ref.name} ${ref.owner}`, atMs: () => Infinity },
		(name): ExactRow => ({ ...nameRow(name), isBright: false }),
	);
	const sources: readonly ThingSource<ExactRow>[] = [ofNames, ...parts.known.flatMap((each) => each.sources())];
	const isSearched = typed.kind !== 'address' && typed.kind !== 'messageId' && typed.kind !== 'listAddress';
	// Names are known without the marks that people type.
	const query = typed.kind === 'person' || typed.kind === 'named' ? text.replaceAll(/[~/]/g, ' ') : text;
	const ranked = isSearched ? await rankThings({ query, limit: most }, sources, resting(parts.clock), signal) : [];
	signal.throwIfAborted();
	const recent =
		typed.kind === 'nothing' ? parts.recent().flatMap((page) => pageThing(parts.connections, page) ?? []) : [];
	const rows = exactRows(typed, {
		connections: parts.connections.all(),
		names,
		front,
		numbered:
			typed.kind === 'number' || typed.kind === 'ticket'
				? withNumber(sources, typed.id).map((each): ExactRow => ({ ...each, known: 'byNumber' }))
				: [],
		found: withPlacesOf(recent, ranked),
	});
	return rows.filter(({ connection, to }) => {
		const area = to.kind === 'thread' || to.kind === 'archive' ? 'lists' : destinationLooks[to.kind].area;
		return connection === undefined || area === undefined || connection.instance.areas[area] !== undefined;
	});
}

/**
 * Existing rows keep their places, so nothing moves under the cursor. New rows follow. A row that only looks something
 * up keeps no place before things with the typed number that became known since.
 */
function withPlacesOf(before: readonly ExactRow[], now: readonly ExactRow[]): readonly ExactRow[] {
	const fresh = new Map(now.map((thing) => [keyOf(thing), thing]));
	const kept = before.filter(({ known }) => known !== 'lookedUp').map((thing) => fresh.get(keyOf(thing)) ?? thing);
	const keys = new Set(kept.map(keyOf));
	const rows = [...kept, ...now.filter((thing) => !keys.has(keyOf(thing)))];
	return [...rows.filter(({ known }) => known === 'byNumber'), ...rows.filter(({ known }) => known !== 'byNumber')];
}

/** A row of the box. `isBright`: the text is the label, because the order ignores the words. */
interface ExactRow extends GoToThing {
	readonly isBright?: boolean;
	readonly detail?: string;
	/** `byNumber`: it exists and has the typed number. `lookedUp`: whether it exists is unknown. */
	readonly known?: 'byNumber' | 'lookedUp';
}

/** What is known here, for typed text that names exactly one thing. */
interface Known {
	readonly connections: readonly Connection[];
	/** Things in front first. */
	readonly names: readonly GoToName[];
	/** Tracker or repository in front. */
	readonly front: GoToName | undefined;
	/** Known things with the typed number. */
	readonly numbered: readonly ExactRow[];
	/** Things by words of the typed text, best first. */
	readonly found: readonly GoToThing[];
}

/** Rows for the typed text, likeliest first. */
function exactRows(typed: Typed, known: Known): readonly ExactRow[] {
	const { connections, names, front, numbered, found } = known;
	switch (typed.kind) {
		case 'nothing':
		case 'words':
			return found;
		case 'number': {
			// The number may be newer than everything known, so every other tracker offers it too.
			const inTrackers = new Set(numbered.map(({ to }) => (to.kind === 'ticket' ? nameKey(to.ref.tracker) : '')));
			const inFront = front?.kind === 'tracker' ? ticketRow(front, typed.id, numbered) : undefined;
			const missing = names.filter(
				(name) => name.kind === 'tracker' && name !== front && !inTrackers.has(nameKey(name.ref)),
			);
			return withoutTwins([
				...(inFront?.known === 'byNumber' ? [inFront] : []),
				...numbered,
				// The one in front before titles with the number.
				...(inFront ? [inFront] : []),
				...found,
				...missing.slice(0, mostPlaces).map((name) => ticketRow(name, typed.id, [])),
			]);
		}
		case 'ticket': {
			const { owner, name, id } = typed;
			const rows =
				owner === undefined
					? names
							.filter(({ kind, ref }) => kind === 'tracker' && ref.name.toLowerCase() === name.toLowerCase())
							.map((tracker) => ticketRow(tracker, id, numbered))
					: readers({ owner, name }, connections, names).map((connection) =>
							ticketRow({ connection, ref: { owner, name } }, id, numbered),
						);
			// Tickets that exist come first.
			const isNumbered = (each: ExactRow): number => Number(each.known === 'byNumber');
			return [...rows.toSorted((one, other) => isNumbered(other) - isNumbered(one)), ...found];
		}
		case 'named': {
			// Known things need no request. Others are looked up when they are chosen.
			const { owner, name } = typed;
			const others = readers(typed, connections, names).map((connection) =>
				row(connection, { kind: 'named', ref: { owner, name } }),
			);
			const called = names.filter((each) => nameKey(each.ref) === nameKey(typed)).map(nameRow);
			return withoutTwins([...called, ...others, ...found]);
		}
		case 'listAddress':
			return listAddressRows(typed, known);
		case 'address':
			return addressRows(typed.url, known);
		case 'messageId':
			return messageRows(typed, known);
		case 'person':
			// The list of a person has everything that the person owns.
			return typed.hasWords
				? [...found, ...personRows(typed.name, known)]
				: withoutTwins([...personRows(typed.name, known), ...found]);
		case 'commit':
			return typed.isLikely ? [...commitRows(typed.id, known), ...found] : [...found, ...commitRows(typed.id, known)];
	}
}

function ticketRow({ connection, ref }: Omit<GoToName, 'kind'>, id: number, numbered: readonly ExactRow[]): ExactRow {
	const known = numbered.find(({ to }) => to.kind === 'ticket' && nameKey(to.ref.tracker) === nameKey(ref));
	const text = vscode.l10n.t('{0} · look up on {1}', visibleLine(refText(ref)), connection.instance.name);
	const to = { kind: 'ticket', ref: { tracker: ref, id } } as const;
	return known ?? { connection, to, label: `#${id}`, text, icon: new vscode.ThemeIcon('issues'), known: 'lookedUp' };
}

function nameRow({ connection, kind, ref }: GoToName): ExactRow {
	return row(connection, { kind, ref });
}

function addressRows(url: URL, { connections, names }: Known): readonly ExactRow[] {
	const found = oncePerForge(connections).flatMap((connection) => {
		const to = webOf(connection.instance).destination(url);
		const ref = to && nameIn(to);
		const [reader] = ref ? readers(ref, accountsThere(connections, connection), names) : [];
		return to ? [row(reader ?? connection, to)] : [];
	});
	const detail = vscode.l10n.t('You are not signed in to a forge at this URL.');
	if (found.length > 0) {
		return found;
	}
	const web: ExactRow = { ...row(undefined, { kind: 'web', href: url.href }), detail };
	const place = readArchivePlace(url.href);
	const archive = archiveRow(url.href, vscode.l10n.t('Email archive at {0}', visibleLine(url.host)));
	// Archives have their lists right below a site, and websites have more above their pages.
	const isList = place?.kind === 'place' && /^https?:\/\/[^/]+\/[^/~]+\/$/.test(place.url);
	const isKnown = knownSites.some((site) => place?.kind === 'place' && place.url.startsWith(site.url));
	return place?.kind === 'mail' || isList || isKnown ? [archive, web] : [web, archive];
}

function archiveRow(url: string, text: string): ExactRow {
	const icon = new vscode.ThemeIcon('archive');
	return { connection: undefined, to: { kind: 'archive', url }, label: '', text, icon, isBright: true };
}

/**
 * The list on the forge of the address. A forge on this computer has no mail host of its own, so it may have any
 * list. Known lists of the name follow, because other hosts may receive their mails.
 */
function listAddressRows(of: ListAddress, known: Known): readonly ExactRow[] {
	const { owner, name, host, address, isDotted } = of;
	const ref = { owner, name };
	const to = { kind: 'list', ref } as const;
	const accounts = readers(ref, known.connections, known.names);
	const there = accounts.filter(({ instance }) => new URL(originOf(instance, 'lists')).hostname === host.toLowerCase());
	const called = known.names.filter((each) => each.kind === 'list' && nameKey(each.ref) === nameKey(ref));
	const local = isDotted ? [] : accounts.filter(({ instance }) => isOwnComputer(originOf(instance, 'lists')));
	const found = withoutTwins([
		...there.map((connection) => row(connection, to)),
		...(there.length > 0 ? [] : called.map(nameRow)),
		...(there.length > 0 || called.length > 0 ? [] : local.map((connection) => row(connection, to))),
	]);
	if (found.length > 0) {
		return found;
	}
	return isDotted
		? messageRows({ kind: 'messageId', messageId: `<${address}>`, address }, known)
		: addressRows(new URL(`https://${host}/${owner}/${name}`), known);
}

/** Message-IDs look like email addresses. */
function messageRows({ messageId, address }: Extract<Typed, { kind: 'messageId' }>, known: Known): readonly ExactRow[] {
	const mails = oncePerForge(known.connections).map((connection) =>
		row(connection, { kind: 'mail', messageId, list: undefined }),
	);
	const connected = new Set(known.connections.map(({ instance }) => instance.archiveUrl));
	const elsewhere = knownSites
		.filter(({ url, hasAll }) => hasAll && !connected.has(url))
		.map(({ url }) =>
			archiveRow(
				mailUrl(`${url}all/`, messageId),
				vscode.l10n.t('Message in the email archive {0}', new URL(url).host),
			),
		);
	if (address === undefined) {
		return [...mails, ...elsewhere];
	}
	// The editor moves rows that repeat the typed text to the top, so only the likelier kind repeats it.
	const people = personRows(address, known);
	return madeByProgram.test(address.slice(0, longestAddress))
		? [
				...mails,
				...elsewhere,
				...people.map((each) => ({ ...each, text: vscode.l10n.t('Person with this email address') })),
			]
		: [...people, ...mails.map((each) => ({ ...each, text: vscode.l10n.t('Message with this Message-ID') }))];
}

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
		icon: new vscode.ThemeIcon(destinationLooks[to.kind].icon),
		isBright: true,
	};
}

/** For each forge the account that knows the name, else its owner's, else the first. */
function readers(ref: NamedRef, connections: readonly Connection[], names: readonly GoToName[]): readonly Connection[] {
	return oncePerForge(connections).map((first) => {
		const there = accountsThere(connections, first);
		const knowing = names.filter((name) => nameKey(name.ref) === nameKey(ref)).map(({ connection }) => connection);
		return (
			there.find((connection) => knowing.includes(connection)) ?? there.find(({ me }) => me === ref.owner) ?? first
		);
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
function keyOf({ connection, to }: GoToThing): string {
	return JSON.stringify([connection?.key, to]);
}
