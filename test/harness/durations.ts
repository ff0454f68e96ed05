import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { resultsFolder, root } from './places.ts';

/** By file, in milliseconds. */
type Durations = Readonly<Record<string, number>>;

const kept = v.record(v.string(), v.number());

function fileOf(key: string): string {
	return join(resultsFolder, 'durations', `${key}.json`);
}

/**
 * Files that take longer than their size suggests, the longest first, for the first run on a machine. By ring and size of
 * counts. Without the ending, because a full path counts as an import (`importsOf`).
 */
const usuallyLong: Readonly<Record<string, string>> = {
	'unit-full':
		'packages/sourcehut/test/graphql/wholeLists test/unit/growingTexts packages/patchmail/test/series/shownAsGitApplies test/unit/store/lists/hostileSeries packages/patchmail/test/mail/mailFuzz',
	'contract-full': 'test/contract/wholeRepository.contract test/contract/writes.contract',
	'ui-small':
		'test/ui/tickets test/ui/mail test/ui/seriesOfFive test/ui/graphqlWays test/ui/repositories test/ui/patches',
	'ui-full':
		'test/ui/draftKills test/ui/mail test/ui/safety test/ui/inboxKills test/ui/webhookEvents test/ui/tickets test/ui/keyboardReview test/ui/repositories test/ui/seriesOfFive test/ui/remoteFolder test/ui/accounts test/ui/unfolding',
};

/** Artificial durations of these files, above every estimate. */
export const usualDurations: Readonly<Record<string, Durations>> = Object.fromEntries(
	Object.entries(usuallyLong).map(([key, names]) => [
		key,
		Object.fromEntries(names.split(' ').map((name, at) => [`${name}.test.ts`, 10_000_000 - at])),
	]),
);

/** Durations of earlier runs; on a new machine the usual ones. */
export function readDurations(key: string): Durations {
	return existsSync(fileOf(key))
		? v.parse(kept, JSON.parse(readFileSync(fileOf(key), 'utf8')))
		: (usualDurations[key.split('-', 2).join('-')] ?? {});
}

export function keepDurations(key: string, durations: Durations): void {
	mkdirSync(join(resultsFolder, 'durations'), { recursive: true });
	writeFileSync(fileOf(key), JSON.stringify({ ...readDurations(key), ...durations }, undefined, '\t'));
}

/** By file, in bytes. */
export function sizesOf(files: readonly string[]): Durations {
	return Object.fromEntries(files.map((file) => [file, statSync(join(root, file)).size]));
}

/** The longest first, so that none is left to a single process in the end. */
export function longestFirst(files: readonly string[], durations: Durations, sizes: Durations): readonly string[] {
	const known = files.filter((file) => durations[file] !== undefined);
	const sum = (of: Durations): number => known.reduce((total, file) => total + (of[file] ?? 0), 0);
	// Few known durations may be those of long files.
	const areMost = known.length * 2 > files.length;
	const msPerByte = areMost ? sum(durations) / Math.max(1, sum(sizes)) : 1;
	const guess = (file: string): number => durations[file] ?? (sizes[file] ?? 0) * msPerByte;
	return files.toSorted((one, other) => guess(other) - guess(one));
}
