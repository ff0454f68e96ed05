import type { Figure } from './figures.ts';

/** What was written down last, by the names of the rows. */
export type Before = ReadonlyMap<string, number>;

/** The rows whose target was met when they were written down last and is no longer. */
export function brokenFigures(figures: readonly Figure[], before: Before): readonly Figure[] {
	return figures.filter(({ name, value, target }) => {
		const last = before.get(name);
		return target !== undefined && last !== undefined && last <= target && value > target;
	});
}

/** What is printed: a line for each row, then what has become worse than it may be, with everything that was counted. */
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
	const line = (row: readonly string[]): string =>
		row
			.map((cell, column) =>
				column === 0 || column === 4 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
			)
			.join('  ')
			.trimEnd();
	const broken = brokenFigures(figures, before).flatMap(({ name, value, target, found = [] }) => [
		`${name}: ${value}, and it was ${target} at most before`,
		...found.map((text) => `  ${text}`),
	]);
	return [line(head), ...rows.map(line), ...(broken.length === 0 ? [] : ['', ...broken])];
}

/** `docs/house.md`. */
export function housePage(figures: readonly Figure[]): string {
	return ['# Figures of the sources', '', intro, '', ...figureRows(figures), '', notes, ''].join('\n');
}

/** Figures as a table of a page, from which `figuresBefore` reads them. */
export function figureRows(figures: readonly Figure[]): readonly string[] {
	return [
		'| figure | measured | target |',
		'| --- | --: | --: |',
		...figures.map(({ name, value, target }) => `| ${name} | ${value} | ${target ?? ''} |`),
	];
}

/** The figures of a page that has a table of them. */
export function figuresBefore(page: string): Before {
	return new Map(
		Array.from(page.matchAll(/^\| (.+?) \| ([\d.]+) \| [\d.]* \|$/gm), ([, name = '', value]) => [name, Number(value)]),
	);
}

const intro = `Written by \`npm run house -- --write\`. Not to be edited by hand. \`npm run house\` measures \`src\` again and prints its figures beside these; \`npm run house -- circle\` also prints what the rows with these words in their names counted.
A figure whose target is met here must stay so: it fails the command, which \`npm test\` runs, when it no longer is, and then nothing is written. The others are on their way.`;

const notes = `- **Code lines** are neither blank nor wholly comment. A file's **body** is its code lines without its imports.
- **Imports** count each file that a file imports once, exports from it and imports of types included. At **run time**, what is imported for its types alone does not count.
- A **pair of folders** counts when files of both import files of the other; folders of different rooms have the arrows of [ARCHITECTURE.md](../ARCHITECTURE.md).
- What is **shipped** is what the entries of \`esbuild.mjs\` and the generator of the manifest lead to. A file is not reached when no import leads to it, types included, or when no bundle has it although it holds more than types. An export is not reached when nothing that is reached imports it and its own file does not use it.
- **Citations** are what comments and documents name of the repository: documents with their headings, and files.`;
