import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { resting } from '../../base/timeSlice.ts';
import { askLive } from '../../editor/ask/askLive.ts';
import { askConnection } from '../../editor/ask/askConnection.ts';
import { plainUnderBox, withoutPictures } from '../../editor/ask/notify.ts';
import type { Problems } from '../../editor/ask/problems.ts';
import { showRows } from '../../editor/ask/showRows.ts';
import type { Feature } from '../../editor/commands/feature.ts';
import { openThing, type GoToName, type GoToThing } from '../../editor/links/goToThing.ts';
import { rankThings, thingSource, withNumber, type KnownThings, type ThingSource } from '../../search/rankThings.ts';
import type { RecentPage } from '../../editor/pages/pageHost.ts';
import type { Connections } from '../../state/connection.ts';
import { exactRows, keyOf, nameRow, type ExactRow } from './exactRows.ts';
import { nameInFront, pageThing } from './pageThings.ts';
import { readTyped } from './readTyped.ts';

/** More rows are not offered; typing on narrows them. */
const most = 50;

/** A row of the box. */
interface GoToRow extends vscode.QuickPickItem {
	readonly thing: ExactRow;
	/** The typed text of the row. */
	readonly forText: string;
}

/** What Go to… needs of the rest of the program. */
export interface GoToParts {
	readonly connections: Connections;
	readonly known: readonly KnownThings<GoToName, GoToThing>[];
	/** Subject of the page or file in front. */
	readonly front: () => unknown;
	/** Pages that were in front, the latest first. */
	readonly recent: () => readonly RecentPage[];
	readonly clock: Clock;
	readonly problems: Problems;
}

/** One box for everything that has a name, number, id, URL, Message-ID or commit. */
export function goToFeature(parts: GoToParts): Feature {
	return {
		commands: {
			'forge.goTo': (subject, signal) => goTo(parts, typeof subject === 'string' ? subject : '', signal),
		},
		dispose: () => undefined,
	};
}

/** `text`: typed already. Works without a folder, and sends no request for the first rows. */
async function goTo(parts: GoToParts, text: string, signal: AbortSignal): Promise<void> {
	if (parts.connections.all().length === 0) {
		await askConnection(parts.connections, vscode.l10n.t('Sign in to go to tickets, patches and repositories.'));
	}
	await openThing(await askThing(parts, text, signal), signal);
}

/** Throws an abort when the box is closed. */
function askThing(parts: GoToParts, text: string, signal: AbortSignal): Promise<GoToThing> {
	return askLive<GoToRow, GoToThing>(
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
					const rows = withPlacesOf(kept, things).map((thing) => rowOf(thing, forText));
					showRows(box, rows, { lookOf, isSame });
					box.prompt = plainUnderBox(promptText(rows.length));
				},
				take: ({ thing }) => thing,
			};
		},
		parts.problems,
		signal,
	);
}

async function thingsFor(parts: GoToParts, text: string, signal: AbortSignal): Promise<readonly ExactRow[]> {
	const typed = readTyped(text);
	const front = nameInFront(parts.connections, parts.front());
	const all = parts.known.flatMap(({ names }) => names());
	const isFront = (name: GoToName): boolean => front !== undefined && keyOf(nameRow(name)) === keyOf(nameRow(front));
	const names = front ? [front, ...all.filter((name) => !isFront(name))] : all;
	const ofNames = thingSource(
		names,
		{ text: ({ ref }) => `${ref.name} ${ref.owner}`, atMs: () => Infinity },
		(name): ExactRow => ({ ...nameRow(name), isBright: false }),
	);
	const sources: readonly ThingSource<ExactRow>[] = [ofNames, ...parts.known.flatMap((each) => each.sources())];
	const isSearched = typed.kind !== 'address' && typed.kind !== 'messageId';
	// Names are known without the marks that people type.
	const query = typed.kind === 'person' || typed.kind === 'named' ? text.replaceAll(/[~/]/g, ' ') : text;
	const ranked = isSearched ? await rankThings({ query, limit: most }, sources, resting(parts.clock), signal) : [];
	signal.throwIfAborted();
	const recent =
		typed.kind === 'nothing' ? parts.recent().flatMap((page) => pageThing(parts.connections, page) ?? []) : [];
	return exactRows(typed, {
		connections: parts.connections.all(),
		names,
		front,
		numbered: typed.kind === 'number' || typed.kind === 'ticket' ? withNumber(sources, typed.id) : [],
		found: withPlacesOf(recent, ranked),
	});
}

/** Rows that are there keep their places, so nothing moves under the cursor. New rows follow. */
function withPlacesOf(before: readonly ExactRow[], now: readonly ExactRow[]): readonly ExactRow[] {
	const fresh = new Map(now.map((thing) => [keyOf(thing), thing]));
	const kept = before.map((thing) => fresh.get(keyOf(thing)) ?? thing);
	const keys = new Set(kept.map(keyOf));
	return [...kept, ...now.filter((thing) => !keys.has(keyOf(thing)))];
}

function lookOf({ label, description, detail, forText }: GoToRow): string {
	return [label, description, detail, forText].join('\n');
}

function isSame(one: GoToRow, other: GoToRow): boolean {
	return one.forText === other.forText && keyOf(one.thing) === keyOf(other.thing);
}

/**
 * The editor sorts rows whose label matches the typed text before all others. Words therefore go into the description, and
 * our ranking stays.
 */
function rowOf(thing: ExactRow, forText: string): GoToRow {
	const { label, text, icon, connection, detail, isBright } = thing;
	const line = withoutPictures(text);
	return {
		label: isBright ? line : label === '' ? ' ' : label,
		...(isBright ? (connection ? { description: connection.instance.name } : {}) : { description: line }),
		...(detail === undefined ? {} : { detail }),
		iconPath: icon,
		alwaysShow: true,
		thing,
		forText,
	};
}

function promptText(count: number): string {
	return count === 0
		? vscode.l10n.t('Nothing known here matches. Enter a full name, such as ~owner/name#12 or ~person, or a URL.')
		: '';
}
