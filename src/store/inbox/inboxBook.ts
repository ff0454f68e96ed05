import * as v from 'valibot';
import { time, whole } from '../shared/keptText.ts';
import { inboxEntry, thingKey, type InboxEntry } from './inboxEntry.ts';
import { placeOfWatched, watchedKey, watchedNamed } from './watched.ts';

/** Stored states of an item, in order of progress. */
export const keptStates = ['unread', 'read', 'done'] as const;
export type KeptState = (typeof keptStates)[number];

/** An entry and its stored state. */
export const keptItem = v.object({
	entry: inboxEntry,
	state: v.picklist(keptStates),
	/** Time of the last state change; 0 for never. */
	stateMs: time,
	/** End of the snooze. Earlier versions read the item without it, as unread. */
	untilMs: v.optional(time),
});
export type KeptItem = Readonly<v.InferOutput<typeof keptItem>>;

/** An item as views show it: snoozed until it is due or something new asks for the user. */
export interface InboxItem {
	readonly entry: InboxEntry;
	readonly state: InboxState;
	readonly stateMs: number;
	readonly untilMs?: number | undefined;
}
export type InboxState = KeptState | 'snoozed';

/** Read position of a source; older events never return. Both numbers only grow. */
export const inboxPosition = v.object({
	/** All events up to this time are known. Milliseconds since 1970, by the forge's clock. */
	sinceMs: time,
	/**
	 * Id of the newest known event or mail; 0 for none. For a repository: the number of reads with changed references.
	 */
	newestId: whole,
	/**
	 * Further state to compare with at the next read, such as the targets of references. Belongs to the two numbers.
	 */
	detail: v.string(),
});
export type InboxPosition = Readonly<v.InferOutput<typeof inboxPosition>>;

/** One account's inbox. Plain data; `joinedBooks` merges two windows' books. */
export interface InboxBook {
	/** By entry id. */
	readonly items: ReadonlyMap<string, KeptItem>;
	/** By source name, such as a tracker, a ticket or a list. */
	readonly positions: ReadonlyMap<string, InboxPosition>;
	/** The user's choices for things and places, by key. */
	readonly choices: ReadonlyMap<string, InboxChoice>;
}

/**
 * Notification level of a thing or place: everything, only events that concern the user, or nothing. `usual`: no
 * choice.
 */
export const watchWords = ['usual', 'everything', 'concerns', 'nothing'] as const;
export type WatchWord = (typeof watchWords)[number];
export type Watching = Exclude<WatchWord, 'usual'>;

export const inboxChoice = v.object({
	/** From `watchedName`, with its case; keys are lower case. Missing in texts of earlier versions, which the key replaces. */
	name: v.fallback(v.string(), ''),
	watching: v.picklist(watchWords),
	/** Time of the choice. */
	atMs: time,
});
export type InboxChoice = Readonly<v.InferOutput<typeof inboxChoice>>;

/** Position with the last poll time of the least recently polled source. */
export const asOfPosition = 'as of';
/** Position with the time of the last refresh request to the polling window. */
export const refreshPosition = 'refresh';

export const emptyBook: InboxBook = { items: new Map(), positions: new Map(), choices: new Map() };

/** Result of a read: entries and new positions. The book takes both or neither. */
export interface InboxReading {
	readonly entries: readonly InboxEntry[];
	readonly positions: ReadonlyMap<string, InboxPosition>;
	/** This window's first read of a source without timestamps, so the events may predate the window. */
	readonly isPerhapsOld?: boolean;
	/** Ids of entries that the account itself caused; they arrive as read. */
	readonly ownIds?: ReadonlySet<string>;
}

/** More than anybody keeps open; old and done items go first. */
const mostItems = 2000;
/** The oldest choices and positions go first. */
const mostChoices = 1000;
const mostPositions = 5000;

/** Merges a read. Known entries keep their state. */
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

/** Ignores unknown ids. `untilMs`: of a snooze; without it, the items have none afterwards. */
export function withStates(
	book: InboxBook,
	ids: readonly string[],
	state: KeptState,
	nowMs: number,
	untilMs?: number,
): InboxBook {
	const items = new Map(book.items);
	for (const id of ids) {
		const item = items.get(id);
		if (item && (item.state !== state || item.untilMs !== untilMs)) {
			// Later than the previous change even after the clock was set back, because the last change wins.
			const stateMs = Math.max(nowMs, item.stateMs + 1);
			items.set(id, { entry: item.entry, state, stateMs, ...(untilMs === undefined ? {} : { untilMs }) });
		}
	}
	return { ...book, items };
}

/**
 * Sets the choice for a thing or place. `nothing` also marks its items as done; for a place, only items of things
 * without their own choice.
 */
export function withChoice(book: InboxBook, name: string, watching: WatchWord, nowMs: number): InboxBook {
	const key = name.toLowerCase();
	const atMs = Math.max(nowMs, (book.choices.get(key)?.atMs ?? 0) + 1);
	const chosen = bounded({ ...book, choices: new Map([...book.choices, [key, { name, watching, atMs }]]) });
	const ofPlace = [...book.items.values()].filter(({ entry: { thing } }) => {
		const isUsual = (book.choices.get(thingKey(thing))?.watching ?? 'usual') === 'usual';
		return thingKey(thing) === key || (isUsual && watchedKey(placeOfWatched(thing)) === key);
	});
	const ids = ofPlace.map(({ entry }) => entry.id);
	return watching === 'nothing' ? withStates(chosen, ids, 'done', nowMs) : chosen;
}

/**
 * Merges two windows' books. Commutative, associative and idempotent: the later state of an item wins, and at equal
 * times the further one.
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

function laterItem(one: KeptItem, other: KeptItem): KeptItem {
	if (one.stateMs !== other.stateMs) {
		return one.stateMs > other.stateMs ? one : other;
	}
	if (one.state !== other.state) {
		return keptStates.indexOf(one.state) > keptStates.indexOf(other.state) ? one : other;
	}
	// A window of an earlier version writes the item without the end of its snooze.
	if (one.untilMs !== other.untilMs) {
		return (one.untilMs ?? 0) > (other.untilMs ?? 0) ? one : other;
	}
	// Two reads of one event, perhaps with different titles.
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

const yearMs = 365 * 86_400_000;
const farMs = 1000 * yearMs;

/** Truncates independently of the order of arrival. */
function bounded({ items, positions, choices }: InboxBook): InboxBook {
	const left = newest(positions, mostPositions, ({ sinceMs, detail }, name) => {
		// Places may never move, and without a position, either nothing or everything in the place would be news.
		const isOfPlace = /^(?:tracker|list|patchsets|patches|repository) /.test(name);
		const isOfAll = name === asOfPosition || name === refreshPosition;
		// Without its position, an assignment to the account would become news again.
		return sinceMs + (isOfPlace || isOfAll || /\bassigned\b/.test(detail) ? farMs : 0);
	});
	return {
		items: newest(items, mostItems, ({ entry, state, untilMs }) => {
			// A snoozed item would otherwise go before it is due.
			return (untilMs ?? entry.atMs) - (state === 'done' ? yearMs : 0);
		}),
		positions: left === positions ? left : withLines(positions, left),
		choices: newest(choices, mostChoices, ({ atMs }) => atMs),
	};
}

/**
 * If a ticket's position goes, its tracker's position moves up to the same time. Otherwise the ticket would be due
 * after every read, forever.
 */
function withLines(
	all: ReadonlyMap<string, InboxPosition>,
	left: ReadonlyMap<string, InboxPosition>,
): ReadonlyMap<string, InboxPosition> {
	const lines = new Map(left);
	for (const [name, { sinceMs }] of all) {
		const watched = left.has(name) ? undefined : watchedNamed(name);
		const place = watched?.kind === 'ticket' ? watchedKey(placeOfWatched(watched)) : '';
		const line = lines.get(place);
		if (line && line.sinceMs < sinceMs) {
			lines.set(place, { ...line, sinceMs });
		}
	}
	return lines;
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
