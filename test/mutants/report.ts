import type { Ring } from './importGraph.ts';
import type { Outcome, Trial } from './tryFault.ts';

/** What a run of faults comes to. */
export interface Result {
	readonly seed: number | undefined;
	readonly trials: readonly Trial[];
	/** Test files that fail without any fault. */
	readonly brokenTests: readonly string[];
}

const leastCaughtPercent = 90;

function caughtBy(trials: readonly Trial[], ring?: Ring): number {
	return trials.filter(({ outcome }) => outcome.kind === 'caught' && (ring ?? outcome.ring) === outcome.ring).length;
}

/** Good when at least 90 % are caught and nothing is in doubt. */
export function isGood({ trials }: Result): boolean {
	return (
		trials.length > 0 &&
		caughtBy(trials) * 100 >= trials.length * leastCaughtPercent &&
		trials.every(({ outcome }) => outcome.kind !== 'broken')
	);
}

function outcomeText(outcome: Outcome): string {
	switch (outcome.kind) {
		case 'caught':
			return `${outcome.ring}: ${outcome.by}`;
		case 'escaped':
			return `escaped ${outcome.testFiles} test files`;
		case 'broken':
			return `broken: these fail without it: ${outcome.files.join(', ')}`;
	}
}

/** One line of the console. */
export function trialLine({ fault, outcome, ms }: Trial): string {
	const sign = outcome.kind === 'caught' ? '✔' : '✘';
	const harm = outcome.kind === 'caught' ? '' : `\n    ${fault.file}: ${fault.harm}`;
	return `${sign} ${fault.name} (${fault.kind}, ${(ms / 1000).toFixed(1)} s) ${outcomeText(outcome)}${harm}`;
}

/** The closing line, which docs/proof.md shows as well. */
export function summaryLine({ trials }: Result): string {
	const by = (ring: Ring): string => `${ring} ${caughtBy(trials, ring)}`;
	const names = (kind: 'escaped' | 'broken', words: string): string => {
		const found = trials.filter(({ outcome }) => outcome.kind === kind).map(({ fault }) => fault.name);
		return found.length === 0 ? '' : `; ${words}: ${found.toSorted().join(', ')}`;
	};
	const caught = `${caughtBy(trials)} of ${trials.length} caught (${by('unit')}, ${by('contract')}, ${by('page')})`;
	return `${caught}${names('escaped', 'not caught')}${names('broken', 'in doubt')}`;
}

/** For programs. */
export function json(result: Result): string {
	const trials = result.trials.map(({ fault: { name, room, kind, file, harm }, outcome, ms }) => {
		return { name, room, kind, file, harm, outcome, ms: Math.round(ms) };
	});
	const { seed, brokenTests } = result;
	return `${JSON.stringify({ summary: summaryLine(result), isGood: isGood(result), seed, trials, brokenTests }, undefined, '\t')}\n`;
}
