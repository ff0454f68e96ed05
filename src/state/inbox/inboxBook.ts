import { thingKey, type InboxEntry } from './inboxEntry.ts';
import { placeOfWatched, watchedKey, watchedNamed } from './watched.ts';

/** How an entry stands with its reader, in the order in which it goes. */
export const inboxStates = ['unread', 'read', 'done'] as const;
export type InboxState = (typeof inboxStates)[number];

/** An entry, and what its reader did with it. */
export interface InboxItem {
	readonly entry: InboxEntry;
	readonly state: InboxState;
	/** When its reader last did something with it; 0 for never. */
	readonly stateMs: number;
}

/** Up to where something was read, so that what is older never comes again. Both only grow. */
export interface InboxPosition {
	/** What happened up to then is known. Milliseconds since 1970, by the forge's clock. */
	readonly sinceMs: number;
	/** Number of the newest event or mail that is known; 0 where there are none. Of a repository how often its names were others. */
	readonly newestId: number;
	/** What else has to be compared the next time, such as where references stood; it counts for these two. */
	readonly detail: string;
}

/** Everything that one account's inbox knows. Plain data: two windows' are joined by `joinedBooks`. */
export interface InboxBook {
	/** By the ids of entries. */
	readonly items: ReadonlyMap<string, InboxItem>;
	/** By the names of what was read, such as a tracker, a ticket or a list. */
	readonly positions: ReadonlyMap<string, InboxPosition>;
	/** What its reader wants of single things and of places such as trackers, by their names. */
	readonly choices: ReadonlyMap<string, InboxChoice>;
}

/**
 * What of something comes to the inbox: all that happens to it, only what concerns its reader, or nothing. `usual`: as if
 * nobody had chosen.
 */
export const watchWords = ['usual', 'everything', 'concerns', 'nothing'] as const;
export type WatchWord = (typeof watchWords)[number];
export type Watching = Exclude<WatchWord, 'usual'>;

export interface InboxChoice {
	/** As `watchedName` has it, with capitals, which its key has not. */
	readonly name: string;
	readonly watching: WatchWord;
	/** When that was said. */
	readonly atMs: number;
}

/** The name of the position that says of when all is that is read for the inbox. */
export const asOfPosition = 'as of';
/** The name of the position that says when a window last asked the window that watches for a refresh. */
export const refreshPosition = 'refresh';

export const emptyBook: InboxBook = { items: new Map(), positions: new Map(), choices: new Map() };

/** What a reading brought: entries, and up to where it read. Both are kept together or not at all. */
export interface InboxReading {
	readonly entries: readonly InboxEntry[];
	readonly positions: ReadonlyMap<string, InboxPosition>;
	/** This window read it for the first time, and nobody tells when it happened: perhaps before the window was opened. */
	readonly isPerhapsOld?: boolean;
	/** Ids of entries that are said to be of the account's own doing: these come as read. */
	readonly ownIds?: ReadonlySet<string>;
}

/** More than anybody has open; those that are done and old go first. */
const mostItems = 2000;
/** Choices and positions that nothing was heard of for longest go first. */
const mostChoices = 1000;
const mostPositions = 5000;

/** Takes in what was read. What is known already stays as it stands with its reader. */
export function withReading(book: InboxBook, reading: InboxReading): InboxBook {
	const items = new Map(book.items);
	for (const entry of reading.entries) {
		if (!items.has(entry.id)) {
			const isUnwanted = book.choices.get(thingKey(entry.thing))?.watching === 'nothing';
			const state = isUnwanted ? 'done' : reading.ownIds?.has(entry.id) === true ? 'read' : 'unread';
			items.set(entry.id, { entry, state, stateMs: 0 });
		}
	}
	return bounded({ ...book, items, positions: furthest(book.positions, reading.positions) });
}

/** Sets the states of some entries; those that are not known are left out. */
export function withStates(book: InboxBook, ids: readonly string[], state: InboxState, nowMs: number): InboxBook {
	const items = new Map(book.items);
	for (const id of ids) {
		const item = items.get(id);
		if (item && item.state !== state) {
			// Later than what it was, even where the clock was set back: the last word counts.
			items.set(id, { ...item, state, stateMs: Math.max(nowMs, item.stateMs + 1) });
		}
	}
	return { ...book, items };
}

/**
 * Says what is wanted of something, by its name. Where that is nothing, what it has is done with; of a place all that nobody
 * chose by itself.
 */
export function withChoice(book: InboxBook, name: string, watching: WatchWord, nowMs: number): InboxBook {
	const key = name.toLowerCase();
	const atMs = Math.max(nowMs, (book.choices.get(key)?.atMs ?? 0) + 1);
	const chosen = bounded({ ...book, choices: new Map([...book.choices, [key, { name, watching, atMs }]]) });
	const isOf = ({ thing }: InboxEntry): boolean =>
		thingKey(thing) === key ||
		(watchedKey(placeOfWatched(thing)) === key && (book.choices.get(thingKey(thing))?.watching ?? 'usual') === 'usual');
	const ids = [...book.items.values()].filter(({ entry }) => isOf(entry)).map(({ entry }) => entry.id);
	return watching === 'nothing' ? withStates(chosen, ids, 'done', nowMs) : chosen;
}

/**
 * What two windows know together. It does not matter which of them is asked, how often, or in which order: of two states
 * of an entry the later one counts, and of two in one moment the one that is further on.
 */
export function joinedBooks(one: InboxBook, other: InboxBook): InboxBook {
	const items = new Map(one.items);
	for (const [id, theirs] of other.items) {
		const mine = items.get(id);
		items.set(id, mine ? laterItem(mine, theirs) : theirs);
	}
	const choices = new Map(one.choices);
	for (const [key, theirs] of other.choices) {
		const mine = choices.get(key);
		choices.set(key, mine && !isLaterChoice(theirs, mine) ? mine : theirs);
	}
	return bounded({ items, choices, positions: furthest(one.positions, other.positions) });
}

function laterItem(one: InboxItem, other: InboxItem): InboxItem {
	if (one.stateMs !== other.stateMs) {
		return one.stateMs > other.stateMs ? one : other;
	}
	if (one.state !== other.state) {
		return inboxStates.indexOf(one.state) > inboxStates.indexOf(other.state) ? one : other;
	}
	// The same thing read at two moments, with another title perhaps.
	return one.entry === other.entry || JSON.stringify(one.entry) >= JSON.stringify(other.entry) ? one : other;
}

function isLaterChoice(one: InboxChoice, other: InboxChoice): boolean {
	if (one.atMs !== other.atMs) {
		return one.atMs > other.atMs;
	}
	return one.watching === other.watching
		? one.name > other.name
		: watchWords.indexOf(one.watching) > watchWords.indexOf(other.watching);
}

function furthest(
	one: ReadonlyMap<string, InboxPosition>,
	other: ReadonlyMap<string, InboxPosition>,
): ReadonlyMap<string, InboxPosition> {
	const all = new Map(one);
	for (const [name, theirs] of other) {
		const mine = all.get(name);
		if (!mine || isFurther(theirs, mine)) {
			all.set(name, theirs);
		}
	}
	return all;
}

function isFurther(one: InboxPosition, other: InboxPosition): boolean {
	if (one.sinceMs !== other.sinceMs) {
		return one.sinceMs > other.sinceMs;
	}
	return one.newestId === other.newestId ? one.detail > other.detail : one.newestId > other.newestId;
}

/** Bounded in a way that does not depend on the order in which anything came. */
function bounded({ items, positions, choices }: InboxBook): InboxBook {
	return {
		items: newest(items, mostItems, ({ entry, state }) => entry.atMs - (state === 'done' ? yearMs : 0)),
		positions: withLines(
			positions,
			newest(positions, mostPositions, (position, name) => position.sinceMs + (isToStay(position, name) ? farMs : 0)),
		),
		choices: newest(choices, mostChoices, ({ atMs }) => atMs),
	};
}

const yearMs = 365 * 86_400_000;
const farMs = 1000 * yearMs;

/** Beside those of places: a ticket that is assigned to the account would be news again. */
function isToStay({ detail }: InboxPosition, name: string): boolean {
	return isOfPlace(name) || /\bassigned\b/.test(detail);
}

/**
 * What is not kept of a ticket was known: what happened in its tracker up to then is no news. Else the ticket would be due as
 * soon as it is read, for ever.
 */
function withLines(
	all: ReadonlyMap<string, InboxPosition>,
	kept: ReadonlyMap<string, InboxPosition>,
): ReadonlyMap<string, InboxPosition> {
	if (kept === all) {
		return kept;
	}
	const lines = new Map(kept);
	for (const [name, { sinceMs }] of all) {
		const watched = kept.has(name) ? undefined : watchedNamed(name);
		const place = watched?.kind === 'ticket' ? watchedKey(placeOfWatched(watched)) : '';
		const line = lines.get(place);
		if (line && line.sinceMs < sinceMs) {
			lines.set(place, { ...line, sinceMs });
		}
	}
	return lines;
}

/**
 * Whether a position is of something that is watched as a whole. Such a one may never move, and without it what is there
 * would be no news, or all of it.
 */
function isOfPlace(name: string): boolean {
	return (
		name === asOfPosition || name === refreshPosition || /^(?:tracker|list|patchsets|patches|repository) /.test(name)
	);
}

function newest<T>(
	all: ReadonlyMap<string, T>,
	most: number,
	valueOf: (each: T, name: string) => number,
): ReadonlyMap<string, T> {
	if (all.size <= most) {
		return all;
	}
	const ranked = [...all].toSorted(([idA, a], [idB, b]) => valueOf(b, idB) - valueOf(a, idA) || (idA < idB ? -1 : 1));
	return new Map(ranked.slice(0, most));
}
