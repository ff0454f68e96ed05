import * as v from 'valibot';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { kept, time, type KeptText } from '../shared/keptText.ts';

/** A test call to our own listener. */
export interface Probe extends Disposable {
	readonly path: string;
	/** The response body at this path only. */
	readonly text: string;
}

/** The pending probe of any window, shared with the window that listens. */
export interface KeptProbe {
	/** Replaces the previous probe. */
	begin(): Promise<Probe>;
	/** `undefined` for any other path. */
	textAt(path: string): string | undefined;
	/** Response to a probe with an unknown host name. */
	misnamed(path: string, host: string): string | undefined;
}

/** The unknown host name from the response to a probe; `undefined` for other responses. */
export function otherName({ text }: Pick<Probe, 'text'>, answer: string): string | undefined {
	return answer.startsWith(`${text} `) ? answer.slice(text.length + 1) : undefined;
}

export interface KeptProbeParts {
	/** Shared by all windows. */
	readonly kept: KeptText;
	/** Generates unguessable texts. */
	readonly newPath: () => string;
	readonly clock: Clock;
}

/** Expiry, for windows that crash. */
const longestMs = 60_000;

const probe = v.object({ path: v.string(), text: v.string(), untilMs: time });
const none: v.InferOutput<typeof probe> = { path: '', text: '', untilMs: 0 };

export function keptProbe({ kept: place, newPath, clock }: KeptProbeParts): KeptProbe {
	// Called for every unknown path, including those from strangers.
	const read = kept(place, probe, none);
	function now(): v.InferOutput<typeof probe> {
		try {
			return read();
		} catch {
			return none;
		}
	}
	function textAt(path: string): string | undefined {
		const { path: begun, text, untilMs } = now();
		return begun === path && clock.nowMs() < untilMs ? text : undefined;
	}
	return {
		async begin() {
			const begun = { path: newPath(), text: newPath(), untilMs: clock.nowMs() + longestMs };
			await place.write(JSON.stringify(begun));
			return {
				...begun,
				dispose() {
					if (now().path === begun.path) {
						// A leftover probe expires.
						place.write(JSON.stringify(none)).catch(() => undefined);
					}
				},
			};
		},
		textAt,
		misnamed(path, host) {
			const text = textAt(path);
			return text === undefined ? undefined : `${text} ${host}`;
		},
	};
}
