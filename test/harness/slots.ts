/** Slots for processes, shared by all stages of a run. */
export interface Slots {
	readonly count: number;
	/** Waits for a slot; the lowest rank goes first. Resolves to a function that gives it back. */
	take(rank: number): Promise<() => void>;
}

interface Waiting {
	readonly rank: number;
	readonly go: () => void;
}

export function openSlots(count: number): Slots {
	let free = count;
	let waiting: readonly Waiting[] = [];
	const giveBack = (): void => {
		const [next, ...others] = waiting;
		waiting = others;
		if (next === undefined) {
			free++;
		} else {
			next.go();
		}
	};
	return {
		count,
		async take(rank) {
			if (free > 0) {
				free--;
			} else {
				await new Promise<void>((go) => {
					// The sort is stable.
					waiting = [...waiting, { rank, go }].toSorted((one, other) => one.rank - other.rank);
				});
			}
			let isTaken = true;
			return () => {
				if (isTaken) {
					isTaken = false;
					giveBack();
				}
			};
		},
	};
}
