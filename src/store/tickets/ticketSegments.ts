import type { NumberRange } from '../shared/numberRanges.ts';

/** Ticket numbers per file. */
const segmentSize = 256;

function segmentOf(id: number): number {
	return Math.floor(id / segmentSize);
}

export function segmentLimits(segment: number): NumberRange {
	return { top: (segment + 1) * segmentSize - 1, bottom: Math.max(1, segment * segmentSize) };
}

/** Tracks the segments that need writing to disk. */
export interface TicketSegments {
	/** True after changes; confirmations alone don't count. */
	readonly isTouched: boolean;
	/** A ticket or the coverage around its number changed. */
	changed(id: number): void;
	/** A ticket is unchanged, only its check time is newer. */
	confirmed(id: number): void;
	/** Marks a whole segment for writing. */
	touch(segment: number): void;
	/** Returns and clears the marked segments. */
	take(): readonly number[];
}

export function ticketSegments(): TicketSegments {
	const touched = new Set<number>();
	const confirmed = new Set<number>();
	return {
		get isTouched() {
			return touched.size > 0;
		},
		changed: (id) => void touched.add(segmentOf(id)),
		confirmed: (id) => void confirmed.add(segmentOf(id)),
		touch: (segment) => void touched.add(segment),
		take() {
			const segments = Array.from(new Set([...touched, ...confirmed]));
			touched.clear();
			confirmed.clear();
			return segments;
		},
	};
}
