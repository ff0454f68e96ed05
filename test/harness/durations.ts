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

/**
 * Files that take long and are not as large as others that do not, so that a machine that has never run them does not begin
 * with them at the end, when nothing is left for its other core. By ring and size of counts; named as below the folder of
 * the ring, because what names a file in full counts as what reads it (`importsOf`).
 */
const usualMs: Readonly<Record<string, Durations>> = {
	'unit-full': {
		'graphql/wholeLists': 560_000,
		growingTexts: 240_000,
		'series/shownAsGitApplies': 130_000,
		'series/hostileSeries': 120_000,
		'mail/mailFuzz': 100_000,
	},
	'contract-full': {
		'wholeRepository.contract': 790_000,
		'writes.contract': 300_000,
	},
	'ui-small': {
		seriesOfFive: 75_000,
		mail: 70_000,
		repositories: 32_000,
		tickets: 28_000,
	},
	'ui-full': {
		draftKills: 1_700_000,
		mail: 1_280_000,
		safety: 1_230_000,
		inboxKills: 1_070_000,
		webhookEvents: 730_000,
		tickets: 390_000,
		keyboardReview: 360_000,
		repositories: 330_000,
		newTicket: 300_000,
		seriesOfFive: 300_000,
		remoteFolder: 220_000,
		accounts: 220_000,
		unfolding: 220_000,
	},
};

/** The same by the paths of the files, under the keys by which runs keep theirs. */
export const usualDurations: Readonly<Record<string, Durations>> = Object.fromEntries(
	Object.entries(usualMs).map(([key, files]) => [
		key,
		Object.fromEntries(Object.entries(files).map(([name, ms]) => [`test/${key.split('-')[0]}/${name}.test.ts`, ms])),
	]),
);

/** What an earlier run has kept under this key; what is usual where there was none. */
export function readDurations(key: string): Durations {
	return existsSync(fileOf(key))
		? v.parse(kept, JSON.parse(readFileSync(fileOf(key), 'utf8')))
		: (usualDurations[key] ?? {});
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
	// A few known ones may be known because they are long.
	const areMost = known.length * 2 > files.length;
	const msPerByte = areMost ? sum(durations) / Math.max(1, sum(sizes)) : 1;
	const guess = (file: string): number => durations[file] ?? (sizes[file] ?? 0) * msPerByte;
	return files.toSorted((one, other) => guess(other) - guess(one));
}
