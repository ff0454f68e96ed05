import type { Clock } from '../../base/clock.ts';
import type { Background } from '../background/backgroundLoop.ts';

/** When things may be asked for one by one that are worth a small part of an hour's requests. */
export interface RareAsking {
	/** Milliseconds since 1970. Where an hour allows none: never, until the setting is another one. */
	nextMs(): number;
	/** A request is about to be sent. */
	spend(): void;
	/** Somebody wishes to know now: what there is to ask for waits for nothing but the budget, until the next rest. */
	hurry(): void;
	/** There is nothing to ask for now, or it could not be asked for. */
	rest(): void;
	readonly isHurried: boolean;
	clockWentBack(byMs: number): void;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Of the requests that an hour allows. */
const part = 0.1;
/** How soon it is looked again for what there is to ask for. */
const lookMs = 5 * minuteMs;

export function rareAsking({ budget }: Pick<Background, 'budget'>, clock: Pick<Clock, 'nowMs'>): RareAsking {
	let lastMs = clock.nowMs();
	let lookAgainMs = 0;
	let hurriedMs: number | undefined;
	return {
		nextMs: () => hurriedMs ?? Math.max(lookAgainMs, lastMs + hourMs / (budget.perHour() * part)),
		spend() {
			lastMs = clock.nowMs();
			budget.spend();
		},
		hurry() {
			hurriedMs = clock.nowMs();
		},
		rest() {
			hurriedMs = undefined;
			lookAgainMs = clock.nowMs() + lookMs;
		},
		get isHurried() {
			return hurriedMs !== undefined;
		},
		clockWentBack(byMs) {
			lastMs -= byMs;
			lookAgainMs -= byMs;
			hurriedMs = hurriedMs === undefined ? undefined : hurriedMs - byMs;
		},
	};
}
