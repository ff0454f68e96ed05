import type { Commit } from '../../../forge/repository.ts';
import { putByTime } from './byTime.ts';
import { limitedReads, searchBudget, type HistorySource } from './historyReads.ts';

/** Where two commits parted. */
export type MergeBases =
	/** All that `git merge-base --all` names, newest first; seldom more than one. */
	| { readonly kind: 'found'; readonly ids: readonly [string, ...string[]] }
	/** They have no ancestor in common. */
	| { readonly kind: 'none' }
	/** Not found within the requests that were allowed. */
	| { readonly kind: 'tooFar' };

export interface MergeBasesParts {
	readonly source: Pick<HistorySource, 'knownCommit' | 'commit'>;
	/** Full ids. */
	readonly commits: readonly [string, string];
	/** Each brings a page of the log. */
	readonly requests: number;
}

/**
 * The best common ancestors of two commits, from parents alone. Marks wander from both commits towards the root, newest
 * commit first; a commit is visited again whenever a mark is new to it, so wrong times cost time and never the answer.
 */
export async function mergeBases(
	{ source, commits, requests }: MergeBasesParts,
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
	[first, second]: MergeBasesParts['commits'],
	read: (id: string) => Promise<Commit>,
): Promise<readonly Commit[]> {
	const marked = new Map<string, Marked>();
	const queue: Marked[] = [];
	/** Common ancestors behind no other one, as far as it is known. */
	const bases = new Set<Marked>();
	/** Those in the queue that are not behind a common ancestor. */
	let leading = 0;

	async function mark(id: string, marks: Marks): Promise<void> {
		const known = marked.get(id) ?? { commit: await read(id), marks: noMarks, isQueued: false };
		const together = joined(known.marks, marks);
		marked.set(id, known);
		if (isSame(together, known.marks)) {
			return;
		}
		leading += Number(!together.isBehind) - Number(isLeading(known));
		known.marks = together;
		if (isBase(together)) {
			bases.add(known);
		} else {
			bases.delete(known);
		}
		if (!known.isQueued) {
			enqueue(queue, known);
		}
	}

	await mark(first, { ...noMarks, isOfFirst: true });
	await mark(second, { ...noMarks, isOfSecond: true });
	// A mark may still lead to a base, or show that one of several is behind another.
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

/** From which of the two commits somebody came here, and whether a common ancestor lies on the way. */
interface Marks {
	readonly isOfFirst: boolean;
	readonly isOfSecond: boolean;
	/** An ancestor of a common one: it cannot be the place where they parted. */
	readonly isBehind: boolean;
}

interface Marked {
	readonly commit: Commit;
	marks: Marks;
	isQueued: boolean;
}

const noMarks: Marks = { isOfFirst: false, isOfSecond: false, isBehind: false };

function joined(one: Marks, other: Marks): Marks {
	return {
		isOfFirst: one.isOfFirst || other.isOfFirst,
		isOfSecond: one.isOfSecond || other.isOfSecond,
		isBehind: one.isBehind || other.isBehind,
	};
}

function isSame(one: Marks, other: Marks): boolean {
	return one.isOfFirst === other.isOfFirst && one.isOfSecond === other.isOfSecond && one.isBehind === other.isBehind;
}

function isBase({ isOfFirst, isOfSecond, isBehind }: Marks): boolean {
	return isOfFirst && isOfSecond && !isBehind;
}

function isLeading({ isQueued, marks }: Marked): boolean {
	return isQueued && !marks.isBehind;
}

/** Keeps the newest commit last. */
function enqueue(queue: Marked[], mark: Marked): void {
	mark.isQueued = true;
	putByTime(queue, mark, ({ commit }) => commit);
}
