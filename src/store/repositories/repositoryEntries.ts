import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Tree, TreeEntry } from 'sourcehut/port/repository.ts';

/** User-visible kind of a tree entry. `unknown`: a type newer than this version. */
export type EntryKind = 'folder' | 'file' | 'executable' | 'symlink' | 'submodule' | 'unknown';

/** Unix modes as servers send them (docs/protocol.md#tree-entries). */
const typeBits = 0o170000;
const symlinkMode = 0o120000;
const submoduleMode = 0o160000;
const executableBit = 0o100;

/** The contract has only trees and blobs; for blobs, the mode distinguishes links and executables. */
export function entryKind({ type, mode }: TreeEntry): EntryKind {
	switch (type) {
		case 'tree':
			return 'folder';
		case 'commit':
			return 'submodule';
		case 'blob':
			break;
		default:
			return 'unknown';
	}
	switch (mode & typeBits) {
		case symlinkMode:
			return 'symlink';
		case submoduleMode:
			return 'submodule';
		default:
			return (mode & executableBit) === 0 ? 'file' : 'executable';
	}
}

/** True for files and links, which have readable content. */
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

/** No current file system allows longer names, and an editor would choke on a megabyte. */
const mostNameLength = 1024;

/** True for a valid path segment. Server data is untrusted: other names appear as plain text and cannot be opened. */
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

/** Path segments, none for the root; `undefined` for an invalid or too deep path. */
export function stepsOf(path: string, mostSteps: number): readonly string[] | undefined {
	const steps = path === '' ? [] : path.split('/');
	return steps.length <= mostSteps && steps.every(isSafeName) ? steps : undefined;
}

/** The first entry of this name; duplicates cannot be opened. */
export function entryNamed({ entries }: Tree, name: string): TreeEntry | undefined {
	return entries.find((entry) => entry.name === name);
}

/** Joins path segments; the root is the empty path. */
export function joined(folder: string, name: string): string {
	return folder === '' ? name : `${folder}/${name}`;
}

/** Parent folder; the root's parent is the root. */
export function folderOf(path: string): string {
	return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function nameOf(path: string): string {
	return path.slice(path.lastIndexOf('/') + 1);
}
