import { parseTicketFilter, type TicketFilterReading } from '../../../engine/search/ticketFilter.ts';
import type { FilterSubject, SavedFilter, TicketFilters } from '../choices/ticketFilters.ts';

/** A filter over all trackers, shown as one list. */
export interface Queue {
	/** Id of its row. */
	readonly id: string;
	/** Name of a saved filter, or the text of an unsaved one. */
	readonly name: string;
	/** Unparsed. */
	readonly text: string;
	readonly subject: FilterSubject;
	/** Parsed filter or its problem. Stored text may come from an older version. */
	readonly reading:
		| TicketFilterReading
		| { readonly kind: 'problem'; readonly problem: NonNullable<SavedFilter['problem']> };
}

/** Id of the row of the filter over all trackers that is not saved. */
export const appliedQueueId = 'queue:applied';

/** The filter applied to all trackers, then the user's saved filters, then the workspace's. */
export function queuesOf(filters: TicketFilters): readonly Queue[] {
	const applied = filters.onAll();
	const times = new Map<string, number>();
	const saved = filters.saved().map((each): Queue => {
		const base = `queue:${each.where}:${each.name}`;
		const before = times.get(base) ?? 0;
		times.set(base, before + 1);
		return {
			// A setting may hold the same name twice.
			id: before === 0 ? base : `${base}:${before}`,
			name: each.name,
			text: each.filter,
			subject: { kind: 'filter', name: each.name, where: each.where },
			reading: each.problem ? { kind: 'problem', problem: each.problem } : parseTicketFilter(each.filter),
		};
	});
	return applied === undefined
		? saved
		: [
				{
					id: appliedQueueId,
					name: applied,
					text: applied,
					subject: { kind: 'appliedFilter' },
					reading: parseTicketFilter(applied),
				},
				...saved,
			];
}

/** True for a queue's row id; all other ids begin with an account key, which has no colon. */
export function isQueueId(id: string): boolean {
	return id.startsWith('queue:');
}

/** Kind of a ticket list. */
export type TicketList = 'queue' | 'tracker';

/** List kind of a parent row; only trackers contain groups. */
export function listOfRow(id: string): TicketList {
	return isQueueId(id) ? 'queue' : 'tracker';
}
