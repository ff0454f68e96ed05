import { stripVTControlCharacters } from 'node:util';
import { PlainProblem, shownProblem } from '../harness/plainProblem.ts';
import { seconds } from '../harness/stages.ts';
import type { Figure, Measured, Measurement, Outcome, Size } from './measurement.ts';

/** What a run stands on. */
export interface RunOptions {
	readonly size: Size;
	readonly nowMs: () => number;
	/** One that takes longer than this is broken, and the others go on beside whatever is left of it. */
	readonly limitMs: number;
	/** The run ends so long after its start: what has not ended by then is broken, and nothing is begun that likely ends later. */
	readonly budgetMs: number;
	readonly log: (line: string) => void;
}

/** How often a measurement whose baseline drifted is made again before it is called so. */
const mostAgain = 3;

/**
 * Makes all measurements, whatever becomes of each. Those whose baseline drifted are made again after all others, when
 * what disturbed them may be over. At the smallest size nothing is judged, so those in the editor run beside the others.
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

/** A figure that was judged stays as it is: only those that could not be judged are taken from the newer measurement. */
function together(known: Measured, newer: Outcome): Outcome {
	const tookMs = known.tookMs + newer.tookMs;
	if (newer.kind === 'broken') {
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
		outcome = { kind: 'broken', name, reason: stripVTControlCharacters(shownProblem(error)), tookMs: tookMs() };
	}
	options.log(progressOf(outcome, options.size));
	return outcome;
}

function progressOf(outcome: Outcome, size: Size): string {
	const time = `(${seconds(outcome.tookMs)})`;
	if (outcome.kind === 'broken') {
		return `broken  ${outcome.name} ${time}: ${outcome.reason.split('\n')[0]}`;
	}
	const drifted = size === 'full' && hasDrifted(outcome) ? ', the baseline drifted' : '';
	return `works   ${outcome.name} ${time}${drifted}`;
}

/** What gave no number was not measured. */
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
