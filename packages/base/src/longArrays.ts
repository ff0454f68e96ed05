/** A call with an array's items as arguments throws a RangeError above about 120,000 items. These take any number. */

/** Appends items to a list. */
export function pushAll<T>(list: T[], items: Iterable<T>): void {
	for (const item of items) {
		list.push(item);
	}
}

/** The largest number; minus infinity without numbers. */
export function maxOf(numbers: Iterable<number>): number {
	let most = Number.NEGATIVE_INFINITY;
	for (const each of numbers) {
		most = Math.max(most, each);
	}
	return most;
}

/** The smallest number; infinity without numbers. */
export function minOf(numbers: Iterable<number>): number {
	let least = Number.POSITIVE_INFINITY;
	for (const each of numbers) {
		least = Math.min(least, each);
	}
	return least;
}
