import { ending, moreOfUnknown, type PagingWay } from '../answers/pages.ts';
import type { TrackerApi } from '../port/forge.ts';
import { ForgeError } from '../port/forgeError.ts';
import type { Pages } from '../port/page.ts';
import type { Ticket } from '../port/ticket.ts';
import { isNamed, type TrackerRef } from '../port/tracker.ts';
import { paged, type Caller, ownOnly } from './caller.ts';
import { inTracker } from './endpoint.ts';
import { restTickets } from './restTickets.ts';
import { exactTrackers, type ExactTrackers } from './exactTracker.ts';
import { trackerEndpoints as endpoints } from './endpoints.ts';

export function restTrackers(caller: Caller, sure: ExactTrackers = exactTrackers(caller)): TrackerApi {
	const { call } = caller;
	const tickets = restTickets(caller, sure);
	return {
		...tickets,
		get editComment() {
			return tickets.editComment;
		},
		trackers: (owner, signal) =>
			paged(caller, endpoints.trackers, { params: {}, owner, signal }, { key: ({ name }) => name }),
		tracker: (ref, signal) => sure.read(ref, signal),
		create: ({ name, description, visibility }, signal) => {
			const told = {
				...(description !== undefined && { description }),
				// Trackers take the visibility in capitals (docs/protocol.md#later-servers).
				...(visibility !== undefined && { visibility: visibility.toUpperCase() }),
			};
			return call(endpoints.create, { params: {}, body: { name, ...told }, signal });
		},
		async update(ref, description, signal) {
			await sure.read(ref, signal);
			return call(endpoints.update, { ...inTracker(ref), body: { description }, signal });
		},
		async remove(ref, signal) {
			ownOnly(caller.me, ref.owner);
			await sure.read(ref, signal);
			await call(endpoints.remove, { params: { 'tracker-name': ref.name }, signal });
		},
		labels: (ref, signal) =>
			paged(caller, endpoints.labels, { ...inTracker(ref), signal }, { key: ({ name }) => name }),
		tickets: (ref, signal) =>
			ofTracker(
				ref,
				paged(caller, endpoints.tickets, { ...inTracker(ref), signal }, { key: ({ id }) => id, way: byNumber }),
			),
		ticketsOn: {
			kind: 'fromNumber',
			read(ref, from, signal) {
				const query = { start: String(from) };
				const call = { ...inTracker(ref), query, signal };
				return ofTracker(ref, paged(caller, endpoints.tickets, call, { key: ({ id }) => id, way: belowNumber }));
			},
		},
		async submit(ref, { title, description }, signal) {
			await sure.beforeWrite(ref, signal);
			return call(endpoints.submit, { ...inTracker(ref), body: { title, description }, signal });
		},
	};
}

/** Tickets of another tracker mean that this name no longer exists. */
async function* ofTracker(ref: TrackerRef, pages: Pages<Ticket>): Pages<Ticket> {
	for await (const page of pages) {
		if (page.items.some(({ tracker }) => !isNamed(tracker, ref))) {
			throw new ForgeError({ kind: 'notFound' });
		}
		yield page;
	}
}

/**
 * Tickets. The server's cursor counts rows while its pages count numbers, so following it may never end. The next page
 * starts below the lowest number until the count reaches the total (docs/protocol.md#ticket-pages).
 */
export function byNumber<T extends { readonly id: number }>(): PagingWay<T> {
	return (page, seen, added) => {
		const isAll = page.total === undefined ? page.next === undefined : seen >= page.total;
		const lowest = lowestOf(page.items);
		if (!page.isEnvelope || isAll || page.next === undefined || lowest <= 1) {
			return { end: ending(page, seen) };
		}
		return added === 0 ? { end: { kind: 'more', total: page.total } } : { start: String(lowest - 1) };
	};
}

/** Tickets below a number. The count above it is unknown, so only the server or number 1 ends the list. */
export function belowNumber<T extends { readonly id: number }>(): PagingWay<T> {
	return (page, _seen, added) => {
		if (!page.isEnvelope) {
			return { end: { kind: 'unstated' } };
		}
		const lowest = lowestOf(page.items);
		if (page.next === undefined || lowest <= 1) {
			return { end: { kind: 'complete' } };
		}
		return added === 0 ? { end: moreOfUnknown } : { start: String(lowest - 1) };
	};
}

function lowestOf(items: readonly { readonly id: number }[]): number {
	let lowest = Number.POSITIVE_INFINITY;
	for (const { id } of items) {
		lowest = Math.min(lowest, id);
	}
	return lowest;
}
