import type { FilterProblem } from '../../../search/filterProblem.ts';
import type { ParsedFilter } from '../../../search/filterTerm.ts';
import { parseFilter } from '../../../search/parseFilter.ts';
import type { SavedFilter, TicketFilters } from '../choices/filterState.ts';
import type { AppliedFilterSubject, FilterSubject } from '../choices/filterSubject.ts';

/** A filter that is shown as one list over all trackers. */
export interface Queue {
	/** Id of its row. */
	readonly id: string;
	/** What to call it; for one that is not saved the filter itself. */
	readonly name: string;
	/** As it was written. */
	readonly text: string;
	readonly subject: FilterSubject | AppliedFilterSubject;
	readonly reading: QueueReading;
}

/** What the filter says, or why it says nothing. */
export type QueueReading =
	| { readonly kind: 'filter'; readonly filter: ParsedFilter }
	| { readonly kind: 'problem'; readonly problem: NonNullable<SavedFilter['problem']> };

/** Id of the row of the filter over all trackers that is not saved. */
export const appliedQueueId = 'queue:applied';

/** What is applied to everything first, then the saved ones: the user's, then the workspace's. */
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
			reading: each.problem ? { kind: 'problem', problem: each.problem } : readingOf(each.filter),
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
					reading: readingOf(applied),
				},
				...saved,
			];
}

/** A filter's text, understood; every text that was kept may be an older version's. */
export function readingOf(text: string): QueueReading {
	const reading: { kind: 'filter'; filter: ParsedFilter } | { kind: 'problem'; problem: FilterProblem } =
		parseFilter(text);
	return reading;
}

/** Whether a row's id is that of a queue; accounts' keys, which all others begin with, hold no colon. */
export function isQueueId(id: string): boolean {
	return id.startsWith('queue:');
}

/** What tickets are listed in. */
export type TicketList = 'queue' | 'tracker';

/** What the row is of under which a ticket is listed; groups stand below trackers only. */
export function listOfRow(id: string): TicketList {
	return isQueueId(id) ? 'queue' : 'tracker';
}
