import { type Baselines, timeoutsMs } from './baselines.ts';
import type { CopiedTree } from './copiedTree.ts';
import type { Fault } from './fault.ts';
import { findCatch, type Runs } from './findCatch.ts';
import { type ImportGraph, type Ring, rings } from './importGraph.ts';
import { type FilesRun, runFiles } from './runFiles.ts';

/** What came of a planted fault. */
export type Outcome =
	| { readonly kind: 'caught'; readonly ring: Ring; readonly by: string }
	| { readonly kind: 'escaped'; readonly testFiles: number }
	/** Nothing caught it for certain, but tests that might have fail without it as well, or only now and then. */
	| { readonly kind: 'broken'; readonly files: readonly string[] };

export interface Trial {
	readonly fault: Fault;
	readonly outcome: Outcome;
	readonly ms: number;
}

export interface TryParts {
	readonly tree: CopiedTree;
	readonly graph: ImportGraph;
	readonly baselines: Baselines;
	readonly signal: AbortSignal;
	/** Only the nearest test file of each ring, for a run that is to show no more than that it works. */
	readonly isNearestOnly: boolean;
}

/** How many test files run together: the nearest first, because they nearly always know; then the rest. */
const portions: Readonly<Record<Ring, { readonly first: number; readonly next: number }>> = {
	unit: { first: 12, next: 60 },
	contract: { first: 4, next: 8 },
	page: { first: 2, next: 4 },
};

/** Every page test imports half of the host, and is slow: for what no page's own script holds, the nearest will do. */
const mostPageFilesForHost = 4;

/** A fault that hangs is given this much of the time that its tests take without it, and never less than a minute. */
const hangFactor = 10;
const shortestLimitMs = 60_000;

/** Plants a fault and runs the tests that can see it, cheapest first, until one of them fails. */
export async function tryFault(fault: Fault, parts: TryParts): Promise<Trial> {
	const start = performance.now();
	const broken: string[] = [];
	let testFiles = 0;
	for (const ring of rings) {
		for (const files of portionsOf(fault, ring, parts)) {
			const baseline = await parts.baselines.of(files, ring, parts.tree.folder);
			const sound = files.flatMap((file) => {
				const is = baseline.get(file);
				return is?.kind === 'sound' ? [{ file, ms: is.ms }] : [];
			});
			broken.push(...files.filter((file) => baseline.get(file)?.kind === 'broken'));
			testFiles += sound.length;
			const names = sound.map(({ file }) => file);
			const { by, doubtful } = await findCatch(names, runsOf(fault, ring, sound, parts));
			broken.push(...doubtful);
			if (by !== undefined) {
				return { fault, outcome: { kind: 'caught', ring, by }, ms: performance.now() - start };
			}
		}
	}
	const outcome: Outcome = broken.length > 0 ? { kind: 'broken', files: broken } : { kind: 'escaped', testFiles };
	return { fault, outcome, ms: performance.now() - start };
}

function portionsOf(
	fault: Fault,
	ring: Ring,
	{ graph, isNearestOnly }: Pick<TryParts, 'graph' | 'isNearestOnly'>,
): readonly (readonly string[])[] {
	const all = graph.testsOf(fault.file, ring).slice(0, isNearestOnly ? 1 : undefined);
	const isOfPage = fault.file.startsWith('src/webview/');
	const files = ring === 'page' && !isOfPage ? all.slice(0, mostPageFilesForHost) : all;
	const { first, next } = portions[ring];
	const portioned = files.length === 0 ? [] : [files.slice(0, first)];
	for (let at = first; at < files.length; at += next) {
		portioned.push(files.slice(at, at + next));
	}
	return portioned;
}

interface SoundFile {
	readonly file: string;
	readonly ms: number;
}

/** Runs of sound files, which may take as many times as long as they do without a fault. */
function runsOf(fault: Fault, ring: Ring, sound: readonly SoundFile[], { tree, signal }: TryParts): Runs {
	const usualMs = new Map(sound.map(({ file, ms }) => [file, ms]));
	const without = async (files: readonly string[]): Promise<FilesRun> => {
		const wholeMs = files.reduce((sum, file) => sum + (usualMs.get(file) ?? 0), 0) * hangFactor;
		const limits = { timeoutMs: timeoutsMs[ring], wholeMs: Math.max(shortestLimitMs, wholeMs) };
		return runFiles({ folder: tree.folder, files, ...limits, signal });
	};
	return { without, withFault: async (files) => tree.withFault(fault, async () => without(files)) };
}
