import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasAllWords } from '../harness/matching.ts';
import { root } from '../harness/places.ts';

/** One row. */
export interface Figure {
	readonly name: string;
	readonly value: number;
	/** The most that it may be; without one the figure is for information. */
	readonly target?: number;
	/** The counted things, a line each. */
	readonly found?: readonly string[];
}

/** The values of a written page, by the names of the rows. */
type Before = ReadonlyMap<string, number>;

interface FiguresOfPage {
	/** `docs/house.md` */
	readonly page: string;
	readonly figures: readonly Figure[];
	/** The new page. */
	readonly text: string;
}

/**
 * Prints figures beside those of their page. `--write` rewrites that page; other arguments are words of rows whose `found` is
 * shown. Returns the exit status: 1 when a target that was met is no longer met.
 */
export function printFigures({ page, figures, text }: FiguresOfPage, args: readonly string[]): number {
	const words = args.filter((arg) => arg !== '--write');
	const file = join(root, page);
	const before = figuresBefore(existsSync(file) ? readFileSync(file, 'utf8') : '');
	const shown = figures.filter(({ name }) => words.length > 0 && hasAllWords(name, words));
	const details = shown.flatMap(({ name, found = [] }) => ['', name, ...found.map((each) => `  ${each}`)]);
	console.log([...printedTable(figures, before), ...details].join('\n'));
	if (brokenFigures(figures, before).length > 0) {
		return 1;
	}
	if (args.includes('--write')) {
		writeFileSync(file, text);
		console.log(`Wrote ${page}`);
	}
	return 0;
}

/** The rows whose target was met before and no longer is. */
export function brokenFigures(figures: readonly Figure[], before: Before): readonly Figure[] {
	return figures.filter(({ name, value, target }) => {
		const last = before.get(name);
		return target !== undefined && last !== undefined && last <= target && value > target;
	});
}

/** A line for each row, then the broken ones with everything that they counted. */
export function printedTable(figures: readonly Figure[], before: Before): readonly string[] {
	const head = ['', 'now', 'before', 'target', ''];
	const rows = figures.map(({ name, value, target }) => [
		name,
		String(value),
		String(before.get(name) ?? '-'),
		target === undefined ? '' : String(target),
		target === undefined ? '' : value <= target ? 'met' : 'not met',
	]);
	const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
	const line = ([name = '', ...cells]: readonly string[]): string =>
		[name.padEnd(widths[0] ?? 0), ...cells.map((cell, at) => (at === 3 ? cell : cell.padStart(widths[at + 1] ?? 0)))]
			.join('  ')
			.trimEnd();
	const broken = brokenFigures(figures, before).flatMap(({ name, value, target, found = [] }) => [
		`${name}: ${value}, and it was ${target} at most before`,
		...found.map((text) => `  ${text}`),
	]);
	return [line(head), ...rows.map(line), ...(broken.length === 0 ? [] : ['', ...broken])];
}

/** A table that `figuresBefore` can read. */
export function figureRows(figures: readonly Figure[]): readonly string[] {
	return [
		'| figure | measured | target |',
		'| --- | --: | --: |',
		...figures.map(({ name, value, target }) => `| ${name} | ${value} | ${target ?? ''} |`),
	];
}

export function figuresBefore(page: string): Before {
	return new Map(
		Array.from(page.matchAll(/^\| (.+?) \| ([\d.]+) \| [\d.]* \|$/gm), ([, name = '', value]) => [name, Number(value)]),
	);
}

/** `docs/house.md`. */
export function housePage(figures: readonly Figure[]): string {
	return ['# Figures of the sources', '', intro, '', ...figureRows(figures), '', notes, ''].join('\n');
}

const intro = `Written by \`npm run house -- --write\`. Not to be edited by hand. \`npm run house\` measures \`src\` again and prints its figures beside these; \`npm run house -- folders\` also lists what the rows with this word in their names counted.
A figure that meets its target here must go on to meet it: otherwise the command, and \`npm test\` with it, fails and writes nothing. Lint refuses circles of imports, and the stage \`knip\` refuses files and exports that nothing shipped reaches.`;

const notes = `- **Code lines** are neither blank nor wholly comment. A file's **body** is its code lines without its imports.
- **Imports** count each imported file once per file, re-exports and imports of types included.
- A **pair of folders** counts when files of both import files of the other. Folders of different rooms have the arrows of [ARCHITECTURE.md](../ARCHITECTURE.md).`;
