import { type FilesRun, runFiles } from './runFiles.ts';
import type { Ring } from './importGraph.ts';

/** How a test file does without any fault. */
export type Baseline =
	| { readonly kind: 'sound'; readonly ms: number }
	/** It fails without any fault, so it says nothing about one. */
	| { readonly kind: 'broken'; readonly why: string };

export interface Baselines {
	/** Runs what was not run before in a folder that has no fault in it now. */
	of(files: readonly string[], ring: Ring, folder: string): Promise<ReadonlyMap<string, Baseline>>;
	/** Test files that fail without any fault. */
	broken(): Promise<readonly string[]>;
}

/** As the stages of `npm test` have it. */
export const timeoutsMs: Readonly<Record<Ring, number>> = { unit: 10_000, contract: 30_000, page: 120_000 };

/** Without a run to compare with, nothing but a process that hangs takes so long. */
const longestMs = 600_000;

/** Each test file is run once without a fault, whoever asks first. */
export function openBaselines(signal: AbortSignal): Baselines {
	const known = new Map<string, Promise<Baseline>>();

	async function measure(files: readonly string[], ring: Ring, folder: string): Promise<ReadonlyMap<string, Baseline>> {
		if (files.length === 0) {
			return new Map();
		}
		const run = await runFiles({ folder, files, timeoutMs: timeoutsMs[ring], wholeMs: longestMs, signal });
		if (run.kind === 'passed') {
			return new Map(files.map((file) => [file, { kind: 'sound', ms: run.ms / files.length }]));
		}
		const [only] = files;
		if (files.length === 1 && only !== undefined) {
			return new Map([[only, { kind: 'broken', why: whyOf(run) }]]);
		}
		// A failure ends the run, and a process that dies does not tell whose fault it was: look closer.
		const guilty = run.kind === 'failed' && files.includes(run.test.file) ? run.test.file : undefined;
		const parts = guilty === undefined ? halves(files) : [[guilty], files.filter((file) => file !== guilty)];
		const results = new Map<string, Baseline>();
		for (const part of parts) {
			for (const [file, baseline] of await measure(part, ring, folder)) {
				results.set(file, baseline);
			}
		}
		return results;
	}

	return {
		async of(files, ring, folder) {
			const fresh = files.filter((file) => !known.has(file));
			const measuring = measure(fresh, ring, folder);
			for (const file of fresh) {
				known.set(
					file,
					measuring.then((results) => results.get(file) ?? { kind: 'broken', why: 'it was not run' }),
				);
			}
			const pairs = files.map(async (file): Promise<readonly [string, Baseline]> => {
				const baseline = await known.get(file);
				return [file, baseline ?? { kind: 'broken', why: 'it was not run' }];
			});
			return new Map(await Promise.all(pairs));
		},
		async broken() {
			const all = await Promise.all(Array.from(known, async ([file, baseline]) => ({ file, is: await baseline })));
			return all.flatMap(({ file, is }) => (is.kind === 'broken' ? [`${file}: ${is.why}`] : []));
		},
	};
}

function halves(files: readonly string[]): readonly (readonly string[])[] {
	const middle = Math.ceil(files.length / 2);
	return [files.slice(0, middle), files.slice(middle)];
}

function whyOf(run: Exclude<FilesRun, { readonly kind: 'passed' }>): string {
	switch (run.kind) {
		case 'failed':
			return `${run.test.title}: ${run.error}`;
		case 'died':
			return `its process ended early: ${run.output}`;
		case 'hung':
			return 'it did not end';
	}
}
