import { abortReason } from '../base/abort.ts';
import { Cancellation } from './cancellation.ts';
import type { HttpAnswer } from './httpClient.ts';

/** Lets equal calls that are on their way at the same time be one. */
export interface SharedCalls {
	/** Joins a call of this key, or starts one. A reader that gives up takes nothing from the others. */
	join(
		key: string,
		signal: AbortSignal,
		start: (cancellation: Cancellation) => Promise<HttpAnswer>,
	): Promise<HttpAnswer>;
	/** Later readers start anew: what is on its way may be older than a change just made. */
	readonly forget: () => void;
}

interface SharedCall {
	readonly answer: Promise<HttpAnswer>;
	readonly cancellation: Cancellation;
	readers: number;
}

export function sharedCalls(): SharedCalls {
	const calls = new Map<string, SharedCall>();

	function begin(key: string, start: (cancellation: Cancellation) => Promise<HttpAnswer>): SharedCall {
		const cancellation = new Cancellation();
		const call: SharedCall = { answer: start(cancellation), cancellation, readers: 0 };
		calls.set(key, call);
		return call;
	}

	function drop(key: string, call: SharedCall): void {
		if (calls.get(key) === call) {
			calls.delete(key);
		}
	}

	return {
		join(key, signal, start) {
			if (signal.aborted) {
				return Promise.reject(abortReason(signal));
			}
			const call = calls.get(key) ?? begin(key, start);
			call.readers += 1;
			return new Promise<HttpAnswer>((resolve, reject) => {
				const leave = (): void => {
					call.readers -= 1;
					if (call.readers === 0) {
						drop(key, call);
						call.cancellation.cancel(abortReason(signal));
					}
					reject(abortReason(signal));
				};
				signal.addEventListener('abort', leave, { once: true });
				const end = (): void => {
					signal.removeEventListener('abort', leave);
					drop(key, call);
				};
				call.answer.then(
					(answer) => {
						end();
						resolve(answer);
					},
					(error: Error) => {
						end();
						reject(error);
					},
				);
			});
		},
		forget: () => calls.clear(),
	};
}
