import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { hasAllWords } from '../harness/matching.ts';
import { root } from '../harness/places.ts';

/** One row. */
export interface Figure {
	readonly name: string;
	readonly value: number;
	/** The value may not be below its limit, instead of above. */
	readonly isFloor?: boolean;
	/** The counted items, one per line. */
	readonly found?: readonly string[];
}

/** Limits of figures, by name. Figures without one are for information. */
export type Limits = Readonly<Record<string, number>>;

/** `test/house/limits.json`, for all commands. */
const limitsFile = join(root, 'test/house/limits.json');

/**
 * Prints figures beside their limits. `--tighten` makes the limits stricter; other arguments are words of rows whose `found` is
 * shown. Returns the exit status: 1 when a figure breaks its limit.
 */
export function printFigures(figures: readonly Figure[], args: readonly string[]): number {
	const words = args.filter((arg) => arg !== '--tighten');
	const limits = v.parse(v.record(v.string(), v.number()), JSON.parse(readFileSync(limitsFile, 'utf8')));
	const shown = figures.filter(({ name }) => words.length > 0 && hasAllWords(name, words));
	const details = shown.flatMap(({ name, found = [] }) => ['', name, ...found.map((each) => `  ${each}`)]);
	console.log([...printedTable(figures, limits), ...details].join('\n'));
	if (args.includes('--tighten')) {
		writeFileSync(limitsFile, `${JSON.stringify(tightened(figures, limits), undefined, '\t')}\n`);
	}
	return figures.some((figure) => isBroken(figure, limits)) ? 1 : 0;
}

function isBroken({ name, value, isFloor }: Figure, limits: Limits): boolean {
	const limit = limits[name];
	return limit !== undefined && (isFloor ? value < limit : value > limit);
}

/** Room above the measured figure, for small changes. Other figures have none. */
const rooms: readonly (readonly [RegExp, number])[] = [
	[/calls$/, 1.1],
	[/code|imports|^files$|files run$/, 1.02],
];
/** A rule of decision 36, whatever the figure. */
const rule = 'lines of the longest file';

export function tightened(figures: readonly Figure[], limits: Limits): Limits {
	const byName = new Map(figures.map((figure) => [figure.name, figure]));
	return Object.fromEntries(
		Object.entries(limits).map(([name, limit]) => {
			const figure = byName.get(name);
			if (figure?.isFloor) {
				return [name, Math.max(limit, Math.floor(figure.value * 10) / 10)];
			}
			const value = name === rule ? limit : (figure?.value ?? limit);
			const withRoom = value * (rooms.find(([pattern]) => pattern.test(name))?.[1] ?? 1);
			return [name, Math.min(limit, withRoom < 100 ? Math.ceil(withRoom * 10) / 10 : Math.ceil(withRoom))];
		}),
	);
}

/** A line for each row, then everything counted by those that break their limits. */
export function printedTable(figures: readonly Figure[], limits: Limits): readonly string[] {
	const head = ['', 'now', 'limit'];
	const rows = figures.map(({ name, value }) => [name, String(value), String(limits[name] ?? '')]);
	const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
	const line = ([name = '', ...cells]: readonly string[]): string =>
		[name.padEnd(widths[0] ?? 0), ...cells.map((cell, at) => cell.padStart(widths[at + 1] ?? 0))].join('  ').trimEnd();
	const broken = figures
		.filter((figure) => isBroken(figure, limits))
		.flatMap(({ name, value, isFloor, found = [] }) => [
			`${name}: ${value} is ${isFloor ? 'below' : 'above'} the limit ${limits[name] ?? ''}`,
			...found.map((text) => `  ${text}`),
		]);
	return [line(head), ...rows.map(line), ...(broken.length === 0 ? [] : ['', ...broken])];
}
