import * as v from 'valibot';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter, type Event } from '@forge-desk/base/event.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { refOfTicket, type Ticket, type TicketRef } from 'sourcehut/port/ticket.ts';
import type { ListRef } from 'sourcehut/port/list.ts';
import { refText, type NamedRef } from 'sourcehut/port/namedRef.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import type { Mark } from 'sourcehut/port/mark.ts';
import { type KeptText, keptIn } from '../shared/keptText.ts';
import { PlaceReadMarks, type Looked, type UndoLook } from './placeReadMarks.ts';

/** A thread; `id` is the number of its first mail. */
export interface ThreadRef {
	readonly list: ListRef;
	readonly id: number;
}

/** A thread or patchset of a list. */
export interface LookedInList extends Looked, ThreadRef {
	/** True when all its known mails are from the account. */
	readonly isOwn: boolean;
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

/** Looks come in bursts, so batch writes. */
const quietMs = 400;
/** Servers round to seconds, so a change right after the first visit may look older. */
const graceMs = 2000;
/** More than anybody looks at between two "mark all as read"; at most some 100 kB. */
const mostLooks = 3000;

/** Read marks of tickets. `onReturn` fires when the user returns to this window: another one may have changed them. */
export function storedReadMarks(kept: KeptText, me: OwnerName, clock: Clock, onReturn?: Event<void>) {
	return readMarks<Ticket, TicketRef, TrackerRef>(
		refOfTicket,
		({ tracker }) => tracker,
		({ tracker }) => tracker,
		({ submitter, createdMs, updatedMs }) =>
			submitter.kind === 'user' && submitter.canonicalName === me && updatedMs <= createdMs,
		{ kept, clock, onReturn },
	);
}

/** The same of threads, or of patchsets: their numbers overlap, so each has its own. */
export function storedListReadMarks(kept: KeptText, clock: Clock, onReturn?: Event<void>) {
	return readMarks<LookedInList, ThreadRef, ListRef>(
		({ list, id }) => ({ list, id }),
		({ list }) => list,
		({ list }) => list,
		({ isOwn }) => isOwn,
		{ kept, clock, onReturn },
	);
}

export type ReadMarks = ReturnType<typeof storedReadMarks>;
export type ListReadMarks = ReturnType<typeof storedListReadMarks>;

/**
 * Read state of tickets, threads or patchsets. On the first visit of a place, everything in it counts as read. New or
 * changed items get a mark until opened or marked as read. Own writes set no marks: `isOwn` items need the change of
 * somebody else. One text for all windows of the account, merged before each write. Disposing flushes pending writes.
 */
function readMarks<Thing extends Looked, Ref extends { readonly id: number }, Place extends NamedRef>(
	refOf: (thing: Thing) => Ref,
	placeOf: (ref: Ref) => Place,
	homeOf: (thing: Thing) => object,
	isOwn: (thing: Thing) => boolean,
	{
		kept,
		clock,
		onReturn,
	}: { readonly kept: KeptText; readonly clock: Clock; readonly onReturn: Event<void> | undefined },
) {
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

	/** Servers look up names case-insensitively (docs/protocol.md#tracker-look-up). */
	const nameOf = (place: Place): string => refText(place).toLowerCase();

	const knownOf = (ref: Ref): PlaceReadMarks | undefined => places.get(nameOf(placeOf(ref)));

	function looksOf(place: Place): PlaceReadMarks {
		const name = nameOf(place);
		const looks = places.get(name) ?? PlaceReadMarks.undrawn(clock.nowMs() - graceMs);
		places.set(name, looks);
		return looks;
	}

	/** Writes the looks if `work` returns a truthy value, and fires if the mark changed. */
	function change<T>(thing: Thing, work: (looks: PlaceReadMarks) => T): T {
		const before = mark(thing);
		const ref = refOf(thing);
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
		// Most items of a place share this object, and this runs for thousands of items.
		const home = homeOf(thing);
		if (lastName?.home !== home) {
			lastName = { home, name: nameOf(placeOf(refOf(thing))) };
		}
		const found = places.get(lastName.name)?.mark(thing);
		return found === 'new' && isOwn(thing) ? undefined : found;
	}

	return {
		/** No request. */
		mark,
		/** Newest event or mail at the last look; `undefined` before the first. For "new" labels in a timeline. */
		lastSeenEventId: (ref: Ref) => knownOf(ref)?.eventId(ref.id),
		/** Changes up to this time count as seen, in milliseconds since 1970; `undefined` for new or unread items. */
		seenMs: (ref: Ref) => knownOf(ref)?.seenMs(ref.id),
		/** Records a look at the current state; `newestEventId` if the timeline or the mails were loaded. */
		look: (thing: Thing, newestEventId: number | undefined) => void look(thing, newestEventId, false),
		/**
		 * The user marks it as read without opening it. Call the result to restore the mark; a later look makes it a no-op.
		 */
		markRead(thing: Thing) {
			const undo = look(thing, undefined, true);
			return () => void change(thing, () => undo?.(clock.nowMs()));
		},
		markUnread(thing: Thing) {
			if (mark(thing) === undefined) {
				change(thing, (looks) => looks.markUnread(thing, clock.nowMs()));
			}
		},
		markAllRead(place: Place, things: readonly Thing[]) {
			looksOf(place).lookAtAll(things, clock.nowMs());
			writeSoon();
			changed.fire('all');
			markedAll.fire({ place, updatedMs: things.reduce((newestMs, thing) => Math.max(newestMs, thing.updatedMs), 0) });
		},
		/**
		 * Reports the known items of a place. The first call draws the line, so all of them count as read; later calls are
		 * no-ops.
		 */
		see(place: Place, things: () => readonly Thing[]) {
			if (places.get(nameOf(place))?.isDrawn !== true) {
				const looks = looksOf(place);
				// Existing looks at single items take precedence over the line.
				looks.lookAtAll(things(), looks.size === 0 ? clock.nowMs() : 0);
				writeSoon();
			}
		},
		onDidChange: changed.event,
		/** Fires for each look in this window, even if the mark stays the same. */
		onDidLook: looked.event,
		/** Fires for "mark all as read" in this window. */
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
