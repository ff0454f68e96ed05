import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import * as v from 'valibot';
import { limitMs } from '../support/pace.ts';
import { type Children, endGroup } from './children.ts';
import { type News, news, type Order } from './workerMessages.ts';

/** What a worker is started with. */
export interface WorkerOptions {
	readonly report: string;
	/** For one test. */
	readonly timeoutMs: number;
	/** After so long without a word from the worker it is taken to hang; longer on a slow machine. */
	readonly silenceMs: number;
	readonly words: readonly string[];
	readonly env: Readonly<Record<string, string>>;
}

type EndedFile = Extract<News, { readonly kind: 'ended' }>;

/** How the run of a file ended. A worker that is lost has ended, and `seen` says what was seen of it. */
export type FileEnd = EndedFile | { readonly kind: 'lost'; readonly at: string; readonly seen: string };

/** A process that runs test files. */
export interface WorkerProcess {
	run(file: string): Promise<FileEnd>;
	/** Lets it end what its files shared. Resolves to what was seen when it does not end well. */
	end(): Promise<string | undefined>;
}

const keptOutput = 8_000;

function send(child: ChildProcess, message: Order): void {
	// When the worker is gone already, its end tells.
	child.send(message, () => undefined);
}

export function startWorker(children: Children, options: WorkerOptions): WorkerProcess {
	const { report, timeoutMs, silenceMs, words, env } = options;
	const script = join(import.meta.dirname, 'worker.ts');
	const child = children.startModule(script, [report, String(timeoutMs), ...words], env);
	let output = '';
	const keep = (chunk: Buffer): void => {
		output = (output + chunk.toString()).slice(-keptOutput);
	};
	child.stdout?.on('data', keep);
	child.stderr?.on('data', keep);
	child.once('error', (error) => keep(Buffer.from(error.message)));
	const closed = new Promise<string>((resolve) => {
		child.once('close', (code, signal) => resolve(signal ?? `code ${code}`));
	});

	/** Ends a worker that says nothing for too long. Returns what to call whenever it says something. */
	const watch = (): { readonly heard: () => void; readonly stop: () => void } => {
		let timer: NodeJS.Timeout | undefined;
		const stop = (): void => clearTimeout(timer);
		const heard = (): void => {
			stop();
			timer = setTimeout(() => {
				keep(Buffer.from(`\nIt said nothing for ${Math.round(limitMs(silenceMs) / 1000)} s and was ended.`));
				endGroup(child, 'SIGKILL');
			}, limitMs(silenceMs));
		};
		heard();
		return { heard, stop };
	};

	return {
		async run(file) {
			output = '';
			let at = 'before its first test';
			const silence = watch();
			const ended = Promise.withResolvers<FileEnd>();
			const listen = (message: unknown): void => {
				const told = v.parse(news, message);
				silence.heard();
				if (told.kind === 'at') {
					at = told.title;
				} else {
					ended.resolve(told);
				}
			};
			child.on('message', listen);
			send(child, { kind: 'run', file });
			const lost = closed.then((how): FileEnd => ({
				kind: 'lost',
				at,
				seen: `The process of the tests ended with ${how}.\n${output}`,
			}));
			const end = await Promise.race([ended.promise, lost]);
			silence.stop();
			child.off('message', listen);
			return end;
		},
		async end() {
			output = '';
			const silence = watch();
			send(child, { kind: 'end' });
			const how = await closed;
			silence.stop();
			return how === 'code 0' ? undefined : `The process of the tests ended with ${how}.\n${output}`;
		},
	};
}
