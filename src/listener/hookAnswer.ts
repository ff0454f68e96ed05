import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import type { Delivery } from './delivery.ts';

/** Response text for a delivery; `undefined` for none. The signal aborts when the response goes out without it. */
export type AnswerHook = (delivery: Delivery, signal: AbortSignal) => Promise<string | undefined> | string | undefined;

/** Requests response texts, each with a deadline. */
export interface HookAnswers extends Disposable {
	/** Never rejects. Empty without a text, or after the deadline. */
	ask(delivery: Delivery, limitMs: number): Promise<string>;
}

export interface AnswerParts {
	readonly answer: AnswerHook;
	/** Limit of concurrent requests; further deliveries get empty responses. */
	readonly mostAsked: number;
	readonly clock: Pick<Clock, 'after'>;
	readonly log: Log;
}

/** Servers print no more (docs/protocol.md#push-events). */
const mostCharacters = 1024;

export function hookAnswers({ answer, mostAsked, clock, log }: AnswerParts): HookAnswers {
	const endings = new Set<() => void>();
	return {
		async ask(delivery, limitMs) {
			if (endings.size >= mostAsked) {
				return '';
			}
			const late = new AbortController();
			const over = Promise.withResolvers<undefined>();
			const end = (): void => {
				late.abort();
				over.resolve(undefined);
			};
			endings.add(end);
			const timer = clock.after(limitMs, end);
			try {
				return printable((await Promise.race([answer(delivery, late.signal), over.promise])) ?? '');
			} catch (error) {
				log.error(`A webhook got no text for its answer: ${error instanceof Error ? error.message : 'unknown'}`);
				return '';
			} finally {
				timer.dispose();
				endings.delete(end);
			}
		},
		dispose() {
			endings.forEach((end) => end());
		},
	};
}

/** Makes text safe for a terminal: keeps newlines and tabs, removes other control characters and lone surrogates. */
function printable(text: string): string {
	return Array.from(text.slice(0, mostCharacters * 2).toWellFormed())
		.filter((character) => character === '\n' || character === '\t' || !/\p{Cc}/u.test(character))
		.slice(0, mostCharacters)
		.join('');
}
