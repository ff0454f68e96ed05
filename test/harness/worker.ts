// A process that runs the test files that it is sent, one by one: worker.ts REPORT TIMEOUT_MS WORD…
import { endOfRun } from '../support/endOfRun.ts';
import { limitMs, measurePace } from '../support/pace.ts';
import { type MochaCount, runMocha } from './runMocha.ts';

/** `end`: no file is left. */
export type Order = { readonly kind: 'run'; readonly file: string } | { readonly kind: 'end' };

/** `at`: a test or hook begins. `ended`: the file has ended. */
export type News = { readonly kind: 'at'; readonly title: string } | EndedFile;

export interface EndedFile extends MochaCount {
	readonly kind: 'ended';
	readonly ms: number;
}

const [, , report = '', timeoutMs = '', ...words] = process.argv;
const tell = (message: News): void => void process.send?.(message);

async function runFile(file: string): Promise<void> {
	const start = performance.now();
	const count = await runMocha({
		files: [file],
		report,
		timeoutMs: Number(timeoutMs),
		words,
		onTest: (title) => tell({ kind: 'at', title }),
	});
	tell({ kind: 'ended', ms: performance.now() - start, ...count });
}

async function end(): Promise<void> {
	await endOfRun();
	process.disconnect();
	// Tests stop everything that they start, so this process can end now.
	setTimeout(() => {
		console.error(`The tests left something open: ${process.getActiveResourcesInfo().join(', ')}`);
		process.exit(1);
	}, limitMs(5_000)).unref();
}

measurePace();
process.on('message', (order: Order) => void (order.kind === 'run' ? runFile(order.file) : end()));
