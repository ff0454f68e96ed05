import type { Comparison } from './interleaved.ts';
import type { Figure, Verdict } from './measurement.ts';

/** A baseline that wandered further than this between the first and the last third of its run judges nobody. */
const mostDrift = 0.25;

/** The longest that anything may hold the event loop: a frame. */
const frameMs = 16;

export function verdictOf(isMet: boolean, drift = 0): Verdict {
	// A drift that is no number is none that was small.
	return drift <= mostDrift ? (isMet ? 'met' : 'not met') : 'drifted';
}

/** A count for people, as in `10,000`. */
export function counted(count: number): string {
	return count.toLocaleString('en');
}

export function percent(share: number): string {
	return `${(share * 100).toFixed(0)} %`;
}

/** Ours to its baseline, of which it may be `goal` times. */
export function ratioFigure(name: string, goal: number, comparison: Comparison): Figure {
	const { ours, baseline, ratio, ratioOfFastest, drift } = comparison;
	return {
		name,
		goal: `≤ ${goal}`,
		measured: ratio,
		shown: ratio.toFixed(3),
		verdict: verdictOf(ratio <= goal, drift),
		detail: `median ${ours.median.toFixed(2)} to ${baseline.median.toFixed(2)} ms, fastest ${ours.fastest.toFixed(2)} to ${baseline.fastest.toFixed(2)} ms (${ratioOfFastest.toFixed(3)}), ${ours.count} pairs, drift ${percent(drift)}`,
	};
}

/** How long something held the event loop. */
export function blockFigure(name: string, blockMs: number, detail: string): Figure {
	return {
		name,
		goal: `≤ ${frameMs} ms`,
		measured: blockMs,
		shown: `${blockMs.toFixed(1)} ms`,
		verdict: verdictOf(blockMs <= frameMs),
		detail,
	};
}

/** How often something happened, which is to be `goal` times. */
export function countFigure(name: string, goal: number, count: number, detail: string): Figure {
	return {
		name,
		goal: String(goal),
		measured: count,
		shown: String(count),
		verdict: verdictOf(count === goal),
		detail,
	};
}

/** The figure with more said about it. */
export function detailed(figure: Figure, more: string): Figure {
	return { ...figure, detail: `${figure.detail}; ${more}` };
}
