import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { resultsFolder, root } from './places.ts';

/** How long each file of a ring took, in milliseconds. */
type Durations = Readonly<Record<string, number>>;

const kept = v.record(v.string(), v.number());

function fileOf(key: string): string {
	return join(resultsFolder, 'durations', `${key}.json`);
}

/** What an earlier run has kept under this key; nothing when there was none. */
export function readDurations(key: string): Durations {
	return existsSync(fileOf(key)) ? v.parse(kept, JSON.parse(readFileSync(fileOf(key), 'utf8'))) : {};
}

export function keepDurations(key: string, durations: Durations): void {
	mkdirSync(join(resultsFolder, 'durations'), { recursive: true });
	writeFileSync(fileOf(key), JSON.stringify({ ...readDurations(key), ...durations }, undefined, '\t'));
}

/** The sizes of files by which their durations are guessed. */
export function sizesOf(files: readonly string[]): Durations {
	return Object.fromEntries(files.map((file) => [file, statSync(join(root, file)).size]));
}

/** The files with the longest first, so that no process is left with a long one in the end. */
export function longestFirst(files: readonly string[], durations: Durations, sizes: Durations): readonly string[] {
	const known = files.filter((file) => durations[file] !== undefined);
	const sum = (of: Durations): number => known.reduce((total, file) => total + (of[file] ?? 0), 0);
	const msPerByte = known.length === 0 ? 1 : sum(durations) / Math.max(1, sum(sizes));
	const guess = (file: string): number => durations[file] ?? (sizes[file] ?? 0) * msPerByte;
	return files.toSorted((one, other) => guess(other) - guess(one));
}
