import type { Mark } from '../../../forge/port/mark.ts';
import type { SeenTracker } from './shelf.ts';
import type { FactsKeeper } from './trackerFacts.ts';

/** The unread tickets of all trackers as last counted, by the `authority + path` of their rows' addresses. */
export function marksOfAll(trackers: readonly SeenTracker[], facts: FactsKeeper): ReadonlyMap<string, Mark> {
	const all = new Map<string, Mark>();
	for (const { connection, ref } of trackers) {
		for (const [name, mark] of facts.last(connection, ref).marks) {
			all.set(`${connection.key}/${name}`, mark);
		}
	}
	return all;
}
