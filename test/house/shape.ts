import { posix } from 'node:path';
import type { ImportGraph, Source } from './sources.ts';

/** Groups of files of which each imports all others, itself or by way of others; the largest first. */
export function circlesIn(graph: ImportGraph): readonly (readonly string[])[] {
	const order = new Map<string, number>();
	const lowest = new Map<string, number>();
	const open: string[] = [];
	const groups: string[][] = [];
	const visit = (file: string): number => {
		const at = order.size;
		let low = at;
		order.set(file, at);
		lowest.set(file, low);
		open.push(file);
		for (const target of graph.get(file) ?? []) {
			// A file whose group is closed is no longer in `open`, and leads nowhere back.
			const reached = order.has(target) ? (lowest.get(target) ?? Infinity) : visit(target);
			low = Math.min(low, reached);
			lowest.set(file, low);
		}
		if (low === at) {
			const group = open.splice(open.indexOf(file));
			for (const member of group) {
				lowest.set(member, Infinity);
			}
			groups.push(group);
		}
		return low;
	};
	for (const file of graph.keys()) {
		if (!order.has(file)) {
			visit(file);
		}
	}
	return groups.filter((group) => group.length > 1).sort((one, other) => other.length - one.length);
}

/** Pairs of folders inside one room whose files import each other. */
export interface FolderPairs {
	/** Two folders each, in the order of their names. */
	readonly twoWay: readonly (readonly [string, string])[];
	/** How many pairs there are with an import in any direction. */
	readonly all: number;
}

/** `roomOf`: the room of a path; what crosses from one to another does not count. */
export function folderPairs(graph: ImportGraph, roomOf: (path: string) => string): FolderPairs {
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

/** Lines of a file that are neither blank nor wholly comment. */
export interface CodeLines {
	readonly all: number;
	/** Those that are no part of an import. */
	readonly body: number;
}

export function codeLines({ text, imports }: Pick<Source, 'text' | 'imports'>): CodeLines {
	let isInComment = false;
	let all = 0;
	for (const line of text.split('\n').map((written) => written.trim())) {
		const isComment: boolean = isInComment || line.startsWith('//') || line.startsWith('/*');
		isInComment = isComment && !line.startsWith('//') && !line.includes('*/');
		all += isComment || line === '' ? 0 : 1;
	}
	return { all, body: all - imports.reduce((sum, { lines }) => sum + lines, 0) };
}

/** How often each file is imported by another one. */
export function importersOf(graph: ImportGraph): ReadonlyMap<string, number> {
	const counts = new Map<string, number>();
	for (const target of [...graph.values()].flatMap((targets) => [...targets])) {
		counts.set(target, (counts.get(target) ?? 0) + 1);
	}
	return counts;
}

/** The value below which this share of all values lies; 0 of none. */
export function quantile(values: readonly number[], share: number): number {
	const sorted = values.toSorted((one, other) => one - other);
	return sorted[Math.ceil(sorted.length * share) - 1] ?? sorted[0] ?? 0;
}
