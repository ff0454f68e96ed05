import { Buffer } from 'node:buffer';
import { isObjectId } from './objectId.ts';

/** A tree with its entries, in git's order. */
export interface GitTree {
	readonly id: string;
	readonly shortId: string;
	readonly entries: readonly GitTreeEntry[];
}

interface GitTreeEntry extends TreeEntry {
	/** `commit` is a submodule. */
	readonly type: 'tree' | 'blob' | 'commit';
}

/** An entry of a tree. Servers may report further types. */
export interface TreeEntry {
	readonly name: string;
	readonly id: string;
	readonly type: string;
	/** Unix file mode, as 33188; 40960 is a symbolic link. */
	readonly mode: number;
}

const typeBits = 0o170000;
const folderMode = 0o040000;
const submoduleMode = 0o160000;
const shortIdLength = 7;

/**
 * Encodes a tree in git's format: `<octal mode> <name>\0<id as bytes>` per entry. `undefined` if git can't store it,
 * for example with an invalid id; such a tree is unverifiable.
 */
export function treeBytes({ entries }: { readonly entries: readonly TreeEntry[] }): Uint8Array | undefined {
	const isSound = entries.every(
		({ name, id, mode }) =>
			isObjectId(id) && name !== '' && !name.includes('\0') && Number.isSafeInteger(mode) && mode > 0,
	);
	return isSound
		? Buffer.concat(
				entries.flatMap(({ mode, name, id }) => [
					Buffer.from(`${mode.toString(8)} ${name}\0`, 'utf8'),
					Buffer.from(id, 'hex'),
				]),
			)
		: undefined;
}

/** Decodes git's format; `undefined` if malformed. `id` gives the length of entry ids. */
export function treeOfBytes(id: string, bytes: Uint8Array): GitTree | undefined {
	const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const idLength = id.length / 2;
	const entries: GitTreeEntry[] = [];
	for (let at = 0; at < all.length;) {
		const blank = all.indexOf(0x20, at);
		const end = all.indexOf(0, at);
		if (blank < at || end < blank || end + 1 + idLength > all.length) {
			return undefined;
		}
		const modeText = all.toString('latin1', at, blank);
		if (!/^[0-7]{1,7}$/.test(modeText)) {
			return undefined;
		}
		const mode = Number.parseInt(modeText, 8);
		at = end + 1 + idLength;
		entries.push({
			mode,
			name: all.toString('utf8', blank + 1, end),
			id: all.toString('hex', end + 1, at),
			type: typeOfMode(mode),
		});
	}
	return { id, shortId: id.slice(0, shortIdLength), entries };
}

export function typeOfMode(mode: number): GitTreeEntry['type'] {
	switch (mode & typeBits) {
		case folderMode:
			return 'tree';
		case submoduleMode:
			return 'commit';
		default:
			return 'blob';
	}
}
