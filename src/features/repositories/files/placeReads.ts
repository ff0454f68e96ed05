import * as vscode from 'vscode';
import { isForgeError } from '../../../forge/forgeError.ts';
import type { Tree } from '../../../forge/repository.ts';
import type { Connection } from '../../../state/connection.ts';
import { entryKind, isSafeName } from '../../../state/repositories/repositoryEntries.ts';
import { commitText } from './commitText.ts';
import { statOf, submoduleBytes, typeOf } from './entryStat.ts';
import type { CommitPlace, EntryPlace } from '../subjects/place.ts';
import { uriOfPlace } from '../subjects/placeUri.ts';

/** What the file system reads of an account that is there. What is not there, or is something else, is thrown. */
export interface PlaceReads {
	statEntry(connection: Connection, place: EntryPlace): Promise<vscode.FileStat>;
	readEntry(connection: Connection, place: EntryPlace): Promise<Uint8Array>;
	readFolder(connection: Connection, place: EntryPlace): Promise<[string, vscode.FileType][]>;
	statCommit(connection: Connection, place: CommitPlace): Promise<vscode.FileStat>;
	commitBytes(connection: Connection, place: Pick<CommitPlace, 'ref' | 'id'>): Promise<Uint8Array>;
}

/** The editor ends no reading; `signal` ends with the file system. */
export function placeReads(signal: AbortSignal): PlaceReads {
	async function commitBytes(
		{ repositories }: Connection,
		{ ref, id }: Pick<CommitPlace, 'ref' | 'id'>,
	): Promise<Uint8Array> {
		const commit = await repositories.commit(ref, id, signal);
		return new TextEncoder().encode(commitText(ref, commit, vscode.env.language));
	}

	async function statCommit(connection: Connection, { ref, id }: CommitPlace): Promise<vscode.FileStat> {
		const { byteLength } = await commitBytes(connection, { ref, id });
		return statOf(vscode.FileType.File, { id, commit: connection.repositories.knownCommit(ref, id), size: byteLength });
	}

	async function statEntry({ repositories }: Connection, { ref, at }: EntryPlace): Promise<vscode.FileStat> {
		const found = await repositories.find(ref, at, signal);
		const commit = repositories.knownStanding(ref, at.ref)?.commit;
		if (found.kind === 'root') {
			const { id } = await repositories.folder(ref, at, signal);
			return statOf(vscode.FileType.Directory, { id, commit, size: 0 });
		}
		const { entry } = found;
		const type = typeOf(entry);
		switch (entryKind(entry)) {
			case 'folder':
			case 'unknown':
				return statOf(type, { id: entry.id, commit, size: 0 });
			case 'submodule':
				return statOf(type, { id: entry.id, commit, size: submoduleBytes(entry).byteLength });
			case 'file':
			case 'executable':
			case 'symlink':
				// Servers tell sizes nowhere. What is looked at is opened next, so its content is not read in vain.
				return statOf(type, { id: entry.id, commit, size: await repositories.size(ref, entry.id, signal) });
		}
	}

	async function readEntry({ repositories }: Connection, place: EntryPlace): Promise<Uint8Array> {
		const found = await repositories.find(place.ref, place.at, signal);
		if (found.kind === 'root') {
			throw vscode.FileSystemError.FileIsADirectory(uriOfPlace(place));
		}
		switch (entryKind(found.entry)) {
			case 'folder':
				throw vscode.FileSystemError.FileIsADirectory(uriOfPlace(place));
			case 'submodule':
				return submoduleBytes(found.entry);
			case 'unknown':
				throw vscode.FileSystemError.FileNotFound(uriOfPlace(place));
			case 'file':
			case 'executable':
			case 'symlink':
				return (await repositories.blob(place.ref, found.entry.id, signal)).bytes;
		}
	}

	async function readFolder(connection: Connection, place: EntryPlace): Promise<[string, vscode.FileType][]> {
		const { entries } = await folderAt(connection, place);
		const known = new Map<string, vscode.FileType>();
		for (const entry of entries.filter(({ name }) => isSafeName(name))) {
			// Of several with one name only the first can be opened.
			known.set(entry.name, known.get(entry.name) ?? typeOf(entry));
		}
		return [...known];
	}

	/** What no folder can be read from may still be there, as something else. */
	async function folderAt({ repositories }: Connection, place: EntryPlace): Promise<Tree> {
		const { ref, at } = place;
		try {
			return await repositories.folder(ref, at, signal);
		} catch (error) {
			if (!isForgeError(error) || error.problem.kind !== 'notFound' || at.path === '') {
				throw error;
			}
			const found = await repositories.find(ref, at, signal);
			if (found.kind === 'entry' && entryKind(found.entry) !== 'folder') {
				throw vscode.FileSystemError.FileNotADirectory(uriOfPlace(place));
			}
			throw error;
		}
	}

	return { statEntry, readEntry, readFolder, statCommit, commitBytes };
}
