import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as v from 'valibot';
import type { FileOutcome } from './stages.ts';

const record = v.object({
	file: v.string(),
	/** Hash of its inputs; null after a failure. */
	reads: v.nullable(v.string()),
	passed: v.number(),
});

/** Test files that passed in earlier runs. */
export interface KnownGood {
	/** The files that have to run, and the number of passed tests in the others. */
	restOf(files: readonly string[]): { readonly rest: readonly string[]; readonly passed: number };
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
		restOf(files) {
			const isKnown = (file: string): boolean => {
				const now = readsNow(file);
				return now !== undefined && known.get(file)?.reads === now;
			};
			const good = files.filter(isKnown);
			return {
				rest: files.filter((file) => !good.includes(file)),
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
