import { isAbort } from '@forge-desk/base/abort.ts';
import type { FindGit } from '../../editor/git/gitApi.ts';
import { contentsInClone } from 'hardened-git/readClone.ts';
import type { HardenedGit } from 'hardened-git/hardenedGit.ts';
import type { ObjectsOfClone } from '../../store/wholeFiles/preImage.ts';

/** Maximum clones to search. */
const mostClones = 8;

/**
 * Objects of all clones open in this window, of any repository, because ids verify contents. Ignores failing clones.
 */
export function cloneContents(findGit: FindGit, git: HardenedGit, isTrusted: () => boolean): ObjectsOfClone {
	return {
		async contents(ids, signal) {
			const found = new Map<string, Uint8Array>();
			const all = isTrusted() ? ((await findGit(signal))?.repositories ?? []) : [];
			for (const { rootUri } of all.filter((each) => each.rootUri.scheme === 'file').slice(0, mostClones)) {
				const left = ids.filter((id) => !found.has(id));
				try {
					const here = left.length === 0 ? undefined : await contentsInClone(git, rootUri.fsPath, left, signal);
					here?.forEach((content, id) => found.set(id, content));
				} catch (error) {
					if (isAbort(error) || signal.aborted) {
						throw error;
					}
				}
			}
			return found;
		},
	};
}
