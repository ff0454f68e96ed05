import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { Disposables, onDispose, type Disposable } from '../../base/lifecycle.ts';
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
	type InboxPosition,
	type InboxReading,
	type InboxState,
	type WatchWord,
} from './inboxBook.ts';
import { inboxTexts } from './inboxText.ts';

/** What happened that concerns an account, and what its reader did with it; the same in all windows, and over restarts. */
export interface Inbox {
	/** Newest first, those that are done among them. The same array until something is different. */
	items(): readonly InboxItem[];
	unreadCount(): number;
	/** Up to where something was read; `undefined` where it was never read. */
	position(name: string): InboxPosition | undefined;
	/** The one door for what was read, whichever way it became known that there is something to read. */
	add(reading: InboxReading): void;
	setState(ids: readonly string[], state: InboxState): void;
	/** What is wanted of a thing (by `thingKey`) or of a place; `usual` where nobody has said. */
	choice(key: string): WatchWord;
	/** `name`: of `watchedName`, or such a key where nobody has to ask for it by the name. */
	choose(name: string, watching: WatchWord): void;
	/** Everything of which somebody has said what is wanted, but for what is `usual` again. */
	choices(): readonly InboxChoice[];
	/** Items, states, choices, the age or the last wish for a refresh are different, also by another window. */
	readonly onDidChange: Event<InboxChange>;
}

export interface InboxChange {
	/** What is wanted of things or places is different. */
	readonly areChoices: boolean;
	/** Entries that this window found, and no window had before. */
	readonly arrived: readonly InboxItem[];
	/** Of these nobody can say whether they happened before this window was opened. */
	readonly isPerhapsOld: boolean;
	/** Entries that another window found. */
	readonly foundElsewhere: readonly InboxItem[];
}

export interface InboxParts {
	/** One text for all windows of the account, which each of them may write at any time. */
	readonly kept: KeptText;
	/** Another window has written it, or may have. */
	readonly onDidWrite: Event<void>;
	readonly clock: Clock;
}

/** The inbox of one account. A text that could not be written is written with the next change. */
export function openInbox({ kept, onDidWrite, clock }: InboxParts): Inbox & Disposable {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<InboxChange>());
	const texts = inboxTexts();
	let book: InboxBook = emptyBook;
	let lastText: unknown;
	let sorted: readonly InboxItem[] | undefined;
	let isReadable = true;
	/** The text that was read last holds all that this window knew then. */
	let isAllWritten = false;
	takeOver();
	owned.add(
		onDidWrite(() => {
			const before = book;
			takeOver();
			// What this window knows and the text does not, because both wrote in one moment.
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
			isAllWritten = isSameBook(written, book);
			sorted = undefined;
		}
	}

	/** What is there and cannot be read must not be written over: everything stands in this window only, then. */
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
			// What is not kept is in memory, and goes out with the next change.
			kept.write(text).catch(() => (lastText = undefined));
		}
	}

	function change(work: (now: InboxBook) => InboxBook, isPerhapsOld = false): void {
		const shown = book;
		takeOver();
		const known = book;
		book = work(book);
		isAllWritten = false;
		sorted = undefined;
		writeUnlessSame();
		tell(shown, known, isPerhapsOld);
	}

	/** `shown`: what was told last. `known`: the same with what others wrote. What only moves positions nobody sees. */
	function tell(shown: InboxBook, known: InboxBook, isPerhapsOld = false): void {
		const areChoices = !isSameMap(shown.choices, book.choices, ({ watching }) => watching);
		const areTimes = [asOfPosition, refreshPosition].some(
			(name) => shown.positions.get(name)?.sinceMs !== book.positions.get(name)?.sinceMs,
		);
		if (areChoices || areTimes || !isSameMap(shown.items, book.items, ({ state }) => state)) {
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

	return {
		items() {
			sorted ??= [...book.items.values()].toSorted(
				(a, b) => b.entry.atMs - a.entry.atMs || (a.entry.id < b.entry.id ? 1 : -1),
			);
			return sorted;
		},
		unreadCount: () => [...book.items.values()].filter(({ state }) => state === 'unread').length,
		position: (name) => book.positions.get(name),
		add(reading) {
			change((now) => withReading(now, reading), reading.isPerhapsOld);
		},
		setState(ids, state) {
			change((now) => withStates(now, ids, state, clock.nowMs()));
		},
		choice: (key) => book.choices.get(key)?.watching ?? 'usual',
		choose(name, watching) {
			change((now) => withChoice(now, name, watching, clock.nowMs()));
		},
		choices: () => [...book.choices.values()].filter(({ watching }) => watching !== 'usual'),
		onDidChange: changed.event,
		dispose: () => owned.dispose(),
	};
}

/** What is not different is the same object in both, whichever of them was made of the other. */
function isSameBook(one: InboxBook, other: InboxBook): boolean {
	return (
		isSameMap(one.items, other.items, (item) => item) &&
		isSameMap(one.positions, other.positions, (position) => position) &&
		isSameMap(one.choices, other.choices, (choice) => choice)
	);
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
