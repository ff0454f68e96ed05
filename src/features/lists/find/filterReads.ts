import { refText } from '../../../forge/namedRef.ts';
import type { SeenList } from './seenList.ts';

/** Something of a list that can be read. */
interface Readable {
	readonly id: number;
}

/** How much is read because a filter cannot tell otherwise. Rows are drawn often; only a person's wish reads on. */
export interface FilterReads {
	/**
	 * Hands over those of `untold` that are due: as many as were wanted of this filter, each once. What fails is due again
	 * with the next drawing.
	 */
	read<T extends Readable>(
		seen: SeenList,
		untold: readonly T[],
		work: (due: readonly T[]) => Promise<void>,
	): Promise<void>;
	/** Some more are wanted; where everything was tried, what the forge refused is tried again. */
	wantMore(seen: SeenList, untold: readonly Readable[]): void;
}

interface Share {
	readonly filter: string;
	readonly tried: Set<number>;
	wanted: number;
}

/** `most` are wanted at a time. A list that gets another filter begins anew. */
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
