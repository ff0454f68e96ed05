import { isSameValue } from '../../../base/isSameValue.ts';
import type { Commit } from 'sourcehut/port/repository.ts';
import { putByTime, limitedReads, searchBudget, type HistorySource } from './historyReads.ts';

export type MergeBases =
	/** Same ids as `git merge-base --all`, newest first; seldom more than one. */
	| { readonly kind: 'found'; readonly ids: readonly [string, ...string[]] }
	/** No common ancestor. */
	| { readonly kind: 'none' }
	/** The request budget ran out first. */
	| { readonly kind: 'tooFar' };

/**
 * Best common ancestors of two commits, from parents alone. Full ids; each of the `requests` reads a page of the log. Marks propagate from both commits to their ancestors,
 * newest commit first. A commit with a new mark enters the queue again, so wrong timestamps cost time but never
 * correctness.
 */
export async function mergeBases(
	source: Pick<HistorySource, 'knownCommit' | 'commit'>,
	commits: readonly [string, string],
	requests: number,
	signal: AbortSignal,
): Promise<MergeBases> {
	const reads = limitedReads({ ...source, ...noTrees }, searchBudget(requests));
	try {
		const bases = await wander(commits, (id) => reads.commit(id, signal));
		const [newest, ...others] = bases.toSorted((one, other) => other.timestampMs - one.timestampMs).map(({ id }) => id);
		return newest === undefined ? { kind: 'none' } : { kind: 'found', ids: [newest, ...others] };
	} catch (error) {
		if (reads.isSpent() && !signal.aborted) {
			return { kind: 'tooFar' };
		}
		throw error;
	}
}

const noTrees: Pick<HistorySource, 'keptTree' | 'tree'> = {
	keptTree: () => Promise.resolve(undefined),
	tree: () => Promise.reject(new Error('Trees do not tell where commits parted')),
};

async function wander(
	[first, second]: readonly [string, string],
	read: (id: string) => Promise<Commit>,
): Promise<readonly Commit[]> {
	const marked = new Map<string, Marked>();
	const queue: Marked[] = [];
	/** Common ancestors not yet known to be behind another one. */
	const bases = new Set<Marked>();
	/** Queued commits that are not behind a common ancestor. */
	let leading = 0;

	async function mark(id: string, marks: Marks): Promise<void> {
		const known = marked.get(id) ?? { commit: await read(id), marks: noMarks, isQueued: false };
		const isOfFirst = known.marks.isOfFirst || marks.isOfFirst;
		const isOfSecond = known.marks.isOfSecond || marks.isOfSecond;
		const isBehind = known.marks.isBehind || marks.isBehind;
		const together: Marks = { isOfFirst, isOfSecond, isBehind };
		marked.set(id, known);
		if (isSameValue(together, known.marks)) {
			return;
		}
		leading += Number(!together.isBehind) - Number(isLeading(known));
		known.marks = together;
		if (isOfFirst && isOfSecond && !isBehind) {
			bases.add(known);
		} else {
			bases.delete(known);
		}
		if (!known.isQueued) {
			known.isQueued = true;
			// Keeps the newest commit last.
			putByTime(queue, known, ({ commit }) => commit);
		}
	}

	await mark(first, { ...noMarks, isOfFirst: true });
	await mark(second, { ...noMarks, isOfSecond: true });
	// Continue while a mark can still reach a base, or can prove one base to be behind another.
	while (leading > 0 || (queue.length > 0 && bases.size > 1)) {
		const next = queue.pop();
		if (next) {
			leading -= Number(isLeading(next));
			next.isQueued = false;
			const { marks, commit } = next;
			for (const parent of commit.parents) {
				await mark(parent, { ...marks, isBehind: marks.isBehind || (marks.isOfFirst && marks.isOfSecond) });
			}
		}
	}
	return Array.from(bases, ({ commit }) => commit);
}

/** Marks of a commit: reachable from the first, from the second, or through a common ancestor. */
interface Marks {
	readonly isOfFirst: boolean;
	readonly isOfSecond: boolean;
	/** An ancestor of a common ancestor, so never a merge base. */
	readonly isBehind: boolean;
}

interface Marked {
	readonly commit: Commit;
	marks: Marks;
	isQueued: boolean;
}

const noMarks: Marks = { isOfFirst: false, isOfSecond: false, isBehind: false };

function isLeading({ isQueued, marks }: Marked): boolean {
	return isQueued && !marks.isBehind;
}
