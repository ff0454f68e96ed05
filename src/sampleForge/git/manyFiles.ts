import type { GitObject, TreeEntry } from './gitObjects.ts';
import { modes, objectId, readCommit, writeTree } from './gitObjects.ts';
import type { Found, ObjectSource, Ref } from './objectSource.ts';

const leavesPerGroup = 46;

/**
 * A repository of one commit with `count` files in about a tenth as many folders, two deep: answered from memory, so
 * that who measures a client does not measure the forge.
 */
export function createManyFiles(count: number, timeS: number): ObjectSource {
	const objects = new Map<string, GitObject>();
	const trees = new Map<string, readonly TreeEntry[]>();
	const byPrefix = new Map<string, string>();
	const add = (type: GitObject['type'], bytes: Buffer): string => {
		const id = objectId(type, bytes);
		objects.set(id, { type, bytes });
		byPrefix.set(id.slice(0, 7), byPrefix.has(id.slice(0, 7)) ? '' : id);
		return id;
	};
	const addTree = (entries: readonly TreeEntry[]): TreeEntry => {
		const id = add('tree', writeTree(entries));
		trees.set(id, entries);
		return { name: '', mode: modes.tree, id };
	};
	const leaves = Math.max(1, Math.round(count * 0.092));
	const addLeaf = (leaf: number): TreeEntry => {
		const files: TreeEntry[] = [];
		for (let number = leaf; number < count; number += leaves) {
			const name = `file-${padded(number, 6)}.ts`;
			const id = add('blob', Buffer.from(`export const value${number} = ${number};\n`));
			files.push({ name, mode: modes.file, id });
		}
		return { ...addTree(files), name: `part-${padded(leaf % leavesPerGroup, 2)}` };
	};
	const groups: TreeEntry[] = [];
	for (let first = 0; first < leaves; first += leavesPerGroup) {
		const length = Math.min(leavesPerGroup, leaves - first);
		const parts = Array.from({ length }, (_, index) => addLeaf(first + index));
		groups.push({ ...addTree(parts), name: `group-${padded(first / leavesPerGroup, 4)}` });
	}
	const root = addTree(groups).id;
	const who = `Alice Öberg <alice@forge.test> ${timeS} +0000`;
	const head = add('commit', Buffer.from(`tree ${root}\nauthor ${who}\ncommitter ${who}\n\nMany files\n`));
	return createMemorySource({ objects, trees, byPrefix, head });
}

interface Memory {
	readonly objects: ReadonlyMap<string, GitObject>;
	readonly trees: ReadonlyMap<string, readonly TreeEntry[]>;
	/** Ids by their first seven digits; empty where several share them. */
	readonly byPrefix: ReadonlyMap<string, string>;
	readonly head: string;
}

function createMemorySource({ objects, trees, byPrefix, head }: Memory): ObjectSource {
	const refs: readonly Ref[] = [
		{ name: 'refs/heads/master', target: head },
		{ name: 'refs/tags/v1', target: head },
	];
	const idOf = (revision: string): string | undefined => {
		if (/^[0-9a-f]{7,40}$/.test(revision)) {
			const id = byPrefix.get(revision.slice(0, 7)) ?? '';
			return objects.has(revision) ? revision : id.startsWith(revision) ? id : undefined;
		}
		const names = ['HEAD', 'master', 'heads/master', 'refs/heads/master', 'v1', 'tags/v1', 'refs/tags/v1'];
		return names.includes(revision) ? head : undefined;
	};
	const get = (id: string): GitObject => {
		const object = objects.get(id);
		if (object === undefined) {
			throw new Error(`There is no object ${id}`);
		}
		return object;
	};
	return {
		async resolve(revision): Promise<Found> {
			const id = idOf(revision);
			return await Promise.resolve(id === undefined ? { kind: 'missing' } : { kind: 'object', id, type: get(id).type });
		},
		read: async (id) => await Promise.resolve(get(id)),
		commit: async (id) => await Promise.resolve(readCommit(id, get(id).bytes)),
		tree: async (id) => await Promise.resolve(trees.get(id) ?? []),
		shortId: async (id) => await Promise.resolve(id.slice(0, byPrefix.get(id.slice(0, 7)) === '' ? 12 : 7)),
		refs: async () => await Promise.resolve(refs),
		head: async () => await Promise.resolve('refs/heads/master'),
		changed: () => undefined,
		dispose: async () => await Promise.resolve(),
	};
}

function padded(number: number, digits: number): string {
	return String(number).padStart(digits, '0');
}
