import { refText } from '../../../forge/port/namedRef.ts';
import type { SeenList } from './seenList.ts';

interface Readable {
	readonly id: number;
}

/** Limits loads on behalf of filters. Redraws are frequent; only the user extends the limit. */
export interface FilterReads {
	/**
	 * Passes the due items of `untold` to `work`: up to the filter's limit, each once. Failed items become due with the
	 * next redraw.
	 */
	read<T extends Readable>(
		seen: SeenList,
		untold: readonly T[],
		work: (due: readonly T[]) => Promise<void>,
	): Promise<void>;
	/** Raises the limit; after trying everything, retries failed items. */
	wantMore(seen: SeenList, untold: readonly Readable[]): void;
}

interface Share {
	readonly filter: string;
	readonly tried: Set<number>;
	wanted: number;
}

/** `most` items per step. A new filter resets a list. */
export function filterReads(most: number): FilterReads {
	const shares = new Map<string, Share>();

	function shareOf({ connection, list }: SeenList): Share {
		const key = `${connection.key} ${refText(list).toLowerCase()}`;
		const { filter } = connection.listChoices.of(list);
		const known = shares.get(key);
		const share = known?.filter === filter ? known : { filter, tried: new Set<number>(), wanted: most };
		shares.set(key, share);
		return share;
	}

	return {
		async read(seen, untold, work) {
			const { tried, wanted } = shareOf(seen);
			const due = untold.filter(({ id }) => !tried.has(id)).slice(0, Math.max(0, wanted - tried.size));
			if (due.length > 0) {
				await work(due);
				due.forEach(({ id }) => tried.add(id));
			}
		},
		wantMore(seen, untold) {
			const share = shareOf(seen);
			if (untold.every(({ id }) => share.tried.has(id))) {
				untold.forEach(({ id }) => share.tried.delete(id));
			}
			share.wanted = share.tried.size + most;
		},
	};
}
