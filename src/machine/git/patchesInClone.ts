import { GitFailure } from './gitFailure.ts';
import type { HardenedGit } from './hardenedGit.ts';

/** A commit and its diff as in a mail. */
export interface CommittedPatch {
	readonly commit: string;
	/** Empty for an empty commit. */
	readonly diff: string;
}

const most = { timeMs: 5 * 60_000, outputBytes: Number.MAX_SAFE_INTEGER } as const;
/** In characters; larger commits are skipped. */
const largestPatch = 8_000_000;

/**
 * Streams patches of the newest commits reachable from `commit`, without merges. Used to find already applied patches
 * by patch id. Ignores the clone's diff settings. Throws `GitFailure`.
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
