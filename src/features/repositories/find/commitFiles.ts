import { ForgeError } from '../../../forge/port/forgeError.ts';
import type { BlobOfClone, FileOfCommit } from '../../../machine/git/readClone.ts';
import { stepsOf } from '../../../store/repositories/repositoryEntries.ts';
import { walkLimits } from '../../../store/repositories/repositoryWalk.ts';
import { searchLimits, type SearchContents, type SearchedTexts } from '../../../store/repositories/find/textSearch.ts';
import type { CloneToSearch } from '../parts/openClones.ts';

/** The files of a commit below a folder, as a clone lists them, but for those that a remote folder does not show either. */
export async function filesOfClone(
	clone: CloneToSearch,
	{ commit, folder }: { readonly commit: string; readonly folder: string },
	signal: AbortSignal,
): Promise<readonly FileOfCommit[]> {
	const found: FileOfCommit[] = [];
	const below = folder === '' ? '' : `${folder}/`;
	for await (const files of clone.files(commit, signal)) {
		for (const file of files) {
			if (file.path.startsWith(below) && stepsOf(file.path, walkLimits.depth)) {
				found.push(file);
			}
		}
	}
	return found;
}

/** Contents from a clone for one search, in the order of `contents`. */
export function textsOfClone(
	clone: CloneToSearch,
	listed: readonly FileOfCommit[],
	{ paths }: SearchContents,
): SearchedTexts {
	const sizes = new Map(listed.map(({ id, sizeBytes }) => [id, sizeBytes]));
	const wanted = Array.from(paths.keys()).filter((id) => (sizes.get(id) ?? 0) <= searchLimits.fileBytes);
	let read: BlobOfClone | undefined;
	return {
		async blob(id, signal) {
			read ??= clone.blobs(wanted, signal);
			const bytes = await read(id);
			if (!bytes) {
				throw new ForgeError({ kind: 'notFound' });
			}
			return { bytes, isBinary: false };
		},
		knownSize: (id) => sizes.get(id),
	};
}
