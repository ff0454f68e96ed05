import type { Clock } from '../../base/clock.ts';
import { isForgeError, type Problem } from '../../forge/forgeError.ts';
import { isHopeless } from '../../forge/isHopeless.ts';
import type { ContentArea } from '../../forge/instance.ts';
import { areaOfFamily, webhookFamilyKey, type WebhookFamily } from '../../forge/webhook.ts';

/** A back-off. `problem` is `undefined` for a local failure: the book could not be written. */
export interface WebhookRest {
	readonly problem: Problem | undefined;
	/** Milliseconds since 1970. */
	readonly untilMs: number;
}

/** Back-offs of families and areas after failures, per window. */
export interface WebhookRests {
	of(family: WebhookFamily): WebhookRest | undefined;
	/** Milliseconds since 1970; in the past without a back-off. */
	untilMs(family: WebhookFamily): number;
	failed(family: WebhookFamily, error: unknown): void;
	went(family: WebhookFamily): void;
	forget(): void;
	clockWentBack(byMs: number): void;
}

interface Rest extends WebhookRest {
	readonly failures: number;
}

const minuteMs = 60_000;
const mostRestMs = 6 * 60 * minuteMs;

/**
 * Errors that affect every request back off the whole area, other errors only the family. Delays grow exponentially.
 */
export function webhookRests({ nowMs }: Pick<Clock, 'nowMs'>): WebhookRests {
	const rests = new Map<string, Rest>();

	function areaKey(family: WebhookFamily): string {
		const area: ContentArea = areaOfFamily(family);
		return `area ${area}`;
	}

	function laterOf(one: Rest | undefined, other: Rest | undefined): Rest | undefined {
		return (one?.untilMs ?? 0) >= (other?.untilMs ?? 0) ? one : other;
	}

	function longest(family: WebhookFamily): Rest | undefined {
		return laterOf(rests.get(webhookFamilyKey(family)), rests.get(areaKey(family)));
	}

	return {
		of(family) {
			const rest = longest(family);
			return rest && rest.untilMs > nowMs() ? rest : undefined;
		},
		untilMs: (family) => longest(family)?.untilMs ?? 0,
		failed(family, error) {
			const problem = isForgeError(error) ? error.problem : undefined;
			const isOfAll = problem?.kind === 'unreachable' || (problem !== undefined && isHopeless(error));
			const key = isOfAll ? areaKey(family) : webhookFamilyKey(family);
			const failures = rests.get(key)?.failures ?? 0;
			const restMs = Math.min(mostRestMs, minuteMs * 2 ** failures);
			const askedMs = problem?.kind === 'rateLimited' ? (problem.untilMs ?? 0) : 0;
			rests.set(key, { problem, failures: failures + 1, untilMs: Math.max(nowMs() + restMs, askedMs) });
		},
		went(family) {
			rests.delete(webhookFamilyKey(family));
			rests.delete(areaKey(family));
		},
		forget: () => rests.clear(),
		clockWentBack(byMs) {
			rests.forEach((rest, key) => rests.set(key, { ...rest, untilMs: rest.untilMs - byMs }));
		},
	};
}
