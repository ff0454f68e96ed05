import type { Commit } from '../../../forge/port/repository.ts';

/** Inserts into a queue sorted by commit time, newest last. */
export function putByTime<T>(queue: T[], item: T, commitOf: (item: T) => Pick<Commit, 'timestampMs'>): void {
	const { timestampMs } = commitOf(item);
	let low = 0;
	let high = queue.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		const at = queue[middle];
		if (at !== undefined && commitOf(at).timestampMs <= timestampMs) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	queue.splice(low, 0, item);
}
