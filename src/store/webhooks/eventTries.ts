import * as v from 'valibot';

const names = v.pipe(v.array(v.string()), v.readonly());

/**
 * The search for events that a server rejects, per event group. Plain data: any window can continue a stored search.
 */
export const eventTries = v.object({
	taken: names,
	refused: names,
	/** The server rejects at least one event of this set. Empty without a rejection, or after the search ended. */
	narrowed: names,
	/** Time to retry the rejected events; milliseconds since 1970. */
	againMs: v.number(),
});
export type EventTries = Readonly<v.InferOutput<typeof eventTries>>;

export const noTries: EventTries = { taken: [], refused: [], narrowed: [], againMs: Number.MAX_SAFE_INTEGER };

/** Drops known rejected events from `all`. */
export function notRefused(all: readonly string[], { refused }: EventTries): readonly string[] {
	return all.filter((event) => !refused.includes(event));
}

/**
 * The next events to request. A server rejects all events for one unknown name, without naming it. So this combines the
 * accepted events with a part of the others: first without the `doubtful` ones, then by bisection.
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

/** The server accepted `asked`. */
export function afterTaken(tries: EventTries, asked: readonly string[], againMs: number): EventTries {
	const taken = [...new Set([...tries.taken, ...asked])];
	const narrowed = tries.narrowed.filter((event) => !asked.includes(event));
	const [only, ...others] = narrowed;
	return only === undefined || others.length > 0
		? { ...tries, taken, narrowed }
		: { taken, refused: [...tries.refused, only], narrowed: [], againMs };
}

/**
 * The server rejected `asked`. Returns the same value if all events were accepted before, because then no event is the
 * reason.
 */
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

/** Retries old rejections. */
export function triesAt(tries: EventTries, nowMs: number): EventTries {
	return tries.refused.length > 0 && tries.againMs <= nowMs
		? { ...tries, refused: [], againMs: noTries.againMs }
		: tries;
}
