import type { Unreached } from './reach.ts';
import { circlesIn, codeLines, folderPairs, importersOf, quantile } from './shape.ts';
import { importGraph, type Source } from './sources.ts';

/** One row of the table. */
export interface Figure {
	readonly name: string;
	readonly value: number;
	/** The most that it may be; without one the figure only says how things are. */
	readonly target?: number;
	/** What it counted, a line each. */
	readonly found?: readonly string[];
}

const longestFile = 400;
const shortBody = 20;

/** `src/features/lists/mail.ts` → `features`; the areas inside do not know each other anyway. */
function roomOf(path: string): string {
	return path.split('/')[1] ?? '';
}

function listed(name: string, found: readonly string[]): Figure {
	return { name, value: found.length, target: 0, found };
}

function sumOf(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0);
}

/** As it is written down: whole numbers as they are, others with two decimals at most. */
function rounded(value: number): number {
	return Math.round(value * 100) / 100;
}

function importFigures(sources: readonly Source[]): readonly Figure[] {
	const graph = importGraph(sources, 'all');
	const circles = circlesIn(graph);
	const atRunTime = circlesIn(importGraph(sources, 'run time'));
	const pairs = folderPairs(graph, roomOf);
	const shown = (groups: readonly (readonly string[])[]): readonly string[] => groups.map((group) => group.join(' '));
	return [
		listed('groups of files in a circle of imports, types counted', shown(circles)),
		{ name: 'files in the largest of them', value: circles[0]?.length ?? 0, target: 0 },
		listed('groups of files in a circle of imports at run time', shown(atRunTime)),
		listed(
			'pairs of folders of a room that import each other',
			pairs.twoWay.map(([one, other]) => `${one} ${other}`),
		),
		{ name: 'pairs of folders of a room with imports at all', value: pairs.all },
	];
}

function sizeFigures(sources: readonly Source[]): readonly Figure[] {
	const sizes = sources.map((source) => ({ path: source.path, ...codeLines(source) }));
	const bodies = sizes.map(({ body }) => body);
	const longest = sizes.toSorted((one, other) => other.all - one.all);
	const tooLong = longest.filter(({ all }) => all > longestFile);
	const graph = importGraph(sources, 'all');
	const edges = sumOf([...graph.values()].map(({ size }) => size));
	const importedOnce = [...importersOf(graph).values()].filter((count) => count === 1).length;
	const shareOf = (count: number): number => rounded((100 * count) / Math.max(1, sources.length));
	return [
		{ name: 'files', value: sources.length },
		{ name: 'code lines', value: sumOf(sizes.map(({ all }) => all)) },
		{ name: 'code lines of the longest file', value: longest[0]?.all ?? 0, target: longestFile },
		listed(
			`files of more than ${longestFile} code lines`,
			tooLong.map(({ path, all }) => `${path}: ${all}`),
		),
		{ name: 'median body', value: quantile(bodies, 0.5) },
		{ name: '95th percentile of bodies', value: quantile(bodies, 0.95) },
		{
			name: `bodies of at most ${shortBody} lines, %`,
			value: shareOf(bodies.filter((body) => body <= shortBody).length),
		},
		{ name: 'imports per file', value: rounded(edges / Math.max(1, sources.length)) },
		{ name: 'body lines per import', value: rounded(sumOf(bodies) / Math.max(1, edges)) },
		{ name: 'files imported by exactly one, %', value: shareOf(importedOnce) },
	];
}

/** All rows. `deadCitations` lead nowhere, a line each. */
export function figuresOf(
	sources: readonly Source[],
	unreached: Unreached,
	deadCitations: readonly string[],
): readonly Figure[] {
	return [
		...importFigures(sources),
		...sizeFigures(sources),
		listed('files that nothing shipped reaches', unreached.files),
		listed('exports that nothing shipped reaches', unreached.exports),
		listed('citations of what is not in the repository', deadCitations),
	];
}
