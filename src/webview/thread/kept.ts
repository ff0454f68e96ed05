import { keptRecord } from '../keptRecord.ts';
import { keptPlace, type ReadingPlace } from '../place.ts';

/** What the page keeps over a reload: how it is looked at, nothing that the host knows. */
export interface Kept {
	/** Mails whose answers are hidden. */
	readonly collapsed: readonly number[];
	readonly place: ReadingPlace | undefined;
}

/** More is not kept. */
const mostCollapsed = 1000;

/** Reads what an earlier life of the page kept; whatever does not fit is as if it had not been kept. */
export function keptFrom(value: unknown): Kept {
	const { collapsed, place } = keptRecord(value);
	const ids: readonly unknown[] = Array.isArray(collapsed) ? collapsed.slice(0, mostCollapsed) : [];
	return {
		collapsed: ids.filter((id) => typeof id === 'number'),
		place: keptPlace(place),
	};
}
