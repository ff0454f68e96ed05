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
export function ticketSegments() {
	const touched = new Set<number>();
	const confirmed = new Set<number>();
	return {
		/** True after changes; confirmations alone don't count. */
		get isTouched() {
			return touched.size > 0;
		},
		/** A ticket or the coverage around its number changed. */
		changed: (id: number): void => void touched.add(segmentOf(id)),
		/** A ticket is unchanged, only its check time is newer. */
		confirmed: (id: number): void => void confirmed.add(segmentOf(id)),
		/** Marks a whole segment for writing. */
		touch: (segment: number): void => void touched.add(segment),
		/** Returns and clears the marked segments. */
		take(): readonly number[] {
			const segments = Array.from(new Set([...touched, ...confirmed]));
			touched.clear();
			confirmed.clear();
			return segments;
		},
	};
}
