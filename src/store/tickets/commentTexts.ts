import { LRUCache } from 'lru-cache';
import type { TicketEvent } from 'sourcehut/port/ticket.ts';
import type { Listing } from '../shared/listing.ts';

/** Searchable comments of a ticket. */
export interface KnownComments {
	/** Newest first. */
	readonly texts: readonly string[];
	/** Ids of the events, in the same order. */
	readonly eventIds: readonly number[];
	/** Number of comments; `undefined` unless the whole timeline was read. */
	readonly count: number | undefined;
	/** Characters in all texts. */
	readonly size: number;
}

/** Maximum characters of comments per ticket. */
const mostPerTicket = 65_536;

/** Merges the comments of a timeline into the known ones. A newer reading of an event replaces its comment. */
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
	const count = isWhole ? read.length : countAfter(listing, known);
	// Keeps the newest texts that fit and truncates the last one.
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

/** The count stays exact while all newer events are known. */
function countAfter(listing: Listing<TicketEvent>, known: KnownComments | undefined): number | undefined {
	const newest = known?.eventIds[0];
	const oldestRead = listing.items.at(-1)?.id;
	if (known?.count === undefined || newest === undefined || oldestRead === undefined || oldestRead > newest) {
		return undefined;
	}
	return known.count + listing.items.filter(({ id, comment }) => id > newest && comment !== undefined).length;
}

/** Maximum characters of comments per account. */
const mostPerAccount = 16 * 1024 * 1024;

/** Limits comments of all tickets; evicts the least recently read. */
export type CommentRoom = ReturnType<typeof commentRoom>;

export function commentRoom(most: number = mostPerAccount) {
	const taken = new LRUCache<string, () => void>({
		maxSize: most,
		dispose: (drop, _, reason) => (reason === 'evict' ? drop() : undefined),
	});
	// The cache rejects size 0.
	return {
		/** Registers the size of a ticket's comments; `drop` evicts them. */
		take: (ticket: string, size: number, drop: () => void): void =>
			void taken.set(ticket, drop, { size: Math.max(1, size) }),
	};
}
