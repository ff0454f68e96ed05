import { refText } from '../../../forge/namedRef.ts';
import type { Mark } from '../../../forge/mark.ts';
import type { SeenList } from './seenList.ts';

/** Marks as the filter of a list sees them: what it has shown as unread stays while it is read. */
export interface HeldMarks {
	/**
	 * Those of one list, to be asked with a thing's name and mark. `applied` is what the list is filtered by, `asked` what
	 * is looked for now; whatever else is looked for sees what is unread now.
	 */
	of(seen: SeenList, filters: { readonly applied: string; readonly asked: string }): HeldMark;
	/** What was read is let go. */
	forget(): void;
}

/** The mark by which something is found. */
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
