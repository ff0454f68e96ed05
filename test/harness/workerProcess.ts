import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { limitMs } from '../support/pace.ts';
import { type Children, endGroup } from './children.ts';
import type { EndedFile, News, Order } from './worker.ts';

export interface WorkerOptions {
	readonly report: string;
	/** Of one test. */
	readonly timeoutMs: number;
	/** Ends a worker that sends nothing for this long; longer on a slow machine. */
	readonly silenceMs: number;
	readonly words: readonly string[];
	readonly env: Readonly<Record<string, string>>;
}

/** `lost`: the worker has ended, with the output `seen`. */
export type FileEnd = EndedFile | { readonly kind: 'lost'; readonly at: string; readonly seen: string };

export interface WorkerProcess {
	run(file: string): Promise<FileEnd>;
	/** Disposes of shared resources of its files. Resolves to its output after a bad end. */
	end(): Promise<string | undefined>;
}

const keptOutput = 8_000;

function send(child: ChildProcess, message: Order): void {
	// `closed` reports a worker that is gone.
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

	/** Ends a silent worker. Call `heard` at each message. */
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
			const listen = (told: News): void => {
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
