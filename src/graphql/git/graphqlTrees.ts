import type { RepositoryApi } from '../../forge/forge.ts';
import { ForgeError } from '../../forge/forgeError.ts';
import type { RepositoryRef, Tree } from '../../forge/repository.ts';
import { provenBy } from '../../git/objectId.ts';
import { treeBytes } from '../../git/treeBytes.ts';
import { orNotFound } from '../door/listed.ts';
import type { TreeBeginning } from './gitAnswers.ts';
import type { GitParts } from './gitParts.ts';
import { readEntry, readFolder, readRoot, readTree } from './objectDocuments.ts';
import { checkedSteps, headRevision } from './revisions.ts';

/**
 * Folders, over GraphQL. Of those with more than 25 entries the API loses some (docs/protocol.md#graphql-pages-of-names): the
 * folder's id proves what is all, and git reads what is not.
 */
export function graphqlTrees({
	named,
	visits,
	instance,
	git,
}: GitParts): Pick<RepositoryApi, 'tree' | 'treeById'> & Required<Pick<RepositoryApi, 'entriesAt'>> {
	async function whole(ref: RepositoryRef, found: TreeBeginning | undefined, signal: AbortSignal): Promise<Tree> {
		const { tree, isAll } = orNotFound(found);
		if (isAll && isProven(tree)) {
			return tree;
		}
		const read = await git?.tree({ instance, ref: named.now(ref) }, tree.id, signal);
		if (read) {
			return { ...read, shortId: tree.shortId };
		}
		if (isAll && isUntellable(tree)) {
			return tree;
		}
		throw new ForgeError({ kind: 'incomplete' });
	}

	return {
		// Those of one turn go as one question, eight at a time.
		entriesAt: (ref, places, signal) =>
			Promise.all(
				places.map(async ({ ref: revision, path }) => {
					const found = await named.ask(readEntry, ref, { revision, path: checkedSteps(path) }, signal);
					return orNotFound(found).path ?? undefined;
				}),
			),
		async tree(ref, at, signal) {
			const { ref: revision, path } = at ?? { ref: headRevision, path: '' };
			const found =
				path === ''
					? await named.ask(readRoot, ref, { revision }, signal)
					: await named.ask(readFolder, ref, { revision, path: checkedSteps(path) }, signal);
			return whole(ref, found, signal);
		},
		treeById: async (ref, id, signal) =>
			whole(ref, visits.tree(ref, id) ?? (await named.ask(readTree, ref, { id }, signal)), signal),
	};
}

function isProven(tree: Tree): boolean {
	const bytes = treeBytes(tree);
	return bytes !== undefined && provenBy(tree.id, 'tree', bytes) === 'same';
}

/** Names that are no UTF-8 come with a sign in their place, and nothing can be proven by them. */
function isUntellable({ entries }: Tree): boolean {
	return entries.some(({ name }) => name.includes('\u{fffd}'));
}
