import { stripVTControlCharacters } from 'node:util';
import { PlainProblem, shownProblem } from '../harness/plainProblem.ts';
import { seconds } from '../harness/stages.ts';
import type { Figure, Measured, Measurement, Outcome, Size } from './measurement.ts';
import { AbsentPeer } from './peers.ts';

interface Wanted {
	readonly size: Size;
	readonly measurements: readonly Measurement[];
}

/** Reads `[--smallest] [name…]`; no name means all measurements. Throws a PlainProblem for anything else. */
export function readArguments(args: readonly string[], all: readonly Measurement[]): Wanted {
	const names = args.filter((arg) => arg !== '--smallest');
	const unknown = names.filter((name) => !all.some((measurement) => measurement.name === name));
	if (unknown.length > 0) {
		throw new PlainProblem(
			`No measurement is called ${unknown.join(', ')}. There are: ${all.map(({ name }) => name).join(', ')}.`,
		);
	}
	return {
		size: args.includes('--smallest') ? 'smallest' : 'full',
		measurements: names.length === 0 ? all : all.filter(({ name }) => names.includes(name)),
	};
}

interface RunOptions {
	readonly size: Size;
	readonly nowMs: () => number;
	/** A measurement that takes longer is broken, and the others start while it still runs. */
	readonly limitMs: number;
	/** Of the whole run. Measurements that have not ended by then are broken; none begins that likely ends later. */
	readonly budgetMs: number;
	readonly log: (line: string) => void;
}

/** Retries of a measurement whose baseline drifted. */
const mostAgain = 3;

/**
 * Runs all measurements, also after a broken one. Those with a drifted baseline run again after all others, when the
 * disturbance may be over. The smallest size has no verdicts, so measurements in the editor run in parallel with the
 * others.
 */
export async function runMeasurements(
	measurements: readonly Measurement[],
	options: RunOptions,
): Promise<readonly Outcome[]> {
	const endMs = options.nowMs() + options.budgetMs;
	const outcomes = new Map<string, Outcome>();
	await Promise.all(
		lanesOf(measurements, options.size).map(async (lane) => {
			for (const measurement of lane) {
				outcomes.set(measurement.name, await runOnce(measurement, endMs, options));
			}
		}),
	);
	if (options.size === 'full') {
		for (let again = 0; again < mostAgain; again += 1) {
			for (const measurement of measurements) {
				const known = outcomes.get(measurement.name);
				if (known?.kind === 'measured' && hasDrifted(known)) {
					const likelyEndMs = options.nowMs() + known.tookMs / known.attempts;
					if (likelyEndMs <= endMs) {
						outcomes.set(measurement.name, together(known, await runOnce(measurement, endMs, options)));
					}
				}
			}
		}
	}
	return measurements.flatMap(({ name }) => outcomes.get(name) ?? []);
}

function lanesOf(measurements: readonly Measurement[], size: Size): readonly (readonly Measurement[])[] {
	return size === 'full'
		? [measurements]
		: [measurements.filter(({ isInEditor }) => isInEditor), measurements.filter(({ isInEditor }) => !isInEditor)];
}

export function hasDrifted({ figures }: Measured): boolean {
	return figures.some(({ verdict }) => verdict === 'drifted');
}

/** Replaces only figures without a verdict. */
function together(known: Measured, newer: Outcome): Outcome {
	const tookMs = known.tookMs + newer.tookMs;
	if (newer.kind !== 'measured') {
		return { ...newer, tookMs };
	}
	const figures = known.figures.map((figure): Figure => {
		const measuredAgain = newer.figures.find(({ name }) => name === figure.name);
		return figure.verdict === 'drifted' ? (measuredAgain ?? figure) : figure;
	});
	return { ...known, figures, attempts: known.attempts + 1, tookMs };
}

async function runOnce(measurement: Measurement, endMs: number, options: RunOptions): Promise<Outcome> {
	const { name } = measurement;
	const startMs = options.nowMs();
	const tookMs = (): number => options.nowMs() - startMs;
	let outcome: Outcome;
	try {
		const leftMs = endMs - startMs;
		if (leftMs <= 0) {
			throw new PlainProblem('The run had no time left for it');
		}
		const figures = checked(await inTime(measurement.measure(options.size), Math.min(options.limitMs, leftMs)));
		outcome = { kind: 'measured', name, figures, attempts: 1, tookMs: tookMs() };
	} catch (error) {
		const kind = error instanceof AbsentPeer ? 'skipped' : 'broken';
		outcome = { kind, name, reason: stripVTControlCharacters(shownProblem(error)), tookMs: tookMs() };
	}
	options.log(progressOf(outcome, options.size));
	return outcome;
}

function progressOf(outcome: Outcome, size: Size): string {
	const time = `(${seconds(outcome.tookMs)})`;
	if (outcome.kind !== 'measured') {
		return `${outcome.kind.padEnd(7)} ${outcome.name} ${time}: ${outcome.reason.split('\n')[0]}`;
	}
	const drifted = size === 'full' && hasDrifted(outcome) ? ', the baseline drifted' : '';
	return `works   ${outcome.name} ${time}${drifted}`;
}

function checked(figures: readonly Figure[]): readonly Figure[] {
	const [empty] = figures.filter(({ measured }) => !Number.isFinite(measured));
	if (figures.length === 0 || empty !== undefined) {
		throw new Error(empty === undefined ? 'There is no figure' : `"${empty.name}" is no number: ${empty.measured}`);
	}
	return figures;
}

async function inTime<T>(work: Promise<T>, limitMs: number): Promise<T> {
	const limit = Promise.withResolvers<never>();
	const timer = setTimeout(() => limit.reject(new PlainProblem(`It did not end within ${seconds(limitMs)}`)), limitMs);
	try {
		return await Promise.race([work, limit.promise]);
	} finally {
		clearTimeout(timer);
	}
}
