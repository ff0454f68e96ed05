import { isObjectId } from '../../engine/git/objectId.ts';
import type { HardenedGit } from './hardenedGit.ts';

export interface ReferenceInClone {
	readonly kind: 'branch' | 'remoteBranch' | 'tag';
	/** Short name as git writes it, such as `origin/main`; untrusted. */
	readonly name: string;
	readonly commit: string;
}

const limits = { timeMs: 60_000, outputBytes: 16_000_000 } as const;
const mostReferences = 2000;

const kinds = [
	['branch', 'refs/heads/'],
	['remoteBranch', 'refs/remotes/'],
	['tag', 'refs/tags/'],
] as const;

/**
 * Branches, remote-tracking branches and tags that lead to a commit, newest first. Skips symbolic and unreadable
 * references. Throws `GitFailure`.
 */
export async function referencesInClone(
	git: HardenedGit,
	root: string,
	signal: AbortSignal,
): Promise<readonly ReferenceInClone[]> {
	const operation = { kind: 'references', count: mostReferences } as const;
	const { output } = await git.run(operation, { folder: root, ...limits }, signal);
	return output.toString('utf8').split('\n').flatMap(referenceIn);
}

function referenceIn(line: string): readonly ReferenceInClone[] {
	const [own = '', tagged = '', symref, fullName = ''] = line.split('\0');
	const commit = [own, tagged].find((each) => each.startsWith('commit '))?.slice('commit '.length) ?? '';
	const [kind, prefix = ''] = kinds.find(([, start]) => fullName.startsWith(start)) ?? [];
	return kind === undefined || symref !== '' || !isObjectId(commit)
		? []
		: [{ kind, name: fullName.slice(prefix.length), commit }];
}
