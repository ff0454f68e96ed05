import * as v from 'valibot';
import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { refOfTicket, type Ticket, type TicketRef } from '../../forge/port/ticket.ts';
import { refText } from '../../forge/port/namedRef.ts';
import type { TrackerRef } from '../../forge/port/tracker.ts';
import type { OwnerName } from '../../forge/port/user.ts';
import type { Mark } from '../../forge/port/mark.ts';
import { type KeptText, keptIn } from '../shared/keptText.ts';
import { PlaceReadMarks, type Looked, type UndoLook } from './placeReadMarks.ts';

/**
 * Read state of tickets, threads or patchsets. On the first visit of a place, everything in it counts as read. New or
 * changed items get a mark until opened or marked as read. Own writes set no marks.
 */
export interface ReadMarks<Thing = Ticket, Ref = TicketRef, Place = TrackerRef> {
	/** No request. */
	mark(thing: Thing): Mark | undefined;
	/** Newest event or mail at the last look; `undefined` before the first. For "new" labels in a timeline. */
	lastSeenEventId(ref: Ref): number | undefined;
	/** Changes up to this time count as seen, in milliseconds since 1970; `undefined` for new or unread items. */
	seenMs(ref: Ref): number | undefined;
	/** Records a look at the current state; `newestEventId` if the timeline or the mails were loaded. */
	look(thing: Thing, newestEventId: number | undefined): void;
	/**
	 * The user marks it as read without opening it. Call the result to restore the mark; a later look makes it a no-op.
	 */
	markRead(thing: Thing): () => void;
	markUnread(thing: Thing): void;
	markAllRead(place: Place, things: readonly Thing[]): void;
	/**
	 * Reports the known items of a place. The first call draws the line, so all of them count as read; later calls are
	 * no-ops.
	 */
	see(place: Place, things: () => readonly Thing[]): void;
	readonly onDidChange: Event<readonly Ref[] | 'all'>;
	/** Fires for each look in this window, even if the mark stays the same. */
	readonly onDidLook: Event<LookedAt<Ref>>;
	/** Fires for "mark all as read" in this window. */
	readonly onDidMarkAll: Event<MarkedPlace<Place>>;
}

export interface LookedAt<Ref> {
	readonly ref: Ref;
	/** Time of the last change at the look. */
	readonly updatedMs: number;
	/** `undefined` when neither timeline nor mails were loaded. */
	readonly newestEventId: number | undefined;
	/** Set by `markRead`. */
	readonly isByHand: boolean;
}

/** All changes in the place up to a time are read. */
export interface MarkedPlace<Place> {
	readonly place: Place;
	readonly updatedMs: number;
}

export interface LookParts {
	readonly kept: KeptText;
	/** `~name` of the account; its own writes set no marks. */
	readonly me: OwnerName;
	readonly clock: Clock;
	/** Fires when the user returns to this window; another window may have changed the marks. */
	readonly onReturn?: Event<void>;
}

export interface LookedKind<Thing extends Looked, Ref, Place> {
	readonly refOf: (thing: Thing) => Ref;
	readonly placeOf: (ref: Ref) => Place;
	readonly idOf: (ref: Ref) => number;
	/** Normalized name: servers look up names case-insensitively (docs/protocol.md#tracker-look-up). */
	readonly nameOf: (place: Place) => string;
	/** An object shared by most items of a place, as a cache key: this runs for thousands of items. */
	readonly homeOf: (thing: Thing) => object;
	/** Own items set no mark until somebody else changes them. */
	readonly isOwnAndUntouched: (thing: Thing, me: OwnerName) => boolean;
}

/** Disposing flushes pending writes. */
export type StoredReadMarks<Thing = Ticket, Ref = TicketRef, Place = TrackerRef> = ReadMarks<Thing, Ref, Place> &
	Disposable;

/** Looks come in bursts, so batch writes. */
const quietMs = 400;
/** Servers round to seconds, so a change right after the first visit may look older. */
const graceMs = 2000;
/** More than anybody looks at between two "mark all as read"; at most some 100 kB. */
const mostLooks = 3000;

const tickets: LookedKind<Ticket, TicketRef, TrackerRef> = {
	refOf: refOfTicket,
	placeOf: ({ tracker }) => tracker,
	idOf: ({ id }) => id,
	nameOf: (ref) => refText(ref).toLowerCase(),
	homeOf: ({ tracker }) => tracker,
	isOwnAndUntouched: ({ submitter, createdMs, updatedMs }, me) =>
		submitter.kind === 'user' && submitter.canonicalName === me && updatedMs <= createdMs,
};

export function storedReadMarks(parts: LookParts): StoredReadMarks {
	return looksAt(tickets, parts);
}

/** Stores looks as one text shared by all windows of the account; merges before each write. */
export function looksAt<Thing extends Looked, Ref, Place>(
	{ refOf, placeOf, idOf, nameOf, homeOf, isOwnAndUntouched }: LookedKind<Thing, Ref, Place>,
	{ kept, me, clock, onReturn }: LookParts,
): StoredReadMarks<Thing, Ref, Place> {
	const places = new Map<string, PlaceReadMarks>();
	const changed = new Emitter<readonly Ref[] | 'all'>();
	const looked = new Emitter<LookedAt<Ref>>();
	const markedAll = new Emitter<MarkedPlace<Place>>();
	let waiting: Disposable | undefined;
	/** Last text read or written. */
	let lastText: unknown;
	let lastName: { readonly home: object; readonly name: string } | undefined;
	takeOver();
	const returning = onReturn?.(() => takeOver() && changed.fire('all'));

	/** False when the text is unchanged. */
	function takeOver(): boolean {
		const text = kept.read();
		if (text === lastText) {
			return false;
		}
		lastText = text;
		for (const [name, looks] of parsed(text, clock.nowMs())) {
			const mine = places.get(name);
			if (mine) {
				mine.merge(looks);
			} else {
				places.set(name, looks);
			}
		}
		return true;
	}

	function write(): void {
		waiting?.dispose();
		waiting = undefined;
		const isNews = takeOver();
		shrink(places);
		// A failed write only leaves one mark too many, so ignore it.
		const text = JSON.stringify(Object.fromEntries(places));
		lastText = text;
		kept.write(text).catch(() => undefined);
		if (isNews) {
			changed.fire('all');
		}
	}

	function writeSoon(): void {
		waiting ??= clock.after(quietMs, write);
	}

	function looksOf(place: Place): PlaceReadMarks {
		const name = nameOf(place);
		const looks = places.get(name) ?? PlaceReadMarks.undrawn(clock.nowMs() - graceMs);
		places.set(name, looks);
		return looks;
	}

	/** Writes the looks if `work` returns a truthy value, and fires if the mark changed. */
	function change<T>(thing: Thing, work: (looks: PlaceReadMarks) => T): T {
		const ref = refOf(thing);
		const before = mark(thing);
		const done = work(looksOf(placeOf(ref)));
		if (done) {
			writeSoon();
		}
		if (mark(thing) !== before) {
			changed.fire([ref]);
		}
		return done;
	}

	function look(thing: Thing, newestEventId: number | undefined, isByHand: boolean): UndoLook | undefined {
		const undo = change(thing, (looks) => looks.look(thing, newestEventId ?? 0, clock.nowMs()));
		looked.fire({ ref: refOf(thing), updatedMs: thing.updatedMs, newestEventId, isByHand });
		return undo;
	}

	function mark(thing: Thing): Mark | undefined {
		const home = homeOf(thing);
		if (lastName?.home !== home) {
			lastName = { home, name: nameOf(placeOf(refOf(thing))) };
		}
		const found = places.get(lastName.name)?.mark(thing);
		return found === 'new' && isOwnAndUntouched(thing, me) ? undefined : found;
	}

	return {
		mark,
		lastSeenEventId: (ref) => places.get(nameOf(placeOf(ref)))?.eventId(idOf(ref)),
		seenMs: (ref) => places.get(nameOf(placeOf(ref)))?.seenMs(idOf(ref)),
		look: (thing, newestEventId) => void look(thing, newestEventId, false),
		markRead(thing) {
			const undo = look(thing, undefined, true);
			return () => void change(thing, () => undo?.(clock.nowMs()));
		},
		markUnread(thing) {
			if (mark(thing) === undefined) {
				change(thing, (looks) => looks.markUnread(thing, clock.nowMs()));
			}
		},
		markAllRead(place, things) {
			looksOf(place).lookAtAll(things, clock.nowMs());
			writeSoon();
			changed.fire('all');
			markedAll.fire({ place, updatedMs: things.reduce((newestMs, thing) => Math.max(newestMs, thing.updatedMs), 0) });
		},
		see(place, things) {
			if (places.get(nameOf(place))?.isDrawn !== true) {
				const looks = looksOf(place);
				// Existing looks at single items take precedence over the line.
				looks.lookAtAll(things(), looks.size === 0 ? clock.nowMs() : 0);
				writeSoon();
			}
		},
		onDidChange: changed.event,
		onDidLook: looked.event,
		onDidMarkAll: markedAll.event,
		dispose() {
			if (waiting) {
				write();
			}
			returning?.dispose();
			changed.dispose();
			looked.dispose();
			markedAll.dispose();
		},
	};
}

function parsed(text: unknown, nowMs: number): readonly (readonly [string, PlaceReadMarks])[] {
	const entries = keptIn(text, v.record(v.string(), v.unknown()), {});
	return Object.entries(entries).flatMap(([name, entry]) => {
		const looks = PlaceReadMarks.parse(entry);
		return looks ? [[name, looks] as const] : lookOfOld(name, entry, nowMs);
	});
}

/** Format of earlier versions: newest seen mail by thread, `"~owner/list 12": 345`. */
function lookOfOld(name: string, entry: unknown, nowMs: number): readonly (readonly [string, PlaceReadMarks])[] {
	const [, place, id] = /^(.+) (\d{1,15})$/.exec(name) ?? [];
	return place !== undefined && Number.isSafeInteger(entry)
		? [[place, PlaceReadMarks.ofEvent(Number(id), Number(entry), nowMs - graceMs)]]
		: [];
}

/** Evicts the oldest looks of the largest places until all fit. */
function shrink(places: ReadonlyMap<string, PlaceReadMarks>): void {
	const counts = Array.from(places.values(), (looks) => looks.size);
	let over = counts.reduce((sum, count) => sum + count, 0) - mostLooks;
	for (const looks of [...places.values()].toSorted((a, b) => b.size - a.size)) {
		if (over <= 0) {
			return;
		}
		over -= looks.forgetOldest(over);
	}
}
