/** What a server showed of the events of one group of families. Plain data: it is kept, and goes on in another window. */
export interface EventTries {
	readonly taken: readonly string[];
	readonly refused: readonly string[];
	/** Of these it refuses one at least. Empty where nothing was refused, or where that is found. */
	readonly narrowed: readonly string[];
	/** When what is refused is tried again; milliseconds since 1970. */
	readonly againMs: number;
}

export const noTries: EventTries = { taken: [], refused: [], narrowed: [], againMs: Number.MAX_SAFE_INTEGER };

/** Those of `all` that the server is not known to refuse. */
export function notRefused(all: readonly string[], { refused }: EventTries): readonly string[] {
	return all.filter((event) => !refused.includes(event));
}

/**
 * What to ask for next. A server refuses all events for one that it does not know, and does not say which. So those that
 * are taken go along with a part of the others: first without all that are `doubtful`, then by halves.
 */
export function nextTry(all: readonly string[], tries: EventTries, doubtful: readonly string[]): readonly string[] {
	const { taken, narrowed } = tries;
	const possible = notRefused(all, tries);
	if (narrowed.length === 0) {
		return possible;
	}
	const usual = narrowed.filter((event) => !doubtful.includes(event));
	const isParted = usual.length > 0 && usual.length < narrowed.length;
	const some = isParted ? usual : narrowed.slice(0, Math.max(1, Math.floor(narrowed.length / 2)));
	return possible.filter((event) => taken.includes(event) || some.includes(event));
}

/** The server took them. */
export function afterTaken(tries: EventTries, asked: readonly string[], againMs: number): EventTries {
	const taken = [...new Set([...tries.taken, ...asked])];
	const narrowed = tries.narrowed.filter((event) => !asked.includes(event));
	const [only, ...others] = narrowed;
	return only === undefined || others.length > 0
		? { ...tries, taken, narrowed }
		: { taken, refused: [...tries.refused, only], narrowed: [], againMs };
}

/** The server refused them. The same value where no event can be the reason: each of them was taken before. */
export function afterRefused(tries: EventTries, asked: readonly string[], againMs: number): EventTries {
	const unknown = asked.filter((event) => !tries.taken.includes(event));
	const [only, ...others] = unknown;
	if (only === undefined) {
		return tries;
	}
	return others.length > 0
		? { ...tries, narrowed: unknown }
		: { ...tries, refused: [...tries.refused, only], narrowed: [], againMs };
}

/** What was refused long ago is asked for again. */
export function triesAt(tries: EventTries, nowMs: number): EventTries {
	return tries.refused.length > 0 && tries.againMs <= nowMs
		? { ...tries, refused: [], againMs: noTries.againMs }
		: tries;
}
