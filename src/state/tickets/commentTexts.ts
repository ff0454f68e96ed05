import { LRUCache } from 'lru-cache';
import type { TicketEvent } from '../../forge/ticket.ts';
import type { Listing } from '../shared/listing.ts';

/** What is kept of a ticket's comments. */
export interface KnownComments {
	/** Newest first. */
	readonly texts: readonly string[];
	/** The events that carried them, in the same order. */
	readonly eventIds: readonly number[];
	/** How many comments there are; `undefined` unless the whole timeline was read. */
	readonly count: number | undefined;
	/** Characters of all texts. */
	readonly size: number;
}

/** How many characters of one ticket's comments are kept for searching. */
const mostPerTicket = 65_536;

/**
 * What the timeline, as far as it was read, adds to what was known of the comments. An event that is read again stands
 * for its comment as it is now.
 */
export function commentsOf(listing: Listing<TicketEvent>, known: KnownComments | undefined): KnownComments | undefined {
	const read = listing.items.filter(({ comment }) => comment !== undefined);
	const isWhole = listing.completeness.kind !== 'more';
	if (read.length === 0 && known === undefined && !isWhole) {
		return undefined;
	}
	const texts = new Map<number, string>();
	known?.eventIds.forEach((id, at) => texts.set(id, known.texts[at] ?? ''));
	if (isWhole) {
		texts.clear();
	}
	for (const { id, comment } of read) {
		texts.set(id, comment?.text ?? '');
	}
	return bounded(texts, isWhole ? read.length : countAfter(listing, known));
}

/** The newest texts that fit; a part of one that does not fit whole. */
function bounded(texts: ReadonlyMap<number, string>, count: number | undefined): KnownComments {
	let size = 0;
	const kept: [number, string][] = [];
	for (const [id, text] of Array.from(texts).sort(([a], [b]) => b - a)) {
		const part = text.slice(0, mostPerTicket - size);
		if (part !== '' || text === '') {
			kept.push([id, part]);
			size += part.length;
		}
	}
	return { texts: kept.map(([, text]) => text), eventIds: kept.map(([id]) => id), count, size };
}

/** A number that was certain once stays certain as long as every newer event was read. */
function countAfter(listing: Listing<TicketEvent>, known: KnownComments | undefined): number | undefined {
	const newest = known?.eventIds[0];
	const oldestRead = listing.items.at(-1)?.id;
	if (known?.count === undefined || newest === undefined || oldestRead === undefined || oldestRead > newest) {
		return undefined;
	}
	return known.count + listing.items.filter(({ id, comment }) => id > newest && comment !== undefined).length;
}

/** How many characters of comments are kept of one account. */
const mostPerAccount = 16 * 1024 * 1024;

/** Keeps comments of all tickets within bounds: those that were read longest ago go first. */
export interface CommentRoom {
	/** Says that a ticket's comments take `size` characters now; `drop` lets them go when room is needed. */
	take(ticket: string, size: number, drop: () => void): void;
}

export function commentRoom(most: number = mostPerAccount): CommentRoom {
	const taken = new LRUCache<string, () => void>({
		maxSize: most,
		dispose: (drop, _, reason) => (reason === 'evict' ? drop() : undefined),
	});
	// Nothing at all counts as one character, because a cache holds no entry without a size.
	return { take: (ticket, size, drop) => void taken.set(ticket, drop, { size: Math.max(1, size) }) };
}
