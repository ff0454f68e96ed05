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
 * with them at the end, when nothing is left for its other core.
 */
export const usualDurations: Readonly<Record<string, Durations>> = {
	'unit-full': {
		'test/unit/graphql/wholeLists.test.ts': 560_000,
		'test/unit/growingTexts.test.ts': 240_000,
		'test/unit/series/shownAsGitApplies.test.ts': 130_000,
		'test/unit/series/hostileSeries.test.ts': 120_000,
		'test/unit/mail/mailFuzz.test.ts': 100_000,
	},
	'contract-full': {
		'test/contract/wholeRepository.contract.test.ts': 790_000,
		'test/contract/writes.contract.test.ts': 300_000,
	},
	'ui-small': {
		'test/ui/seriesOfFive.test.ts': 75_000,
		'test/ui/mail.test.ts': 70_000,
		'test/ui/repositories.test.ts': 32_000,
		'test/ui/tickets.test.ts': 28_000,
	},
	'ui-full': {
		'test/ui/draftKills.test.ts': 1_700_000,
		'test/ui/mail.test.ts': 1_280_000,
		'test/ui/safety.test.ts': 1_230_000,
		'test/ui/inboxKills.test.ts': 1_070_000,
		'test/ui/webhookEvents.test.ts': 730_000,
		'test/ui/tickets.test.ts': 390_000,
		'test/ui/keyboardReview.test.ts': 360_000,
		'test/ui/repositories.test.ts': 330_000,
		'test/ui/newTicket.test.ts': 300_000,
		'test/ui/seriesOfFive.test.ts': 300_000,
		'test/ui/remoteFolder.test.ts': 220_000,
		'test/ui/accounts.test.ts': 220_000,
		'test/ui/unfolding.test.ts': 220_000,
	},
};

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
