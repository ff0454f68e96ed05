import { randomUUID } from 'node:crypto';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { TrackerApi } from 'sourcehut/port/forge.ts';
import type { Page, Pages } from 'sourcehut/port/page.ts';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { FakeTrackers } from './fakeForge.ts';

/** Tickets of a forge whose pages follow each other by cursors, and in no other way. */
export interface CursorTickets {
	readonly api: TrackerApi;
	/** The cursors that were followed, in their order; a first page is `first`. */
	readonly followed: string[];
	/** From now on the server takes none of the cursors that it gave. */
	forget(): void;
}

/**
 * The tickets of the fake by cursors that nobody can make: a cursor that was not given out fails. Where a page ends is
 * bound to its last ticket, whatever comes above it later.
 */
export function cursorTickets({ world, api }: FakeTrackers): CursorTickets {
	const given = new Map<string, number>();
	const followed: string[] = [];

	async function* pagesFrom(ref: TrackerRef, cursor: string | undefined, signal: AbortSignal): Pages<Ticket> {
		for (let at = cursor; ;) {
			const below = at === undefined ? Number.POSITIVE_INFINITY : given.get(at);
			followed.push(at ?? 'first');
			await world.before(`tickets ${refText(ref)} ${at ?? 'first'}`);
			signal.throwIfAborted();
			if (below === undefined) {
				throw new ForgeError({ kind: 'invalid', errors: [{ field: 'cursor', reason: 'Invalid cursor' }] });
			}
			const rest = (world.tickets.get(refText(ref)) ?? []).filter(({ id }) => id < below);
			const items = rest.slice(0, world.pageSize);
			const last = items.at(-1);
			if (last === undefined || items.length === rest.length) {
				yield { items, seen: items.length, completeness: { kind: 'complete' } };
				return;
			}
			at = randomUUID();
			given.set(at, last.id);
			const page: Page<Ticket> = {
				items,
				seen: items.length,
				completeness: { kind: 'more', total: undefined },
				next: at,
			};
			yield page;
		}
	}

	const byCursor: TrackerApi = {
		...api,
		tickets: (ref, signal) => pagesFrom(ref, undefined, signal),
		ticketsOn: { kind: 'afterCursor', read: pagesFrom },
	};
	return {
		api: byCursor,
		followed,
		forget: () => given.clear(),
	};
}
