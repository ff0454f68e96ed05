import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';

/** What a thread needs that is ended when it takes too long. */
export interface LimitedThreadParts {
	/** Path of the bundle that answers. */
	readonly programPath: string;
	/** Name of the bundle's function that makes the function that answers questions. */
	readonly answerer: 'jsonAnswerer' | 'mailAnswerer' | 'searchAnswerer';
	/** What it does, for the log. */
	readonly name: string;
	/** What it may take of the memory before it is ended. */
	readonly memoryMb: number;
	readonly clock: Clock;
	readonly log: Log;
}

/** How one question went. */
export type ThreadOutcome<Answer> =
	| { readonly kind: 'answer'; readonly answer: Answer }
	| { readonly kind: 'tooSlow' }
	/** The thread broke down or was ended; the log says why. */
	| { readonly kind: 'failed' };

/** A thread that is asked one thing after another. */
export interface LimitedThread<Question, Answer> extends Disposable {
	/** Throws the signal's reason, and the thread is ended then if it is at work on this very question. */
	ask(question: Question, limitMs: number, signal: AbortSignal): Promise<ThreadOutcome<Answer>>;
}

const threadProgram = `
const { parentPort, workerData } = require('node:worker_threads');
const { program, answerer } = workerData;
const loading = import(program).then((all) => all[answerer]());
parentPort.on('message', (question) => {
	loading.then((answer) => answer(question)).then((answer) => parentPort.postMessage(answer));
});`;

/** Starts with the first question and rests between them, when it keeps nobody from ending. */
export function limitedThread<Question, Answer>(parts: LimitedThreadParts): LimitedThread<Question, Answer> {
	let thread: Worker | undefined;
	/** Tells whoever waits for an answer that there will be none. */
	let atWork: (() => void) | undefined;
	let isDisposed = false;
	let last: Promise<unknown> = Promise.resolve();

	/** Listens to a thread for as long as it lives: one that breaks down while it rests would take the editor with it. */
	function start(): Worker {
		const worker = new Worker(threadProgram, {
			eval: true,
			workerData: { program: pathToFileURL(parts.programPath).href, answerer: parts.answerer },
			resourceLimits: { maxOldGenerationSizeMb: parts.memoryMb },
		});
		const broken = (why: string): void => {
			// What was ended here has nothing to say any more.
			if (thread === worker) {
				parts.log.error(`${parts.name} failed: ${why}`);
				end();
				atWork?.();
			}
		};
		return worker
			.on('error', (error: unknown) => broken(error instanceof Error ? error.message : 'unknown failure'))
			.on('messageerror', ({ message }) => broken(message))
			.on('exit', () => broken('it ended by itself'));
	}

	function end(): void {
		void thread?.terminate();
		thread = undefined;
	}

	async function askNow(question: Question, limitMs: number, signal: AbortSignal): Promise<ThreadOutcome<Answer>> {
		signal.throwIfAborted();
		if (isDisposed) {
			return { kind: 'failed' };
		}
		thread ??= start();
		const worker = thread;
		const outcome = Promise.withResolvers<ThreadOutcome<Answer>>();
		const answered = (answer: Answer): void => outcome.resolve({ kind: 'answer', answer });
		const aborted = (): void => {
			end();
			outcome.reject(signal.reason);
		};
		const timer = parts.clock.after(limitMs, () => {
			end();
			outcome.resolve({ kind: 'tooSlow' });
		});
		signal.addEventListener('abort', aborted);
		worker.ref();
		atWork = () => outcome.resolve({ kind: 'failed' });
		worker.once('message', answered);
		worker.postMessage(question, []);
		try {
			return await outcome.promise;
		} finally {
			timer.dispose();
			signal.removeEventListener('abort', aborted);
			atWork = undefined;
			worker.off('message', answered);
			// Nobody waits for a thread that rests, the end of the editor least of all.
			worker.unref();
		}
	}

	return {
		ask(question, limitMs, signal) {
			const outcome = last.then(() => askNow(question, limitMs, signal));
			last = outcome.catch(() => undefined);
			return outcome;
		},
		dispose() {
			isDisposed = true;
			end();
			atWork?.();
		},
	};
}
