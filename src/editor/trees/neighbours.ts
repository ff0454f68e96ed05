/** Adjacent list items. */
export interface Neighbours<T> {
	readonly next: T | undefined;
	readonly previous: T | undefined;
}

/** A lazy list. Arrays qualify. */
export interface OrderedList<T> {
	readonly length: number;
	at(place: number): T | undefined;
}

/** How to find one thing in lists of a view. Both must be fast: lists have 100,000 items. */
export interface ListNaming<T, List extends OrderedList<T>> {
	/** -1 for a list without it. */
	readonly placeIn: (list: List) => number;
	/** Finds in a list the same thing as an item of another list. */
	readonly finderIn: (list: List) => (each: T) => T | undefined;
}

/**
 * The neighbours of something in a list. Where it left the list, its nearest neighbours in the list before that are
 * still there.
 */
export function neighboursIn<T, List extends OrderedList<T>>(
	now: List,
	before: List,
	{ placeIn, finderIn }: ListNaming<T, List>,
): Neighbours<T> {
	const at = placeIn(now);
	if (at !== -1) {
		return { next: now.at(at + 1), previous: at === 0 ? undefined : now.at(at - 1) };
	}
	const was = placeIn(before);
	if (was === -1) {
		return { next: undefined, previous: undefined };
	}
	const find = finderIn(now);
	return { next: nearest(before, was, 1, find), previous: nearest(before, was, -1, find) };
}

/** The next wanted item of the list; after the last wanted one the first. */
export function nextWanted<T, List extends OrderedList<T>>(
	now: List,
	before: List,
	{ placeIn, finderIn }: ListNaming<T, List>,
	isWanted: (each: T) => boolean,
): T | undefined {
	const at = placeIn(now);
	const wanted = (each: T): T | undefined => (isWanted(each) ? each : undefined);
	const was = at === -1 ? placeIn(before) : -1;
	const find = finderIn(now);
	let after: T | undefined;
	if (at !== -1) {
		after = nearest(now, at, 1, wanted);
	} else if (was !== -1) {
		after = nearest(before, was, 1, (each) => {
			const found = find(each);
			return found === undefined ? undefined : wanted(found);
		});
	}
	return after ?? nearest(now, -1, 1, (each, place) => (place === at ? undefined : wanted(each)));
}

function nearest<T>(
	list: OrderedList<T>,
	from: number,
	step: 1 | -1,
	accept: (each: T, place: number) => T | undefined,
): T | undefined {
	for (let at = from + step; at >= 0 && at < list.length; at += step) {
		const each = list.at(at);
		const found = each === undefined ? undefined : accept(each, at);
		if (found !== undefined) {
			return found;
		}
	}
	return undefined;
}
