import type { NumberRange } from '../shared/numberRanges.ts';

/** How many numbers are kept together. */
const segmentSize = 256;

/** The segment in which a ticket is kept. */
function segmentOf(id: number): number {
	return Math.floor(id / segmentSize);
}

/** The numbers of a segment. */
export function segmentLimits(segment: number): NumberRange {
	return { top: (segment + 1) * segmentSize - 1, bottom: Math.max(1, segment * segmentSize) };
}

/** Which segments are not kept on the disk as they are now. */
export interface TicketSegments {
	/** True when something is different from what was last kept, and not only confirmed. */
	readonly isTouched: boolean;
	/** A ticket is different now, or what is known around its number is. */
	changed(id: number): void;
	/** A ticket is as it was, and that is known from a later time. */
	confirmed(id: number): void;
	/** Says that a whole segment is not kept as it is. */
	touch(segment: number): void;
	/** The segments that are not kept as they are now; they count as kept from here on. */
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
