import { randomUUID } from 'node:crypto';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { TrackerApi } from 'sourcehut/port/forge.ts';
import type { Page, Pages } from 'sourcehut/port/page.ts';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { FakeTrackers } from '../../../support/fakeForge.ts';

/** Tickets of a forge that pages only by cursors. */
export interface CursorTickets {
	readonly api: TrackerApi;
	/** Requested cursors in order; `first` is a first page. */
	readonly followed: string[];
	/** Makes the server reject all cursors so far. */
	forget(): void;
}

/**
 * Tickets of the fake with opaque cursors: an unknown cursor fails. A cursor points to the last ticket of its page,
 * even after new tickets.
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
