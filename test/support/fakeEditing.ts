import type { TrackerApi } from 'sourcehut/port/forge.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { ticketRefText, type Ticket } from 'sourcehut/port/ticket.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { FakeTrackers } from './fakeForge.ts';

/** A ticket area with editing of tickets, as some protocols have it. */
export function withEditing({ world, api }: Pick<FakeTrackers, 'world' | 'api'>): TrackerApi {
	return {
		...api,
		async edit(ref, change) {
			const call = `edit ${ticketRefText(ref)} ${JSON.stringify(change)}`;
			world.calls.push(call);
			await world.before(call);
			const tracker = refText(ref.tracker);
			const all = world.tickets.get(tracker) ?? [];
			const before = all.find(({ id }) => id === ref.id);
			if (!before) {
				throw new ForgeError({ kind: 'notFound' });
			}
			const after: Ticket = { ...before, ...change };
			world.tickets.set(
				tracker,
				all.map((each) => (each.id === ref.id ? after : each)),
			);
			await world.after(call);
			return after;
		},
	};
}
