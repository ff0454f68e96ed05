import { readTag, type ObjectType, type TreeEntry } from './gitObjects.ts';
import type { ObjectSource } from './objectSource.ts';

/** An object that a path of the API names. */
export interface Target {
	readonly id: string;
	readonly type: ObjectType;
}

/** A revision with the rest of the path. */
export interface Located extends Target {
	readonly path: readonly string[];
}

/**
 * Finds the revision at the start of a path by joining segments until they resolve. So references with slashes work,
 * and the shortest name wins (docs/protocol.md#revisions).
 */
export async function locate(source: ObjectSource, parts: readonly string[]): Promise<Located | undefined> {
	for (let count = 1; count <= Math.min(parts.length, 64); count++) {
		const found = await source.resolve(parts.slice(0, count).join('/'));
		if (found.kind === 'object') {
			return { id: found.id, type: found.type, path: parts.slice(count) };
		}
	}
	return undefined;
}

/** Follows tags to their final target. */
export async function peel(source: ObjectSource, target: Target): Promise<Target> {
	let at = target;
	while (at.type === 'tag') {
		const { target: id } = readTag((await source.read(at.id)).bytes);
		const found = await source.resolve(id);
		if (found.kind !== 'object') {
			throw new Error(`The tag ${at.id} leads nowhere`);
		}
		at = found;
	}
	return at;
}

/** The tree of a commit, tag or tree; undefined for a blob. */
export async function treeOf(source: ObjectSource, target: Target): Promise<string | undefined> {
	const { id, type } = await peel(source, target);
	switch (type) {
		case 'commit': {
			return (await source.commit(id)).tree;
		}
		case 'tree': {
			return id;
		}
		case 'blob':
		case 'tag': {
			return undefined;
		}
	}
}

/** Follows folders from a tree. Files, links and submodules on the way end it. */
export async function follow(
	source: ObjectSource,
	tree: string,
	path: readonly string[],
): Promise<Pick<TreeEntry, 'id' | 'mode'> | undefined> {
	let at: Pick<TreeEntry, 'id' | 'mode'> = { id: tree, mode: treeMode };
	for (const name of path) {
		if (at.mode !== treeMode) {
			return undefined;
		}
		const entry = (await source.tree(at.id)).find((each) => each.name === name);
		if (entry === undefined) {
			return undefined;
		}
		at = entry;
	}
	return at;
}

const treeMode = 0o040000;
