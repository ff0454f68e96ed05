import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as v from 'valibot';
import type { FileOutcome } from './stages.ts';

const record = v.object({
	file: v.string(),
	/** What it read then; null once it was not good. */
	reads: v.nullable(v.string()),
	passed: v.number(),
});

/** Files of tests that passed, kept from one run to the next. */
export interface KnownGood {
	/** Those of the files that have to run, and how many tests passed in the others. */
	restOf(files: readonly string[]): { readonly rest: readonly string[]; readonly passed: number };
	/** What has come of a file now. */
	keep(outcome: FileOutcome): void;
}

/** `path`: where it is kept. `readsOf`: what tells whether a file could come to something else; `undefined` for always. */
export function openKnownGood(path: string, readsOf: (file: string) => string | undefined): KnownGood {
	const known = new Map(readRecords(path).map((each) => [each.file, each]));
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, Array.from(known.values(), lineOf).join(''));
	// As they were when the run began: what is edited while it runs is not what was tested.
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
			// One by one, so that a run that is broken off keeps what it came to.
			appendFileSync(path, lineOf(now));
		},
	};
}

function lineOf(each: v.InferOutput<typeof record>): string {
	return `${JSON.stringify(each)}\n`;
}

/** What cannot be read, such as a line that was cut when a run was killed, makes all tests run again. */
function readRecords(path: string): readonly v.InferOutput<typeof record>[] {
	try {
		const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
		return lines.map((line) => v.parse(record, JSON.parse(line)));
	} catch {
		rmSync(path, { force: true });
		return [];
	}
}
