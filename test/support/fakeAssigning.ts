import type { TrackerApi } from 'sourcehut/port/forge.ts';
import { ForgeError, unfit } from 'sourcehut/port/forgeError.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { ticketRefText, type Ticket } from 'sourcehut/port/ticket.ts';
import type { AssigneeRequest } from 'sourcehut/port/ticketRequest.ts';
import type { FakeTrackers } from './fakeForge.ts';

/** A ticket area with assignment. It rejects unknown users without a request. */
export function withAssigning(
	{ world, api }: Pick<FakeTrackers, 'world' | 'api'>,
	known: readonly string[],
): TrackerApi {
	return {
		...api,
		async assign(ref, asked, signal) {
			const before = await api.ticket(ref, signal);
			const unknown = asked.add.find((name) => !known.includes(name));
			if (unknown !== undefined) {
				throw unfit('assignees', 'personUnknown', unknown);
			}
			const call = `assign ${ticketRefText(ref)} ${JSON.stringify(asked)}`;
			await asked.leaving?.({ ticket: before, newestEventId: undefined });
			world.calls.push(call);
			await world.before(call);
			const after = assigned(before, asked);
			const tracker = refText(ref.tracker);
			const all = world.tickets.get(tracker) ?? [];
			world.tickets.set(
				tracker,
				all.map((each) => (each.id === after.id ? after : each)),
			);
			try {
				await world.after(call);
			} catch (error) {
				if (error instanceof ForgeError) {
					return { kind: 'lost', before: { ticket: before, newestEventId: undefined }, error };
				}
				throw error;
			}
			return { kind: 'answered', before: { ticket: before, newestEventId: undefined }, ticket: after, events: [] };
		},
	};
}

function assigned(ticket: Ticket, { add, remove }: AssigneeRequest): Ticket {
	const stay = ticket.assignees.filter(({ canonicalName }) => !remove.includes(canonicalName));
	const come = add.filter((name) => !stay.some(({ canonicalName }) => canonicalName === name));
	const people = come.map((canonicalName) => ({ canonicalName, name: canonicalName.slice(1) }));
	return { ...ticket, assignees: [...stay, ...people] };
}
