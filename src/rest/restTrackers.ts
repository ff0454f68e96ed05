import { paged } from './caller.ts';
import type { TrackerApi } from '../forge/forge.ts';
import { ForgeError } from '../forge/forgeError.ts';
import type { Pages } from '../forge/page.ts';
import type { Ticket } from '../forge/ticket.ts';
import { isNamed, type TrackerRef } from '../forge/tracker.ts';
import type { Caller } from './caller.ts';
import { inTracker } from './inTracker.ts';
import { ownOnly } from './ownOnly.ts';
import { pagesAhead } from './pagesAhead.ts';
import { belowNumber, byNumber } from './pagingWays.ts';
import { restTickets } from './restTickets.ts';
import { sealedListBy } from './sealedPage.ts';
import { sureTrackers, type SureTrackers } from './sureTracker.ts';
import { trackerEndpoints as endpoints } from './trackerEndpoints.ts';
import { decoder } from '../answers/decoding.ts';
import { ticket } from './wire/ticket.ts';

export function restTrackers(caller: Caller, sure: SureTrackers = sureTrackers(caller)): TrackerApi {
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
			ownOnly(caller, ref.owner);
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
		allTickets: (ref, signal) => ofTracker(ref, walkTickets(caller, ref, signal)),
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

/** Decoding happens after the call has ended, and still throws `ForgeError`. */
function walkTickets(caller: Caller, ref: TrackerRef, signal: AbortSignal): Pages<Ticket> {
	const prepared = caller.prepare({ ...endpoints.tickets, reader: sealedTickets }, inTracker(ref));
	return pagesAhead(
		(start, shared) => prepared({ ...(start !== undefined && { query: { start } }), signal: shared }),
		signal,
	);
}

const sealedTickets = sealedListBy(decoder(ticket));
