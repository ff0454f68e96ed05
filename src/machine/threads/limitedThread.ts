import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { pathToFileURL } from 'node:url';
import { Worker, type ResourceLimits } from 'node:worker_threads';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { Log } from '../../base/log.ts';

/** Where threads run: the bundle with the answering code, clock and log. */
export interface ThreadPlace {
	readonly programPath: string;
	readonly clock: Clock;
	readonly log: Log;
}

/** Outcome of one question. */
export type ThreadOutcome<Answer> =
	| { readonly kind: 'answer'; readonly answer: Answer }
	| { readonly kind: 'tooSlow' }
	/** The thread crashed or ended. The log has the reason of a crash. */
	| { readonly kind: 'failed' };

/** A thread that answers one question at a time. */
export interface LimitedThread<Question, Answer> extends Disposable {
	/** Rejects with the signal's reason. Aborting the running question terminates the thread. */
	ask(question: Question, limitMs: number, signal: AbortSignal): Promise<ThreadOutcome<Answer>>;
}

/** Without warnings: Node calls `node:sqlite` experimental, on the error output of the editor. */
const threadProgram = `
const { parentPort, workerData } = require('node:worker_threads');
const { program, answerer } = workerData;
process.removeAllListeners('warning');
const loading = import(program).then((all) => all[answerer]());
parentPort.on('message', (question) => {
	loading.then((answer) => answer(question)).then((answer) => parentPort.postMessage(answer));
});`;

/**
 * Starts with the first question. An idle thread does not keep the
 * process alive. `answerer`: exported factory of the answering function. `name`: for the log.
 */
export function limitedThread<Question, Answer>(
	{ programPath, clock, log }: ThreadPlace,
	answerer: 'indexAnswerer' | 'jsonAnswerer' | 'mailAnswerer' | 'searchAnswerer',
	name: string,
	resourceLimits: ResourceLimits,
): LimitedThread<Question, Answer> {
	let thread: Worker | undefined;
	/** Resolves the pending question as failed. */
	let atWork: (() => void) | undefined;
	let isDisposed = false;
	let last: Promise<unknown> = Promise.resolve();

	/** Listens for the thread's whole life: an unhandled crash while idle would take the extension host down. */
	function start(): Worker {
		const worker = new Worker(threadProgram, {
			eval: true,
			workerData: { program: pathToFileURL(programPath).href, answerer },
			resourceLimits,
		});
		const broken = (why: string): void => {
			// Ignore a thread that was terminated here.
			if (thread === worker) {
				log.error(`${name} failed: ${why}`);
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
		const timer = clock.after(limitMs, () => {
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
			// An idle thread must not delay the editor's exit.
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
