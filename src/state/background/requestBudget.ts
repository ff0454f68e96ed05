/** Requests of the last hour, and when there is room for more. */
export interface RequestBudget {
	/** A request is sent, whoever wanted it. */
	spend(): void;
	/**
	 * When a request may be sent that keeps within a share (0 to 1) of what an hour allows: now or later, in milliseconds
	 * since 1970; never is `Infinity`.
	 */
	readyAtMs(share: number): number;
	/** How many requests an hour allows, as set now. */
	perHour(): number;
	/** How many were sent in the last hour. */
	spent(): number;
}

/** Where all windows of an account keep when its requests of the last hour were sent; milliseconds since 1970. */
export interface SentMemory {
	/** What was written last, by whichever window. The same array until that is something else. */
	read(): readonly number[];
	write(sentMs: readonly number[]): void;
}

const hourMs = 3_600_000;

/**
 * Counts the requests of the last hour one by one, so that no hour, wherever it begins, holds more than are allowed. A
 * bucket that fills up again would allow twice as many in its first hour.
 */
export function requestBudget(perHour: () => number, nowMs: () => number, memory?: SentMemory): RequestBudget {
	const sentMs: number[] = [];
	let taken: readonly number[] | undefined;

	/** Requests of other windows, and of this one before it was loaded again. */
	function takeOver(): void {
		const told = memory?.read();
		if (told === undefined || told === taken) {
			return;
		}
		taken = told;
		const known = new Set(sentMs);
		sentMs.push(...told.filter((atMs) => !known.has(atMs)));
		sentMs.sort((a, b) => a - b);
	}

	function forgetOld(): void {
		takeOver();
		const now = nowMs();
		const old = now - hourMs;
		// A clock that was set back would let what was sent seem to be of the future, and block for as long.
		for (let at = sentMs.length - 1; (sentMs[at] ?? 0) > now; at -= 1) {
			sentMs[at] = now;
		}
		let count = 0;
		while ((sentMs[count] ?? Number.POSITIVE_INFINITY) <= old) {
			count += 1;
		}
		sentMs.splice(0, count);
	}

	return {
		perHour,
		spent() {
			forgetOld();
			return sentMs.length;
		},
		spend() {
			forgetOld();
			sentMs.push(nowMs());
			memory?.write(sentMs);
		},
		readyAtMs(share) {
			forgetOld();
			// Rounded up, because less than a whole request of a small allowance would never come.
			const most = Math.ceil(perHour() * share);
			if (most < 1) {
				return Number.POSITIVE_INFINITY;
			}
			const blocking = sentMs[sentMs.length - most];
			return blocking === undefined ? nowMs() : blocking + hourMs;
		},
	};
}
