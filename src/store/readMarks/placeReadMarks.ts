import * as v from 'valibot';
import { maxOf } from '@forge-desk/base/longArrays.ts';
import type { Mark } from 'sourcehut/port/mark.ts';
import { goodOf } from '../shared/keptText.ts';
import { isWithin, joined, type NumberRange } from '../shared/numberRanges.ts';

/** A ticket of a tracker, or a thread or patchset of a list. Ids increase. */
export interface Looked {
	readonly id: number;
	/** Time of the last relevant change. */
	readonly updatedMs: number;
}

/** Ids up to `highestId` with changes up to `newestMs` count as seen. Times are milliseconds since 1970. */
export interface Line {
	readonly highestId: number;
	readonly newestMs: number;
	/** Creation time of the line. */
	readonly atMs: number;
}

/** State of an item at its last look. */
interface Look {
	readonly updatedMs: number;
	/** Time of the look, or of "mark as unread". */
	readonly atMs: number;
	/** Newest event or mail at that time; 0 if unknown. */
	readonly eventId: number;
	readonly isUnread: boolean;
}

/** `updatedMs` of an unread look at a new item; 0 is taken, because it is the decoded form of a missing time. */
const neverSeen = -1;

/** Restores the mark of before the look. Returns false if a later look replaced it. */
export type UndoLook = (nowMs: number) => boolean;

/** Format of `toJSON`. */
const keptPlace = v.object({
	line: v.tuple([v.number(), v.number(), v.number()]),
	looks: goodOf(v.tuple([v.number(), v.number(), v.number(), v.optional(v.number(), 0), v.optional(v.number(), 0)])),
	done: goodOf(
		v.pipe(
			v.tuple([v.number(), v.number()]),
			v.transform(([bottom, top]): NumberRange => ({ top, bottom })),
		),
	),
	doneMs: v.fallback(v.number(), 0),
});

/** `highestId` of an undrawn line: nothing is above it. */
const undrawn = Number.MAX_SAFE_INTEGER;

/**
 * Read state of one tracker or list: a line with everything seen below, and single looks above. Format: `{ line: [id,
 * newestMs, atMs], looks: [[id, updatedMs, atMs, event, unread], …], done: [[from, to], …], doneMs }`.
 */
export class PlaceReadMarks {
	#line: Line;
	/** Oldest look first. */
	readonly #looks = new Map<number, Look>();
	/** Ids above the line with evicted looks. */
	#done: readonly NumberRange[] = [];
	#doneMs = 0;

	constructor(line: Line) {
		this.#line = line;
	}

	/** A place never visited: only single looks count, and nothing is new. */
	static undrawn(newestMs: number): PlaceReadMarks {
		return new PlaceReadMarks({ highestId: undrawn, newestMs, atMs: 0 });
	}

	/** The same with one known look: the newest event at that time. */
	static ofEvent(id: number, eventId: number, newestMs: number): PlaceReadMarks {
		const looks = PlaceReadMarks.undrawn(newestMs);
		looks.#put(id, { updatedMs: newestMs, atMs: 0, eventId, isUnread: false });
		return looks;
	}

	/** True after the first visit. */
	get isDrawn(): boolean {
		return this.#line.highestId !== undrawn;
	}

	get size(): number {
		return this.#looks.size;
	}

	/** `undefined` for a read item. */
	mark({ id, updatedMs }: Looked): Mark | undefined {
		const look = this.#looks.get(id);
		if (look) {
			if (look.isUnread && look.updatedMs === neverSeen) {
				return 'new';
			}
			return look.isUnread || updatedMs > look.updatedMs ? 'changed' : undefined;
		}
		if (this.#isAboveLine(id)) {
			return 'new';
		}
		return updatedMs > this.#reachedMs(id) ? 'changed' : undefined;
	}

	/** Changes up to this time count as seen; `undefined` for new or unread items. */
	seenMs(id: number): number | undefined {
		const look = this.#looks.get(id);
		if (look) {
			return look.isUnread ? undefined : look.updatedMs;
		}
		return this.#isAboveLine(id) ? undefined : this.#reachedMs(id);
	}

	eventId(id: number): number | undefined {
		const eventId = this.#looks.get(id)?.eventId ?? 0;
		return eventId === 0 ? undefined : eventId;
	}

	/**
	 * Returns the undo, or `undefined` if the look changes nothing. `newestEventId` is 0 if the timeline or the mails
	 * were not loaded.
	 */
	look(thing: Looked, newestEventId: number, atMs: number): UndoLook | undefined {
		const { id } = thing;
		const { updatedMs, eventId } = this.#looks.get(id) ?? { updatedMs: 0, eventId: 0 };
		if (this.mark(thing) === undefined && newestEventId <= eventId) {
			return undefined;
		}
		const before = this.#looks.get(id) ?? this.#firstLook(id);
		const after = {
			updatedMs: Math.max(updatedMs, thing.updatedMs),
			atMs,
			eventId: Math.max(eventId, newestEventId),
			isUnread: false,
		};
		this.#put(id, after);
		return (nowMs) => {
			if (this.#looks.get(id) !== after) {
				return false;
			}
			this.#put(id, { ...before, atMs: nowMs });
			return true;
		};
	}

	/** True when it changes the state. */
	markUnread({ id, updatedMs }: Looked, atMs: number): boolean {
		const before = this.#looks.get(id);
		if (before?.isUnread === true) {
			return false;
		}
		this.#put(id, { updatedMs, atMs, eventId: before?.eventId ?? 0, isUnread: true });
		return true;
	}

	/** Raises the line above all of these. Keeps the seen positions of timelines. */
	lookAtAll(things: readonly Looked[], atMs: number): void {
		let { highestId, newestMs } = this.#line;
		highestId = this.isDrawn ? highestId : 0;
		for (const { id, updatedMs } of things) {
			highestId = Math.max(highestId, id);
			newestMs = Math.max(newestMs, updatedMs);
		}
		this.#raise({ highestId, newestMs, atMs });
	}

	/** Merges another window's state: the later look at an item wins. */
	merge(other: PlaceReadMarks): void {
		const drawn = [this, other].filter(({ isDrawn }) => isDrawn).map((looks) => looks.#line.highestId);
		this.#raise({
			highestId: drawn.length === 0 ? undrawn : maxOf(drawn),
			newestMs: Math.max(this.#line.newestMs, other.#line.newestMs),
			atMs: Math.max(this.#line.atMs, other.#line.atMs),
		});
		this.#doneMs = Math.max(this.#doneMs, other.#doneMs);
		this.#done = joined([...this.#done, ...other.#done]);
		for (const [id, look] of other.#looks) {
			const theirs = this.#belowLine(look);
			const mine = this.#looks.get(id);
			if (theirs && (mine ? theirs.atMs > mine.atMs : !isWithin(this.#done, id))) {
				this.#looks.set(id, { ...theirs, eventId: Math.max(theirs.eventId, mine?.eventId ?? 0) });
			}
		}
	}

	/** Evicts up to `count` of the oldest looks without marking their items as new. Returns the number. */
	forgetOldest(count: number): number {
		const gone = [...this.#looks].filter(([, { isUnread }]) => !isUnread).slice(0, count);
		for (const [id, { updatedMs }] of gone) {
			this.#looks.delete(id);
			this.#doneMs = Math.max(this.#doneMs, updatedMs);
		}
		this.#done = joined([...this.#done, ...gone.map(([id]) => ({ top: id, bottom: id }))]);
		return gone.length;
	}

	toJSON(): unknown {
		const { highestId, newestMs, atMs } = this.#line;
		return {
			line: [highestId, newestMs, atMs],
			looks: Array.from(this.#looks, ([id, look]) => [
				id,
				look.updatedMs,
				look.atMs,
				look.eventId,
				look.isUnread ? 1 : 0,
			]),
			done: this.#done.map(({ top, bottom }) => [bottom, top]).toReversed(),
			doneMs: this.#doneMs,
		};
	}

	/** Parses `toJSON`; `undefined` for anything else. */
	static parse(value: unknown): PlaceReadMarks | undefined {
		const kept = v.safeParse(keptPlace, value);
		if (!kept.success) {
			return undefined;
		}
		const { line, looks, done, doneMs } = kept.output;
		const [highestId, newestMs, atMs] = line;
		const read = new PlaceReadMarks({ highestId, newestMs, atMs });
		for (const [id, updatedMs, lookedAtMs, eventId, unread] of looks) {
			read.#looks.set(id, { updatedMs, atMs: lookedAtMs, eventId, isUnread: unread === 1 });
		}
		read.#done = joined(done.filter(({ top, bottom }) => bottom <= top));
		read.#doneMs = doneMs;
		return read;
	}

	#raise(line: Line): void {
		const before = this.#line;
		this.#line = line;
		if (line.atMs === before.atMs && line.highestId === before.highestId && line.newestMs === before.newestMs) {
			return;
		}
		for (const [id, look] of this.#looks) {
			const after = this.#belowLine(look);
			if (after) {
				this.#looks.set(id, after);
			} else {
				this.#looks.delete(id);
			}
		}
		this.#done = this.#done.filter(({ top }) => top > line.highestId);
	}

	/** The line supersedes an older look, except for its seen timeline position. */
	#belowLine(look: Look): Look | undefined {
		if (look.atMs > this.#line.atMs) {
			return look;
		}
		return look.eventId === 0
			? undefined
			: { ...look, updatedMs: Math.max(look.updatedMs, this.#line.newestMs), isUnread: false };
	}

	/** Newest last, for eviction. */
	#put(id: number, look: Look): void {
		this.#looks.delete(id);
		this.#looks.set(id, look);
	}

	#isAboveLine(id: number): boolean {
		return id > this.#line.highestId && !isWithin(this.#done, id);
	}

	/** Default state of an item as a look. */
	#firstLook(id: number): Look {
		const isUnread = this.#isAboveLine(id);
		return { updatedMs: isUnread ? neverSeen : this.#reachedMs(id), atMs: 0, eventId: 0, isUnread };
	}

	/** Default seen time of an item without a look. */
	#reachedMs(id: number): number {
		return isWithin(this.#done, id) ? Math.max(this.#line.newestMs, this.#doneMs) : this.#line.newestMs;
	}
}
