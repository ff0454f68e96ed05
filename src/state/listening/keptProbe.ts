import * as v from 'valibot';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { kept, time, type KeptText } from '../shared/keptText.ts';

/** A call of our own, to see whether it comes. */
export interface Probe extends Disposable {
	readonly path: string;
	/** What is answered there, and nowhere else. */
	readonly text: string;
}

/** The one call that some window is waiting for, known to the window that listens. */
export interface KeptProbe {
	/** Takes the place of the one before. */
	begin(): Promise<Probe>;
	/** What is answered at this path; `undefined` at any other. */
	textAt(path: string): string | undefined;
	/** The same where the call came by a name that is none of the listener's. */
	misnamed(path: string, host: string): string | undefined;
}

/** The name by which the listener was called, as the answer to the probe tells it; `undefined` where it is no such answer. */
export function otherName({ text }: Pick<Probe, 'text'>, answer: string): string | undefined {
	return answer.startsWith(`${text} `) ? answer.slice(text.length + 1) : undefined;
}

export interface KeptProbeParts {
	/** One text for all windows. */
	readonly kept: KeptText;
	/** Makes texts that nobody can guess. */
	readonly newPath: () => string;
	readonly clock: Clock;
}

/** A window that was killed ends none. */
const longestMs = 60_000;

const probe = v.object({ path: v.string(), text: v.string(), untilMs: time });
const none: v.InferOutput<typeof probe> = { path: '', text: '', untilMs: 0 };

export function keptProbe({ kept: place, newPath, clock }: KeptProbeParts): KeptProbe {
	// Asked of every path that is no hook's, so of whatever strangers send.
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
						// What stays there ends by itself.
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
