import { refText } from '../../../forge/namedRef.ts';
import type { Mark } from '../../../forge/mark.ts';
import type { SeenList } from './seenList.ts';

/** Marks for a list's filter: an item stays listed as unread while the user reads it. */
export interface HeldMarks {
	/**
	 * Marks of one list by name. `applied`: the list's filter; `asked`: the current query. Other queries see the
	 * current marks.
	 */
	of(seen: SeenList, filters: { readonly applied: string; readonly asked: string }): HeldMark;
	/** Releases items that became read. */
	forget(): void;
}

/** Mark of an item for the filter. */
export type HeldMark = (name: string, markNow: () => Mark | undefined) => Mark | undefined;

export function heldMarks(): HeldMarks {
	const lists = new Map<string, { readonly applied: string; readonly marks: Map<string, Mark> }>();
	return {
		of({ connection, list }, { applied, asked }) {
			const key = `${connection.key} ${refText(list).toLowerCase()}`;
			const before = lists.get(key);
			const held = before?.applied === applied ? before : { applied, marks: new Map<string, Mark>() };
			lists.set(key, held);
			return (name, markNow) => {
				const now = markNow();
				if (asked !== applied) {
					return now;
				}
				if (now) {
					held.marks.set(name, now);
				}
				return now ?? held.marks.get(name);
			};
		},
		forget: () => lists.clear(),
	};
}
