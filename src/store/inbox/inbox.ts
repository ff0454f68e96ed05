import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter, type Event } from '@forge-desk/base/event.ts';
import { Disposables, onDispose } from '@forge-desk/base/lifecycle.ts';
import { dueTimer } from '../shared/dueTimer.ts';
import type { KeptText } from '../shared/keptText.ts';
import {
	asOfPosition,
	emptyBook,
	refreshPosition,
	joinedBooks,
	withChoice,
	withReading,
	withStates,
	type InboxBook,
	type InboxChoice,
	type InboxItem,
	type InboxReading,
	type KeptItem,
	type KeptState,
	type WatchWord,
	inboxChoice,
	inboxPosition,
	type InboxPosition,
	keptItem,
} from './inboxBook.ts';
import { shownItems } from './inboxGroup.ts';
import * as v from 'valibot';
import { fieldsOf, jsonIn } from '../../base/lenientJson.ts';

export interface InboxChange {
	/** A choice changed. */
	readonly areChoices: boolean;
	/** Entries that this window found first. */
	readonly arrived: readonly InboxItem[];
	/** These entries may be older than the window's start. */
	readonly isPerhapsOld: boolean;
	/** Entries that another window found. */
	readonly foundElsewhere: readonly InboxItem[];
}

/** An account's notifications and their states. All windows share them, and they survive restarts. */
export type Inbox = ReturnType<typeof openInbox>;

/**
 * Opens the inbox of one account. The next change retries a failed write. `kept`: shared by all windows of the account,
 * which may write it at any time. `onDidWrite`: another window has written it, or may have.
 */
export function openInbox(kept: KeptText, onDidWrite: Event<void>, clock: Clock) {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<InboxChange>());
	const texts = inboxTexts();
	let book: InboxBook = emptyBook;
	let lastText: unknown;
	let sorted: readonly InboxItem[] | undefined;
	let isReadable = true;
	/** True if the text contained all of this window's state at the last read. */
	let isAllWritten = false;
	const snoozes = owned.add(
		dueTimer(clock, () => {
			sorted = undefined;
			changed.fire({ areChoices: false, arrived: [], isPerhapsOld: false, foundElsewhere: [] });
		}),
	);
	takeOver();
	owned.add(
		onDidWrite(() => {
			const before = book;
			takeOver();
			// Both windows wrote at one moment, and the text lacks this window's changes.
			if (!isAllWritten) {
				writeUnlessSame();
			}
			tell(before, book);
		}),
	);
	owned.add(onDispose(() => (sorted = undefined)));

	function takeOver(): void {
		const text = read();
		if (text !== lastText) {
			lastText = text;
			const written = texts.bookIn(text, book);
			book = joinedBooks(book, written);
			// Unchanged values are identical objects in both books, so this compares references.
			isAllWritten =
				isSameMap(written.items, book.items, (item) => item) &&
				isSameMap(written.positions, book.positions, (position) => position) &&
				isSameMap(written.choices, book.choices, (choice) => choice);
			replaced();
		}
	}

	function replaced(): void {
		sorted = undefined;
		snoozes.wait([...book.items.values()].flatMap(({ untilMs }) => untilMs ?? []));
	}

	/** Never overwrite an unreadable text: until it is readable, this window keeps its state in memory. */
	function read(): unknown {
		try {
			const text = kept.read();
			isReadable = true;
			return text;
		} catch {
			isReadable = false;
			return lastText;
		}
	}

	function writeUnlessSame(): void {
		const text = texts.textOf(book);
		if (isReadable && text !== lastText) {
			lastText = text;
			// After a failed write, the state stays in memory and goes out with the next change.
			kept.write(text).catch(() => (lastText = undefined));
		}
	}

	function change(work: (now: InboxBook) => InboxBook, isPerhapsOld = false): void {
		const shown = book;
		takeOver();
		const known = book;
		book = work(book);
		isAllWritten = false;
		replaced();
		writeUnlessSame();
		tell(shown, known, isPerhapsOld);
	}

	/**
	 * `shown`: the state at the last event. `known`: that state plus other windows' writes. Fires no event if only
	 * positions moved.
	 */
	function tell(shown: InboxBook, known: InboxBook, isPerhapsOld = false): void {
		const areChoices = !isSameMap(shown.choices, book.choices, ({ watching }) => watching);
		const areTimes = [asOfPosition, refreshPosition].some(
			(name) => shown.positions.get(name)?.sinceMs !== book.positions.get(name)?.sinceMs,
		);
		const areStates =
			!isSameMap(shown.items, book.items, ({ state }) => state) ||
			!isSameMap(shown.items, book.items, ({ untilMs }) => untilMs);
		if (areChoices || areTimes || areStates) {
			const fresh = [...book.items.values()].filter(({ entry }) => !shown.items.has(entry.id));
			const isFoundHere = ({ entry }: InboxItem): boolean => !known.items.has(entry.id);
			changed.fire({
				areChoices,
				arrived: fresh.filter(isFoundHere),
				isPerhapsOld,
				foundElsewhere: fresh.filter((item) => !isFoundHere(item)),
			});
		}
	}

	const inbox = {
		/** Newest first, including snoozed and done items. The same array until a change. */
		items(): readonly InboxItem[] {
			sorted ??= shownItems([...book.items.values()], clock.nowMs()).toSorted(
				(a, b) => b.entry.atMs - a.entry.atMs || (a.entry.id < b.entry.id ? 1 : -1),
			);
			return sorted;
		},
		unreadCount: (): number => inbox.items().filter(({ state }) => state === 'unread').length,
		/** The read position of a source; `undefined` before its first read. */
		position: (name: string) => book.positions.get(name),
		/** The only way in for new entries, from polls and webhooks alike. */
		add(reading: InboxReading) {
			change((now) => withReading(now, reading), reading.isPerhapsOld);
		},
		/** `untilMs`: until then, the items are snoozed. */
		setState(ids: readonly string[], state: KeptState, untilMs?: number) {
			change((now) => withStates(now, ids, state, clock.nowMs(), untilMs));
		},
		/** The choice for a thing (by `thingKey`) or a place; `usual` by default. */
		choice: (key: string) => book.choices.get(key)?.watching ?? 'usual',
		/** `name`: from `watchedName`, or a plain key if no request needs the name's case. */
		choose(name: string, watching: WatchWord) {
			change((now) => withChoice(now, name, watching, clock.nowMs()));
		},
		/** All choices except `usual`. */
		choices: (): readonly InboxChoice[] => [...book.choices.values()].filter(({ watching }) => watching !== 'usual'),
		/** Items, states, choices, the update time or the last refresh request changed, possibly in another window. */
		onDidChange: changed.event,
		dispose: () => owned.dispose(),
	};
	return inbox;
}

function isSameMap<T>(
	one: ReadonlyMap<string, T>,
	other: ReadonlyMap<string, T>,
	shown: (each: T) => unknown,
): boolean {
	return (
		one === other ||
		(one.size === other.size &&
			[...one].every(([key, value]) => {
				const theirs = other.get(key);
				return theirs !== undefined && shown(theirs) === shown(value);
			}))
	);
}

/** Lines around the rows of each part. Each row is one line, so that it is comparable without parsing. */
const heads = { items: '{"items":[', positions: '],"positions":[', choices: '],"choices":[' } as const;
const end = ']}';

const itemRow = v.pipe(
	keptItem,
	v.transform((item): readonly [string, KeptItem] => [item.entry.id, item]),
);
const positionRow = v.tuple([v.string(), inboxPosition]);
const choiceRow = v.pipe(
	v.tuple([v.string(), inboxChoice]),
	v.transform(([key, choice]): readonly [string, InboxChoice] => [key, { ...choice, name: choice.name || key }]),
);

/**
 * Serializes inboxes. An inbox can have megabytes while a change affects one row, so unchanged rows skip serializing
 * and parsing.
 */
export function inboxTexts() {
	/** By value, because values are immutable. Two names may share one value. */
	const rows = new WeakMap<object, { readonly name: string; readonly row: string }>();

	function rowOf(name: string, value: KeptItem | InboxPosition | InboxChoice): string {
		const known = rows.get(value);
		if (known?.name === name) {
			return known.row;
		}
		const row = JSON.stringify('entry' in value ? value : [name, value]);
		rows.set(value, { name, row });
		return row;
	}

	function linesOf(all: ReadonlyMap<string, KeptItem | InboxPosition | InboxChoice>): string {
		const lines: string[] = [];
		// The default sort order takes a third of the time of a comparator.
		for (const name of [...all.keys()].toSorted()) {
			const value = all.get(name);
			if (value !== undefined) {
				lines.push(rowOf(name, value));
			}
		}
		return lines.join(',\n');
	}

	/** The entries of one part. Known rows skip the parser. */
	function pairsIn<T extends KeptItem | InboxPosition | InboxChoice>(
		lines: readonly unknown[],
		known: ReadonlyMap<string, T>,
		row: v.GenericSchema<unknown, readonly [string, T]>,
	): ReadonlyMap<string, T> {
		const byRow = new Map([...known].map((pair) => [rowOf(...pair), pair]));
		return new Map(
			lines.flatMap((line) => {
				const pair = typeof line === 'string' ? byRow.get(line) : undefined;
				const read = pair ?? v.safeParse(row, typeof line === 'string' ? jsonIn(line) : line);
				return 'success' in read ? (read.success ? [read.output] : []) : [read];
			}),
		);
	}

	return {
		/** Deterministic: otherwise two windows would overwrite each other's text forever. */
		textOf: ({ items, positions, choices }: InboxBook): string =>
			[heads.items, linesOf(items), heads.positions, linesOf(positions), heads.choices, linesOf(choices), end].join(
				'\n',
			),
		/**
		 * Decodes a stored text. Skips damaged rows and keeps the rest. `known`: values that the text probably contains.
		 */
		bookIn(kept: unknown, known: InboxBook): InboxBook {
			const lines = typeof kept === 'string' ? kept.split('\n') : [];
			const [positionsAt, choicesAt] = [lines.indexOf(heads.positions), lines.indexOf(heads.choices)];
			const isOfLines =
				lines[0] === heads.items && positionsAt >= 0 && choicesAt >= positionsAt && lines.at(-1) === end;
			// Earlier versions wrote no lines.
			const parsed = isOfLines ? {} : fieldsOf(jsonIn(kept));
			const part = (name: keyof typeof heads, from: number, to: number): readonly unknown[] =>
				isOfLines
					? lines.slice(from + 1, to).map((line) => (line.endsWith(',') ? line.slice(0, -1) : line))
					: Array.isArray(parsed[name])
						? parsed[name]
						: [];
			return {
				items: pairsIn(part('items', 0, positionsAt), known.items, itemRow),
				positions: pairsIn(part('positions', positionsAt, choicesAt), known.positions, positionRow),
				choices: pairsIn(part('choices', choicesAt, lines.length - 1), known.choices, choiceRow),
			};
		},
	};
}
