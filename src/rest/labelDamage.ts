import type { Ticket, TicketEvent } from '../forge/ticket.ts';
import type { LabelRequest } from '../forge/ticketRequest.ts';

/**
 * Unrelated label changes that our write reverted: another writer changed them between our read and write, and we sent
 * the whole set. Returns the request that restores them. `events`: the events of the write.
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
 * Timeline events may include other actions of the account. The write itself can only remove labels unknown to it, and
 * only add labels known to it.
 */
export function byThisWrite({ add, remove }: LabelRequest, before: Ticket | undefined): LabelRequest {
	const wasThere = (name: string): boolean => before?.labels.includes(name) === true;
	return { add: add.filter((name) => !wasThere(name)), remove: remove.filter(wasThere) };
}

/** True if the events change labels. */
export function tellsOfLabels(events: readonly TicketEvent[]): boolean {
	return namesOf(events, 'label_removed').length + namesOf(events, 'label_added').length > 0;
}

/**
 * Label changes of a refused request: servers change labels before validating the rest
 * (docs/protocol.md#label-updates). `undefined` if none.
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
