import { asPerson } from '../src/tickets/ticketModel.ts';
import type { TicketRoom } from '../src/tickets/ticketRoom.ts';
import { editorParts } from './worlds/parts.ts';
import { createRandom } from '../../../test/support/random.ts';
import { bugTopic } from './worlds/tickets/ticketTexts.ts';
import { addTracker } from './worlds/tickets/ticketWorld.ts';
import { worldStartMs } from './worlds/worldTime.ts';
import { ownerOfMany } from './ownerOfMany.ts';

/** Adds the tracker `~alice/many` with many plain tickets. */
export function tellManyTickets({ context, store }: TicketRoom, count: number): void {
	const owner = ownerOfMany(context);
	const tracker = addTracker(store, owner, 'many', 'A tracker with very many tickets.');
	const random = createRandom(count);
	for (let n = 1; n <= count; n++) {
		const { title, description } = bugTopic(random, editorParts);
		const draft = { title: `${title} (${n})`, description, submitter: asPerson(owner) };
		const ticket = store.addTicket(tracker, draft, worldStartMs + n * 60_000);
		const label = tracker.labels[n % tracker.labels.length];
		if (label !== undefined) {
			ticket.labels.add(label);
		}
		if (n % 3 === 0) {
			ticket.status = 'resolved';
			ticket.resolution = 'fixed';
		}
	}
}
