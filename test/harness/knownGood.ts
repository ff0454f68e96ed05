import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as v from 'valibot';
import type { FileOutcome, StageResult } from './stages.ts';

const record = v.object({
	file: v.string(),
	/** Hash of its inputs; null after a failure. */
	reads: v.nullable(v.string()),
	passed: v.number(),
});

/** Test files that passed in earlier runs. */
export interface KnownGood {
	/** The files that have to run, with `isAnew` all; the number of the others, and of passed tests in them. */
	restOf(
		files: readonly string[],
		isAnew: boolean,
	): { readonly rest: readonly string[]; readonly skipped: number; readonly passed: number };
	keep(outcome: FileOutcome): void;
}

/** `readsOf`: hash of a file's inputs; `undefined` if unknown. */
export function openKnownGood(path: string, readsOf: (file: string) => string | undefined): KnownGood {
	const known = new Map(readRecords(path).map((each) => [each.file, each]));
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, Array.from(known.values(), lineOf).join(''));
	// Hashes at the beginning of the run, before edits during it.
	const reads = new Map<string, string | undefined>();
	const readsNow = (file: string): string | undefined => {
		if (!reads.has(file)) {
			reads.set(file, readsOf(file));
		}
		return reads.get(file);
	};
	return {
		restOf(files, isAnew) {
			const isKnown = (file: string): boolean => {
				const now = readsNow(file);
				return now !== undefined && known.get(file)?.reads === now && !isAnew;
			};
			const good = files.filter(isKnown);
			return {
				rest: files.filter((file) => !good.includes(file)),
				skipped: good.length,
				passed: good.reduce((sum, file) => sum + (known.get(file)?.passed ?? 0), 0),
			};
		},
		keep({ file, isGood, passed }) {
			const now = { file, reads: isGood ? (readsNow(file) ?? null) : null, passed };
			known.set(file, now);
			// Immediately, in case the run stops.
			appendFileSync(path, lineOf(now));
		},
	};
}

/** Whether a green file counts after a red run too. */
export type Keeps = 'green files' | 'green runs';

/** `restOf`: by ring, the files of this run. */
export function outcomesToKeep(
	results: readonly StageResult[],
	restOf: (ring: string) => readonly string[],
	keeps: Keeps,
): readonly FileOutcome[] {
	const isGreen = results.every(({ problem }) => problem === undefined);
	return results.flatMap(({ name, problem, files, tally }) => {
		const rest = restOf(name);
		if (problem !== undefined) {
			// Without results of its files, any may have left a process behind.
			const good = new Set(files?.filter((each) => each.isGood).map(({ file }) => file));
			return rest.filter((file) => !good.has(file)).map((file) => ({ file, passed: 0, skipped: 0, isGood: false }));
		}
		// The extension host runs all its files or none, and reports them together.
		const together = rest.map((file, at) => ({
			file,
			passed: at === 0 ? (tally?.passed.length ?? 0) : 0,
			skipped: 0,
			isGood: true,
		}));
		return isGreen && keeps === 'green runs' ? (files ?? together) : [];
	});
}

function lineOf(each: v.InferOutput<typeof record>): string {
	return `${JSON.stringify(each)}\n`;
}

/** Unreadable records, such as a truncated line, make all tests run again. */
function readRecords(path: string): readonly v.InferOutput<typeof record>[] {
	try {
		const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
		return lines.map((line) => v.parse(record, JSON.parse(line)));
	} catch {
		rmSync(path, { force: true });
		return [];
	}
}
