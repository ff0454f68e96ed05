import { ForgeError } from '../../forge/forgeError.ts';
import type { Tree, TreeEntry } from '../../forge/repository.ts';

/** What an entry of a tree is for a reader. `unknown` is a type that this version does not know. */
export type EntryKind = 'folder' | 'file' | 'executable' | 'symlink' | 'submodule' | 'unknown';

/** Unix modes as servers send them (docs/protocol.md#tree-entries). */
const typeBits = 0o170000;
const symlinkMode = 0o120000;
const submoduleMode = 0o160000;
const executableBit = 0o100;

/** Tells what an entry is. The contract knows only trees and blobs, so of blobs the mode tells more than the type. */
export function entryKind({ type, mode }: TreeEntry): EntryKind {
	switch (type) {
		case 'tree':
			return 'folder';
		case 'commit':
			return 'submodule';
		case 'blob':
			return kindOfMode(mode);
		default:
			return 'unknown';
	}
}

function kindOfMode(mode: number): EntryKind {
	switch (mode & typeBits) {
		case symlinkMode:
			return 'symlink';
		case submoduleMode:
			return 'submodule';
		default:
			return (mode & executableBit) === 0 ? 'file' : 'executable';
	}
}

/** True for what has a content of its own to read: files and links. */
export function isBlob(entry: TreeEntry): boolean {
	const kind = entryKind(entry);
	return kind === 'file' || kind === 'executable' || kind === 'symlink';
}

export function unreadEntry(): ForgeError {
	return new ForgeError({ kind: 'serverError', status: undefined });
}

/** Throws if the server failed to read the entry. */
export function readEntry(entry: TreeEntry | 'unread' | undefined): TreeEntry | undefined {
	if (entry === 'unread') {
		throw unreadEntry();
	}
	return entry;
}

/** No file system of today holds longer names, and an editor would choke on one of a megabyte. */
const mostNameLength = 1024;

/**
 * True for a name that is one step of a path and nothing else. What a server sends may be anything; a name that is not
 * this is shown as text and leads nowhere.
 */
export function isSafeName(name: string): boolean {
	return (
		name !== '' &&
		name.length <= mostNameLength &&
		name !== '.' &&
		name !== '..' &&
		name.toLowerCase() !== '.git' &&
		!/[/\\\0]/.test(name) &&
		name.isWellFormed()
	);
}

/** The steps of a path, none for the root; `undefined` when one of them cannot be a name or there are too many. */
export function stepsOf(path: string, mostSteps: number): readonly string[] | undefined {
	const steps = path === '' ? [] : path.split('/');
	return steps.length <= mostSteps && steps.every(isSafeName) ? steps : undefined;
}

/** The entry of this name; of several the first, which is the only one that can be opened. */
export function entryNamed({ entries }: Tree, name: string): TreeEntry | undefined {
	return entries.find((entry) => entry.name === name);
}

/** `path` below `folder`; the root is the empty path. */
export function joined(folder: string, name: string): string {
	return folder === '' ? name : `${folder}/${name}`;
}

/** The folder that holds a path; of the root the root itself. */
export function folderOf(path: string): string {
	return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The last step of a path. */
export function nameOf(path: string): string {
	return path.slice(path.lastIndexOf('/') + 1);
}
