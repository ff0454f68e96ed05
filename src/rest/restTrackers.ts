import { ForgeError } from '../forge/forgeError.ts';
import type { TrackerApi } from '../forge/forge.ts';
import type { Pages } from '../forge/page.ts';
import type { Ticket, TicketChanges, TicketRef } from '../forge/ticket.ts';
import { isNamed, type TrackerRef } from '../forge/tracker.ts';
import type { OwnerName } from '../forge/user.ts';
import type { Caller } from './caller.ts';
import { inTicket, inTracker } from './inTracker.ts';
import { orMissingComment, orMissingTicket } from './missingTicket.ts';
import { observedEndpoints } from './observedEndpoints.ts';
import { paged } from './pages.ts';
import { pagesAhead } from './pagesAhead.ts';
import { belowNumber, byNumber } from './pagingWays.ts';
import { sealedListBy } from './sealedPage.ts';
import { sureTrackers } from './sureTracker.ts';
import { trackerEndpoints as endpoints } from './trackerEndpoints.ts';
import { ticketDecoder } from './wire/hotTicket.ts';

/** Trackers and tickets, over REST. */
export function restTrackers(caller: Caller): TrackerApi {
	const { call } = caller;
	const sure = sureTrackers(caller);
	return {
		trackers: (owner, signal) =>
			paged(caller, endpoints.trackers, { params: {}, owner, signal }, { key: ({ name }) => name }),
		tracker: (ref, signal) => sure.read(ref, signal),
		create: ({ name, description, visibility }, signal) => {
			const told = {
				...(description !== undefined && { description }),
				// Of trackers it is spelt in capitals (docs/protocol.md#later-servers).
				...(visibility !== undefined && { visibility: visibility.toUpperCase() }),
			};
			return call(endpoints.create, { params: {}, body: { name, ...told }, signal });
		},
		async update(ref, description, signal) {
			await sure.read(ref, signal);
			return call(endpoints.update, { ...inTracker(ref), body: { description }, signal });
		},
		async remove(ref, signal) {
			refuseOthers(caller, ref.owner);
			await sure.read(ref, signal);
			sure.forget(ref);
			await call(endpoints.remove, { params: { 'tracker-name': ref.name }, signal });
		},
		labels: (ref, signal) =>
			paged(caller, endpoints.labels, { ...inTracker(ref), signal }, { key: ({ name }) => name }),
		tickets: (ref, signal) =>
			paged(caller, endpoints.tickets, { ...inTracker(ref), signal }, { key: ({ id }) => id, way: byNumber }),
		ticketsFrom(ref, from, signal) {
			const query = { start: String(from) };
			const call = { ...inTracker(ref), query, signal };
			return paged(caller, endpoints.tickets, call, { key: ({ id }) => id, way: belowNumber });
		},
		allTickets: (ref, signal) => walkTickets(caller, ref, signal),
		async submit(ref, { title, description }, signal) {
			await sure.beforeWrite(ref, signal);
			return call(endpoints.submit, { ...inTracker(ref), body: { title, description }, signal });
		},
		async ticket(ref, signal) {
			const ticket = await orMissingTicket(caller, ref, signal, call(endpoints.ticket, { ...inTicket(ref), signal }));
			refuseOtherTicket(ref, ticket);
			return ticket;
		},
		async updateTicket(ref, changes, signal) {
			await sure.beforeWrite(ref.tracker, signal);
			const update = call(endpoints.updateTicket, { ...inTicket(ref), body: bodyOf(changes), signal });
			const answer = await orMissingTicket(caller, ref, signal, update);
			refuseOtherTicket(ref, answer.ticket);
			return answer;
		},
		events: (ref, signal) => paged(caller, endpoints.events, { ...inTicket(ref), signal }, { key: ({ id }) => id }),
		async editComment(ref, commentId, text, signal) {
			await sure.beforeWrite(ref.tracker, signal);
			const { params, owner } = inTicket(ref);
			const at = { ...params, 'comment-id': commentId };
			const edit = call(observedEndpoints.editComment, { params: at, owner, body: { text }, signal });
			return orMissingComment(caller, { ref, commentId }, signal, edit);
		},
	};
}

/** What cannot be read is told as any answer that was not understood, though it is read after the call has ended. */
function walkTickets(caller: Caller, ref: TrackerRef, signal: AbortSignal): Pages<Ticket> {
	const prepared = caller.prepare({ ...endpoints.tickets, reader: sealedTickets }, inTracker(ref));
	return pagesAhead(
		(start, shared) => prepared({ ...(start !== undefined && { query: { start } }), signal: shared }),
		signal,
	);
}

const sealedTickets = sealedListBy(ticketDecoder);

/** An answer about another ticket than was asked for is none. */
function refuseOtherTicket(ref: TicketRef, { id, tracker }: Ticket): void {
	if (!isNamed(tracker, ref.tracker)) {
		throw new ForgeError({ kind: 'notUnderstood', where: 'tracker', why: 'a ticket of another tracker came' });
	}
	if (id !== ref.id) {
		throw new ForgeError({ kind: 'notUnderstood', where: 'id', why: `ticket ${id} came for ticket ${ref.id}` });
	}
}

/** Only what was asked for is sent: servers take null for a mistake. */
function bodyOf({ comment, status, resolution, labels }: TicketChanges): object {
	return {
		...(comment === undefined ? {} : { comment }),
		...(status === undefined ? {} : { status }),
		...(resolution === undefined ? {} : { resolution }),
		...(labels === undefined ? {} : { labels }),
	};
}

/** The contract has no path for removing others' things, and no server would let us. */
function refuseOthers({ me }: Caller, owner: OwnerName): void {
	if (owner !== me) {
		throw new ForgeError({ kind: 'notAllowed' });
	}
}
