import type { Clock } from '../../base/clock.ts';

/** Tickets that the forge refused to this account, by the names of their positions: deleted ones, and those that it may not read. */
export interface RefusedTickets {
	/** The forge refused it; `updatedMs`: what was known then of when something happened to it. */
	refused(key: string, updatedMs: number): void;
	/** Nothing newer is known of it since, and that was not long ago. */
	isRefused(key: string, updatedMs: number): boolean;
	/** Somebody told of it, or it was read. */
	forget(key: string): void;
	clockWentBack(byMs: number): void;
}

/** It may be readable again without anything having happened to it, when a permission was given. */
const againMs = 24 * 3_600_000;

export function refusedTickets(clock: Pick<Clock, 'nowMs'>): RefusedTickets {
	const known = new Map<string, { readonly updatedMs: number; readonly untilMs: number }>();
	return {
		refused: (key, updatedMs) => void known.set(key, { updatedMs, untilMs: clock.nowMs() + againMs }),
		isRefused(key, updatedMs) {
			const refusal = known.get(key);
			return refusal !== undefined && updatedMs <= refusal.updatedMs && clock.nowMs() < refusal.untilMs;
		},
		forget: (key) => void known.delete(key),
		clockWentBack: (byMs) =>
			known.forEach(({ updatedMs, untilMs }, key) => known.set(key, { updatedMs, untilMs: untilMs - byMs })),
	};
}
