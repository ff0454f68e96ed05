import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import type { MailReader } from '../features/lists/listsParts.ts';
import type { MailReading } from '../mailParser.ts';

/** What reading mails beside everything else needs. */
export interface MailWorkerParts {
	/** Path of the bundle that reads mails. */
	readonly programPath: string;
	/** How long one mail may take. Mails of any honest size take a hundredth of it. */
	readonly limitMs: number;
	/** The same for mails that somebody wanted read however large they are. */
	readonly wholeLimitMs: number;
	readonly clock: Clock;
	readonly log: Log;
}

/** What runs in the thread: loads the bundle, answers each mail with its reading. */
const threadProgram = `
const { parentPort, workerData } = require('node:worker_threads');
const loading = import(workerData);
parentPort.on('message', ({ envelope, options }) => {
	loading
		.then(({ readMail, default: all }) => (readMail ?? all.readMail)(envelope, options))
		.then((reading) => parentPort.postMessage(reading));
});`;

/** What a thread may take of the memory; a mail of a megabyte needs a tenth. */
const memory = { maxOldGenerationSizeMb: 256 } as const;

/**
 * Reads mails in a thread that is ended when a mail takes too long (security T32): no mail, however it is made, stops
 * the editor. Mails are read one after another; the thread starts with the first one and rests between them.
 */
export function mailWorker(parts: MailWorkerParts): MailReader & Disposable {
	let thread: Worker | undefined;
	let isDisposed = false;
	let last: Promise<unknown> = Promise.resolve();

	function end(): void {
		void thread?.terminate();
		thread = undefined;
	}

	async function readNow(envelope: string, options: { readonly evenIfLarge: boolean }): Promise<MailReading> {
		if (isDisposed) {
			return { kind: 'raw', reason: 'unreadable', text: envelope };
		}
		thread ??= new Worker(threadProgram, {
			eval: true,
			workerData: pathToFileURL(parts.programPath).href,
			resourceLimits: memory,
		});
		const worker = thread;
		const answer = Promise.withResolvers<MailReading>();
		const giveUp = (reason: 'tooSlow' | 'unreadable'): void => {
			end();
			answer.resolve({ kind: 'raw', reason, text: envelope.replaceAll('\r\n', '\n') });
		};
		const failed = (error: unknown): void => {
			parts.log.error(`The mail reader failed: ${error instanceof Error ? error.message : 'unknown failure'}`);
			giveUp('unreadable');
		};
		const ended = (): void => giveUp('unreadable');
		const timer = parts.clock.after(options.evenIfLarge ? parts.wholeLimitMs : parts.limitMs, () => giveUp('tooSlow'));
		worker.ref();
		worker.once('message', answer.resolve).once('error', failed).once('exit', ended);
		worker.postMessage({ envelope, options }, []);
		try {
			return await answer.promise;
		} finally {
			timer.dispose();
			worker.off('message', answer.resolve).off('error', failed).off('exit', ended);
			// Nobody waits for a thread that rests, the end of the editor least of all.
			worker.unref();
		}
	}

	return {
		readMail(envelope, options) {
			const reading = last.then(() => readNow(envelope, options));
			last = reading;
			return reading;
		},
		dispose() {
			isDisposed = true;
			end();
		},
	};
}
