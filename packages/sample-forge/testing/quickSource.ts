import { readCommit, readTree, type GitObject, type TreeEntry } from '../src/git/gitObjects.ts';
import type { ObjectSource, Ref } from '../src/git/objectSource.ts';
import type { RepositoryDraft } from './worlds/repositories/repositoryDraft.ts';

const prefixLength = 7;

/**
 * Serves a repository's initial objects from memory, so that benchmarks of a client do not measure git. Pushed objects
 * and complex expressions come from disk.
 */
export function createQuickSource({ objects, refs }: RepositoryDraft, disk: ObjectSource): ObjectSource {
	const trees = new Map<string, readonly TreeEntry[]>();
	const byPrefix = new Map<string, string | undefined>();
	for (const id of objects.keys()) {
		const prefix = id.slice(0, prefixLength);
		byPrefix.set(prefix, byPrefix.has(prefix) ? undefined : id);
	}
	const told: readonly Ref[] = Array.from(refs, ([name, target]) => ({ name, target })).toSorted((a, b) =>
		a.name < b.name ? -1 : 1,
	);
	let isAsTold = true;

	const idOf = (revision: string): string | undefined => {
		if (objects.has(revision)) {
			return revision;
		}
		if (!isAsTold) {
			return undefined;
		}
		const named = revision === 'HEAD' ? 'master' : revision;
		const ref = ['', 'refs/', 'refs/tags/', 'refs/heads/'].map((folder) => refs.get(folder + named));
		const known = ref.find((id) => id !== undefined);
		return known ?? (revision.length === prefixLength ? byPrefix.get(revision) : undefined);
	};
	const get = (id: string): GitObject | undefined => objects.get(id);

	return {
		async resolve(revision) {
			const id = idOf(revision);
			const object = id === undefined ? undefined : get(id);
			return id === undefined || object === undefined
				? await disk.resolve(revision)
				: { kind: 'object', id, type: object.type };
		},
		read: async (id) => get(id) ?? (await disk.read(id)),
		async commit(id) {
			const object = get(id);
			return object === undefined ? await disk.commit(id) : readCommit(id, object.bytes);
		},
		async tree(id) {
			const object = get(id);
			if (object === undefined) {
				return await disk.tree(id);
			}
			const entries = trees.get(id) ?? readTree(object.bytes);
			trees.set(id, entries);
			return entries;
		},
		async shortId(id) {
			const prefix = id.slice(0, prefixLength);
			return isAsTold && byPrefix.get(prefix) === id ? prefix : await disk.shortId(id);
		},
		refs: async () => (isAsTold ? told : await disk.refs()),
		head: async () => await disk.head(),
		changed() {
			isAsTold = false;
			disk.changed();
		},
		dispose: async () => await disk.dispose(),
	};
}
