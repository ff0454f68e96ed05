/** What stands before and after something in a list. */
export interface Neighbours<T> {
	readonly next: T | undefined;
	readonly previous: T | undefined;
}

/** How one thing is found in lists of a view. */
export interface ListNaming<T> {
	/** Where it stands; -1 where it does not. */
	readonly placeIn: (list: readonly T[]) => number;
	/** The same text for the same thing. Made once for each look at a list: what things have in common need not be made again. */
	readonly names: () => (each: T) => string;
}

/**
 * The neighbours of something in a list. What has gone from it, because it does not meet the filter any more, is looked up
 * in the list as it was, and its nearest neighbours that are still there are taken.
 */
export function neighboursIn<T>(
	now: readonly T[],
	before: readonly T[],
	{ placeIn, names }: ListNaming<T>,
): Neighbours<T> {
	const at = placeIn(now);
	if (at !== -1) {
		return { next: now[at + 1], previous: now[at - 1] };
	}
	const was = placeIn(before);
	if (was === -1) {
		return { next: undefined, previous: undefined };
	}
	const nameOf = names();
	const present = new Map(now.map((each) => [nameOf(each), each]));
	const stillThere = (each: T): T | undefined => present.get(nameOf(each));
	return { next: nearest(before, was, 1, stillThere), previous: nearest(before, was, -1, stillThere) };
}

/** The next one in the list that is wanted; after the last of them the first. */
export function nextWanted<T>(
	now: readonly T[],
	before: readonly T[],
	naming: ListNaming<T>,
	isWanted: (each: T) => boolean,
): T | undefined {
	const at = naming.placeIn(now);
	const wanted = now.filter((each, place) => place !== at && isWanted(each));
	const present = new Set(wanted);
	const withItself = now.filter((each, place) => place === at || present.has(each));
	return neighboursIn(withItself, before, naming).next ?? wanted[0];
}

function nearest<T>(
	list: readonly T[],
	from: number,
	step: 1 | -1,
	stillThere: (each: T) => T | undefined,
): T | undefined {
	for (let at = from + step; at >= 0 && at < list.length; at += step) {
		const each = list[at];
		const found = each === undefined ? undefined : stillThere(each);
		if (found !== undefined) {
			return found;
		}
	}
	return undefined;
}
