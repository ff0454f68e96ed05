import { posix } from 'node:path';
import { importGraph, type ImportGraph, type Source } from './sources.ts';
import type { Figure } from './table.ts';

const longestFile = 400;
const shortBody = 20;

export function figuresOf(sources: readonly Source[]): readonly Figure[] {
	const graph = importGraph(sources);
	const pairs = folderPairs(graph);
	const sizes = sources.map((source) => ({ path: source.path, ...codeLines(source) }));
	const [longest] = sizes.toSorted((one, other) => other.all - one.all);
	const bodies = sizes.map(({ body }) => body);
	const targets = [...graph.values()].flatMap((imported) => [...imported]);
	const importers = Map.groupBy(targets, (target) => target);
	const importedOnce = [...importers.values()].filter(({ length }) => length === 1).length;
	const per = (count: number, of: number): number => Math.round((100 * count) / Math.max(1, of)) / 100;
	const percentOfFiles = (count: number): number => per(100 * count, sources.length);
	const found = pairs.twoWay.map((pair) => pair.join(' '));
	return [
		{ name: 'pairs of folders of a room that import each other', value: found.length, target: 0, found },
		{ name: 'pairs of folders of a room with imports at all', value: pairs.all },
		{ name: 'files', value: sources.length },
		{ name: 'code lines', value: sumOf(sizes.map(({ all }) => all)) },
		{
			name: 'code lines of the longest file',
			value: longest?.all ?? 0,
			target: longestFile,
			found: [longest?.path ?? ''],
		},
		{ name: 'median body', value: quantile(bodies, 0.5) },
		{ name: '95th percentile of bodies', value: quantile(bodies, 0.95) },
		{
			name: `bodies of at most ${shortBody} lines, %`,
			value: percentOfFiles(bodies.filter((body) => body <= shortBody).length),
		},
		{ name: 'imports per file', value: per(targets.length, sources.length) },
		{ name: 'body lines per import', value: per(sumOf(bodies), targets.length) },
		{ name: 'files imported by exactly one, %', value: percentOfFiles(importedOnce) },
	];
}

/** Pairs of folders inside one room with imports: in both directions, and in any. */
export function folderPairs(graph: ImportGraph): {
	readonly twoWay: readonly (readonly [string, string])[];
	readonly all: number;
} {
	const arrows = new Map<string, readonly [string, string]>();
	for (const [file, targets] of graph) {
		for (const target of targets) {
			const [from, to] = [posix.dirname(file), posix.dirname(target)];
			if (from !== to && roomOf(file) === roomOf(target)) {
				arrows.set(`${from}\n${to}`, [from, to]);
			}
		}
	}
	const twoWay = [...arrows.values()].filter(([from, to]) => from < to && arrows.has(`${to}\n${from}`));
	return { twoWay, all: arrows.size - twoWay.length };
}

/** `src/features/lists/mail.ts` → `features` */
function roomOf(path: string): string {
	return path.split('/')[1] ?? '';
}

/** Lines that are neither blank nor wholly comment; `body` without the imports. */
export function codeLines({ text, imports }: Source): { readonly all: number; readonly body: number } {
	let isInComment = false;
	let all = 0;
	for (const line of text.split('\n').map((written) => written.trim())) {
		const isComment: boolean = isInComment || line.startsWith('//') || line.startsWith('/*');
		isInComment = isComment && !line.startsWith('//') && !line.includes('*/');
		all += isComment || line === '' ? 0 : 1;
	}
	return { all, body: all - sumOf(imports.map(({ lines }) => lines)) };
}

/** The value below which this share of all values lies; 0 of none. */
export function quantile(values: readonly number[], share: number): number {
	const sorted = values.toSorted((one, other) => one - other);
	return sorted[Math.ceil(sorted.length * share) - 1] ?? sorted[0] ?? 0;
}

function sumOf(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0);
}
