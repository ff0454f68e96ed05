import type { Ticket, TicketEvent } from '../forge/ticket.ts';
import type { LabelRequest } from '../forge/ticketRequest.ts';

/**
 * What a write did to labels that it was not about: somebody changed them between our read and our write, and sending the
 * whole set took that back. Answers the request that would give it to them again. `events` are those that the write made.
 */
export function undoneOfOthers(asked: LabelRequest, events: readonly TicketEvent[]): LabelRequest {
	const removed = namesOf(events, 'label_removed');
	const added = namesOf(events, 'label_added');
	return {
		add: removed.filter((name) => !asked.remove.includes(name)),
		remove: added.filter((name) => !asked.add.includes(name)),
	};
}

/**
 * Events that were read from the timeline may tell of what the account did elsewhere. The write itself can only have
 * taken away what nobody knew of, and set again what was known.
 */
export function byThisWrite({ add, remove }: LabelRequest, before: Ticket | undefined): LabelRequest {
	const wasThere = (name: string): boolean => before?.labels.includes(name) === true;
	return { add: add.filter((name) => !wasThere(name)), remove: remove.filter(wasThere) };
}

/** True when events tell of labels. */
export function tellsOfLabels(events: readonly TicketEvent[]): boolean {
	return namesOf(events, 'label_removed').length + namesOf(events, 'label_added').length > 0;
}

/**
 * What of the labels was changed by a request that was refused: servers change them before they check the rest
 * (docs/protocol.md#label-updates). `undefined` where nothing was.
 */
export function changedAllTheSame(
	{ add, remove }: LabelRequest,
	before: Ticket,
	now: Ticket,
): LabelRequest | undefined {
	const done = {
		add: add.filter((name) => !before.labels.includes(name) && now.labels.includes(name)),
		remove: remove.filter((name) => before.labels.includes(name) && !now.labels.includes(name)),
	};
	return done.add.length + done.remove.length === 0 ? undefined : done;
}

function namesOf(events: readonly TicketEvent[], kind: 'label_added' | 'label_removed'): readonly string[] {
	return events.filter(({ kinds }) => kinds.includes(kind)).flatMap(({ labels }) => labels);
}
