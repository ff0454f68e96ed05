import * as v from 'valibot';
import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { refOfTicket, type Ticket, type TicketRef } from '../../forge/ticket.ts';
import { refText } from '../../forge/namedRef.ts';
import type { TrackerRef } from '../../forge/tracker.ts';
import type { OwnerName } from '../../forge/user.ts';
import type { Mark } from '../../forge/mark.ts';
import { type KeptText, keptIn } from '../shared/keptText.ts';
import { PlaceReadMarks, type Looked, type UndoLook } from './placeReadMarks.ts';

/**
 * What the account has looked at, of things of one kind: tickets of trackers, conversations or patchsets of lists. When a
 * place is seen for the first time everything in it counts as looked at; what comes or changes later is marked until it is
 * opened or marked as read. Own writes mark nothing.
 */
export interface ReadMarks<Thing = Ticket, Ref = TicketRef, Place = TrackerRef> {
	/** Needs no request. */
	mark(thing: Thing): Mark | undefined;
	/** Newest event or mail that was there at the last look; `undefined` before the first. For "new" in a timeline. */
	lastSeenEventId(ref: Ref): number | undefined;
	/** Changes up to then count as seen, milliseconds since 1970; `undefined` for what is new or was marked as unread. */
	seenMs(ref: Ref): number | undefined;
	/** It was looked at, as it is now; `newestEventId` where its timeline or its mails were read. */
	look(thing: Thing, newestEventId: number | undefined): void;
	/** The user marks it as read without opening it. Call the result to restore the mark; a later look makes it a no-op. */
	markRead(thing: Thing): () => void;
	/** Somebody wants to be reminded of it. */
	markUnread(thing: Thing): void;
	markAllRead(place: Place, things: readonly Thing[]): void;
	/**
	 * What a place is known to hold. The first call for a place draws the line: all of it, and all that is older than now,
	 * counts as looked at. Later calls cost nothing, so it may be called whenever things came.
	 */
	see(place: Place, things: () => readonly Thing[]): void;
	readonly onDidChange: Event<readonly Ref[] | 'all'>;
	/** It was looked at in this window, whether or not its mark is another one by that. */
	readonly onDidLook: Event<LookedAt<Ref>>;
	/** All of a place was marked as read in this window. */
	readonly onDidMarkAll: Event<MarkedPlace<Place>>;
}

/** A look at one thing. */
export interface LookedAt<Ref> {
	readonly ref: Ref;
	/** When something happened to it last, as it was then. */
	readonly updatedMs: number;
	/** `undefined` where neither its timeline nor its mails were read. */
	readonly newestEventId: number | undefined;
	/** Somebody said so, by `markRead`. */
	readonly isByHand: boolean;
}

/** A place of which everything is read that happened up to a time. */
export interface MarkedPlace<Place> {
	readonly place: Place;
	readonly updatedMs: number;
}

export interface LookParts {
	readonly kept: KeptText;
	/** `~name` of the account, to which what it wrote itself is no news. */
	readonly me: OwnerName;
	readonly clock: Clock;
	/** Somebody comes back to this window, and may have looked at things in another one. */
	readonly onReturn?: Event<void>;
}

/** Things of one kind, and how they are named. */
export interface LookedKind<Thing extends Looked, Ref, Place> {
	readonly refOf: (thing: Thing) => Ref;
	readonly placeOf: (ref: Ref) => Place;
	readonly idOf: (ref: Ref) => number;
	/**
	 * The same text for the same place; servers look names up without regard to case
	 * (docs/protocol.md#tracker-look-up).
	 */
	readonly nameOf: (place: Place) => string;
	/** The same object for most things of a place: they are asked for in thousands, and have much in common. */
	readonly homeOf: (thing: Thing) => object;
	/** One's own is no news before somebody else did something with it. */
	readonly isOwnAndUntouched: (thing: Thing, me: OwnerName) => boolean;
}

/** The looks of one account over restarts. Disposing writes what is still unwritten. */
export type StoredReadMarks<Thing = Ticket, Ref = TicketRef, Place = TrackerRef> = ReadMarks<Thing, Ref, Place> &
	Disposable;

/** Looks come in bursts; each write carries all of them. */
const quietMs = 400;
/** Servers tell whole seconds, so what changes right after the first sight may look older than that. */
const graceMs = 2000;
/** More than anybody looks at between two "mark all as read"; some 100 kB at most. */
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

/** The looks at tickets. */
export function storedReadMarks(parts: LookParts): StoredReadMarks {
	return looksAt(tickets, parts);
}

/**
 * Looks kept as one small text. Other windows of the same account write the same text, so every write takes over first
 * what stands there.
 */
export function looksAt<Thing extends Looked, Ref, Place>(
	{ refOf, placeOf, idOf, nameOf, homeOf, isOwnAndUntouched }: LookedKind<Thing, Ref, Place>,
	{ kept, me, clock, onReturn }: LookParts,
): StoredReadMarks<Thing, Ref, Place> {
	const places = new Map<string, PlaceReadMarks>();
	const changed = new Emitter<readonly Ref[] | 'all'>();
	const looked = new Emitter<LookedAt<Ref>>();
	const markedAll = new Emitter<MarkedPlace<Place>>();
	let waiting: Disposable | undefined;
	/** What was last read or written. */
	let lastText: unknown;
	let lastName: { readonly home: object; readonly name: string } | undefined;
	takeOver();
	const returning = onReturn?.(() => takeOver() && changed.fire('all'));

	/** False when nothing was written since. */
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
		// A look that could not be written is a mark too many later on, and no reason to disturb anybody.
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
				// What somebody did with single things before says what they want of them.
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

/** Earlier versions kept of each conversation the number of the newest mail that was seen: `"~owner/list 12": 345`. */
function lookOfOld(name: string, entry: unknown, nowMs: number): readonly (readonly [string, PlaceReadMarks])[] {
	const [, place, id] = /^(.+) (\d{1,15})$/.exec(name) ?? [];
	return place !== undefined && Number.isSafeInteger(entry)
		? [[place, PlaceReadMarks.ofEvent(Number(id), Number(entry), nowMs - graceMs)]]
		: [];
}

/** The place with the most looks gives up its oldest ones until all fit. */
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
