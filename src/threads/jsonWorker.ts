import type { FarJson, JsonAnswer, JsonPiece, JsonQuestion } from '../base/farJson.ts';
import type { Disposable } from '../base/lifecycle.ts';
import { limitedThread, type LimitedThreadParts } from './limitedThread.ts';

/** What parsing large answers beside everything else needs. */
export interface JsonWorkerParts extends Pick<LimitedThreadParts, 'programPath' | 'clock' | 'log'> {
	/** How long one answer may take, and each of its pieces. */
	readonly limitMs: number;
}

/**
 * Far more than the largest answer takes that is parsed at all: running out of memory in the middle of parsing would end
 * more than the thread.
 */
const memoryMb = 2048;

/**
 * Parses JSON in a thread that is ended when it takes too long or is no longer wanted. One answer is read after another,
 * because whoever ends the thread would end the reading of all others.
 */
export function jsonWorker(parts: JsonWorkerParts): FarJson & Disposable {
	const thread = limitedThread<JsonQuestion, JsonAnswer>({
		...parts,
		answerer: 'jsonAnswerer',
		name: 'Reading a large answer',
		memoryMb,
	});
	let last: Promise<void> = Promise.resolve();

	async function* pieces(body: Uint8Array, signal: AbortSignal): AsyncGenerator<JsonPiece, void, undefined> {
		let question: JsonQuestion = { kind: 'parse', body };
		for (;;) {
			const outcome = await thread.ask(question, parts.limitMs, signal);
			if (outcome.kind !== 'answer') {
				return yield { kind: 'tooMuch' };
			}
			if (outcome.answer.kind === 'end') {
				return;
			}
			yield outcome.answer;
			if (outcome.answer.kind === 'noJson' || outcome.answer.kind === 'tooMuch') {
				return;
			}
			question = { kind: 'next' };
		}
	}

	return {
		async *read(body, signal) {
			const turn = Promise.withResolvers<void>();
			const before = last;
			last = turn.promise;
			try {
				await before;
				yield* pieces(body, signal);
			} finally {
				turn.resolve();
			}
		},
		dispose: () => thread.dispose(),
	};
}
