import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import type { Delivery } from './delivery.ts';

/** What a hook answers; `undefined` for nothing. The signal aborts once the answer has gone out without it. */
export type AnswerHook = (delivery: Delivery, signal: AbortSignal) => Promise<string | undefined> | string | undefined;

/** Asks for answers, and waits for none longer than a limit. */
export interface HookAnswers extends Disposable {
	/** Never rejects. Empty where nothing is to be said, and where nobody said anything in time. */
	ask(delivery: Delivery, limitMs: number): Promise<string>;
}

/** What answering needs from around it. */
export interface AnswerParts {
	readonly answer: AnswerHook;
	/** So many are waited for at a time; while they are, others answer with nothing. */
	readonly mostAsked: number;
	readonly clock: Pick<Clock, 'after'>;
	readonly log: Log;
}

/** As much of it as servers print (docs/protocol.md#push-events). */
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

/** For a terminal: no controls but line ends and tabs, and no half characters. */
function printable(text: string): string {
	return Array.from(text.slice(0, mostCharacters * 2).toWellFormed())
		.filter((character) => character === '\n' || character === '\t' || !/\p{Cc}/u.test(character))
		.slice(0, mostCharacters)
		.join('');
}
