import * as v from 'valibot';
import type { Clock } from '../../base/clock.ts';
import { goodOf, kept, time, type KeptText } from '../shared/keptText.ts';

/** A webhook delivery. */
export interface NamedDelivery {
	/** Path of its hook. */
	readonly path: string;
	readonly id: string;
}

/** Deliveries that the user asked a forge to repeat, shared with the window that listens. */
export interface KeptAgain {
	/** If the write fails, no other window knows. Never rejects. */
	ask(delivery: NamedDelivery): Promise<void>;
	/** True for ten minutes: forges may take a while. */
	isAsked(delivery: NamedDelivery): boolean;
}

const longestMs = 600_000;
const most = 50;

const asked = v.object({ path: v.string(), id: v.string(), untilMs: time });
const entries = goodOf(asked);

export function keptAgain(text: KeptText, { nowMs }: Pick<Clock, 'nowMs'>): KeptAgain {
	const read = kept(text, entries, []);
	function all(): readonly v.InferOutput<typeof asked>[] {
		try {
			const now = nowMs();
			// An expiry further ahead predates a clock change.
			return read().filter(({ untilMs }) => now < untilMs && untilMs <= now + longestMs);
		} catch {
			return [];
		}
	}
	return {
		async ask({ path, id }) {
			const next = [...all(), { path, id, untilMs: nowMs() + longestMs }].slice(-most);
			await text.write(JSON.stringify(next)).catch(() => undefined);
		},
		isAsked: ({ path, id }) => all().some((each) => each.path === path && each.id === id),
	};
}
