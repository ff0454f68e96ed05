import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasAllWords } from '../harness/matching.ts';
import { root } from '../harness/places.ts';
import type { Figure } from './figures.ts';
import { brokenFigures, figuresBefore, printedTable } from './table.ts';

/** Figures, and the page in which they are written down. */
export interface FiguresOfPage {
	/** `docs/house.md` */
	readonly page: string;
	readonly figures: readonly Figure[];
	/** The page anew. */
	readonly text: string;
}

/**
 * Prints figures beside those of their page. `--write` among the arguments writes that page anew; others are words of rows
 * that are to be shown with what they counted. Answers the exit status: 1 when a target that was met is met no more.
 */
export function tellFigures({ page, figures, text }: FiguresOfPage, args: readonly string[]): number {
	const words = args.filter((arg) => arg !== '--write');
	const file = join(root, page);
	const before = figuresBefore(existsSync(file) ? readFileSync(file, 'utf8') : '');
	for (const line of printedTable(figures, before)) {
		console.log(line);
	}
	for (const { name, found = [] } of figures.filter((figure) => words.length > 0 && hasAllWords(figure.name, words))) {
		console.log(['', name, ...found.map((each) => `  ${each}`)].join('\n'));
	}
	if (brokenFigures(figures, before).length > 0) {
		return 1;
	}
	if (args.includes('--write')) {
		writeFileSync(file, text);
		console.log(`Wrote ${page}`);
	}
	return 0;
}
