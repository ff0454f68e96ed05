import type { Clock } from '../../base/clock.ts';

/** Tickets that the forge refused to this account, by position: deleted and forbidden ones. */
export interface RefusedTickets {
	/** `updatedMs`: known time of the last change. */
	refused(key: string, updatedMs: number): void;
	/** True without a later change, for a limited time. */
	isRefused(key: string, updatedMs: number): boolean;
	/** Call after a hint or a read. */
	forget(key: string): void;
	clockWentBack(byMs: number): void;
}

/** A new permission may open the ticket without a change. */
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
