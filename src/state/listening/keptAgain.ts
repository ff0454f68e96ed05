import * as v from 'valibot';
import type { Clock } from '../../base/clock.ts';
import { goodOf, kept, time, type KeptText } from '../shared/keptText.ts';

/** A delivery, as its forge names it. */
export interface NamedDelivery {
	/** Of its hook. */
	readonly path: string;
	readonly id: string;
}

/** Deliveries that somebody had a forge send again, in whichever window, known to the one that listens. */
export interface KeptAgain {
	/** What a disk refuses is known to no other window. Never rejects. */
	ask(delivery: NamedDelivery): Promise<void>;
	/** For ten minutes: forges send when they come to it. */
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
			// A time that is further away was written before the clock was set back.
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
