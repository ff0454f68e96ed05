import { GitFailure } from './gitFailure.ts';
import type { HardenedGit } from './hardenedGit.ts';

/** A commit, and what it changes as a mail of it would say. */
export interface CommittedPatch {
	readonly commit: string;
	/** Empty for a commit that changes nothing. */
	readonly diff: string;
}

const most = { timeMs: 5 * 60_000, outputBytes: Number.MAX_SAFE_INTEGER } as const;
/** Characters; a larger commit is passed over. */
const largestPatch = 8_000_000;

/**
 * The patches of the newest commits down from one, without merges, each as it comes: to see by their ids which patches of
 * a series are applied already. What the clone's settings say of diffs counts for nothing. Throws `GitFailure`.
 */
export async function* patchesInClone(
	git: HardenedGit,
	root: string,
	{ commit, count }: { readonly commit: string; readonly count: number },
	signal: AbortSignal,
): AsyncGenerator<CommittedPatch, void, void> {
	const decoder = new TextDecoder();
	const running = git.stream({ kind: 'patches', commit, count }, { folder: root, ...most }, signal);
	let rest = '';
	let isLarge = false;
	try {
		for (;;) {
			const { done, value } = await running.next();
			if (done === true) {
				if (value.code !== 0) {
					throw new GitFailure({ kind: 'failed', program: 'git' }, value.complaint);
				}
				yield* isLarge ? [] : patchIn(rest);
				return;
			}
			const [first = '', ...others] = decoder.decode(value, { stream: true }).split('\0');
			rest += isLarge ? '' : first;
			for (const next of others) {
				yield* isLarge ? [] : patchIn(rest);
				[rest, isLarge] = [next, false];
			}
			if (rest.length > largestPatch) {
				[rest, isLarge] = ['', true];
			}
		}
	} finally {
		await running.return({ code: undefined, complaint: '' });
	}
}

function patchIn(text: string): readonly CommittedPatch[] {
	const [head, commit = ''] = /^([0-9a-f]{40,64})\n+/.exec(text) ?? [];
	return head === undefined ? [] : [{ commit, diff: text.slice(head.length) }];
}
