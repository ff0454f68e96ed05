// A process that runs test files, one after the other, as it is told: worker.ts REPORT TIMEOUT_MS WORD…
import * as v from 'valibot';
import { endOfRun } from '../support/endOfRun.ts';
import { limitMs, measurePace } from '../support/pace.ts';
import { runMocha } from './runMocha.ts';
import { type News, order } from './workerMessages.ts';

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
	// Whatever a test started it also has to stop. If all of them did, this process ends now by itself.
	setTimeout(() => {
		console.error(`The tests left something open: ${process.getActiveResourcesInfo().join(', ')}`);
		process.exit(1);
	}, limitMs(5_000)).unref();
}

measurePace();
process.on('message', (message) => {
	const told = v.parse(order, message);
	void (told.kind === 'run' ? runFile(told.file) : end());
});
