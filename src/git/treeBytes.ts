import { Buffer } from 'node:buffer';
import { entryTypes, type Tree, type TreeEntry } from '../forge/repository.ts';
import { isObjectId } from './objectId.ts';

const typeBits = 0o170000;
const folderMode = 0o040000;
const submoduleMode = 0o160000;
const shortIdLength = 7;

/**
 * A tree as git keeps it: `<octal mode> <name>\0<id as bytes>` for each entry. `undefined` for what git cannot keep that
 * way, such as an id that is none; nothing can be proven of such a tree.
 */
export function treeBytes({ entries }: Pick<Tree, 'entries'>): Uint8Array | undefined {
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

/** The way back; `undefined` for bytes that are no tree of ids as long as `id`. */
export function treeOfBytes(id: string, bytes: Uint8Array): Tree | undefined {
	const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const idLength = id.length / 2;
	const entries: TreeEntry[] = [];
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

/** What an entry of this mode is. */
export function typeOfMode(mode: number): (typeof entryTypes)[number] {
	switch (mode & typeBits) {
		case folderMode:
			return 'tree';
		case submoduleMode:
			return 'commit';
		default:
			return 'blob';
	}
}
