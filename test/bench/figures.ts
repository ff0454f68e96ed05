import type { Comparison } from './interleaved.ts';
import type { Figure, Verdict } from './measurement.ts';

/** Most drift of a baseline between the first and the last third of its run; beyond it, the figure has no verdict. */
const mostDrift = 0.25;

/** A frame, in milliseconds. */
const frameMs = 16;

export const mebibyte = 1024 * 1024;

export function verdictOf(isMet: boolean, drift = 0): Verdict {
	// NaN counts as drifted.
	return drift <= mostDrift ? (isMet ? 'met' : 'not met') : 'drifted';
}

/** As in `10,000`. */
export function counted(count: number): string {
	return count.toLocaleString('en');
}

export function percent(share: number): string {
	return `${(share * 100).toFixed(0)} %`;
}

/** The most that a figure may be, and how it is written. */
interface Most {
	readonly most: number;
	/** With its space. */
	readonly unit?: string;
	readonly digits?: number;
}

export function mostFigure(
	name: string,
	measured: number,
	{ most, unit = '', digits = 0 }: Most,
	detail: string,
): Figure {
	const shown = `${measured.toFixed(digits)}${unit}`;
	return { name, goal: `≤ ${most}${unit}`, measured, shown, verdict: verdictOf(measured <= most), detail };
}

/** `least`: the goal, as a part of 1. */
export function shareFigure(name: string, share: number, least: number, detail: string): Figure {
	const goal = `≥ ${percent(least)}`;
	return { name, goal, measured: share, shown: percent(share), verdict: verdictOf(share >= least), detail };
}

/** Our time, divided by that of the baseline. */
export function ratioFigure(name: string, goal: number, comparison: Comparison): Figure {
	const { ours, baseline, ratio, ratioOfFastest, drift } = comparison;
	const detail = `median ${ours.median.toFixed(2)} to ${baseline.median.toFixed(2)} ms, fastest ${ours.fastest.toFixed(2)} to ${baseline.fastest.toFixed(2)} ms (${ratioOfFastest.toFixed(3)}), ${ours.count} pairs, drift ${percent(drift)}`;
	return { ...mostFigure(name, ratio, { most: goal, digits: 3 }, detail), verdict: verdictOf(ratio <= goal, drift) };
}

/** The longest block of the event loop. */
export function blockFigure(name: string, blockMs: number, detail: string): Figure {
	return mostFigure(name, blockMs, { most: frameMs, unit: ' ms', digits: 1 }, detail);
}

/** A count that has to be exactly `goal`. */
export function countFigure(name: string, goal: number, count: number, detail: string): Figure {
	return { ...mostFigure(name, count, { most: goal }, detail), goal: String(goal), verdict: verdictOf(count === goal) };
}
