import * as vscode from 'vscode';
import { maxOf } from '@forge-desk/base/longArrays.ts';
import { treeOrPart } from '../../../store/repositories/repositoryFolders.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Tree, TreeEntry, Signer } from 'sourcehut/port/repository.ts';
import { submoduleBytes } from 'patchmail/git/submoduleBytes.ts';
import type { Connection } from '../../../store/connection.ts';
import { entryKind, folderOf, isSafeName, nameOf } from '../../../store/repositories/repositoryEntries.ts';
import { type CommitPlace, type EntryPlace, uriOfPlace } from '../subjects/place.ts';
import type { StandingCommit } from '../../../store/repositories/pinnedRevisions.ts';
import { visible, visibleLine } from '../../../engine/text/visible.ts';
import { partOfFolderText, signatureTexts } from '../subjects/words.ts';

/** Localized name of the note about entries that the forge leaves out of a folder. */
function partNoteName(): string {
	return vscode.l10n.t('Some entries are missing.md');
}

/**
 * File system reads for an account. They throw for missing entries and wrong types. The editor never aborts a read;
 * `signal` ends with the file system.
 */
export function placeReads(signal: AbortSignal) {
	async function commitBytes({ repositories }: Connection, { ref, id }: CommitPlace) {
		const commit = await repositories.folders.commit(ref, id, signal);
		const date = new Intl.DateTimeFormat(vscode.env.language, {
			dateStyle: 'full',
			timeStyle: 'long',
			timeZone: 'UTC',
		});
		const rows: readonly (readonly [string, string])[] = [
			[vscode.l10n.t('Commit'), commit.id],
			[vscode.l10n.t('Repository'), refText(ref)],
			[vscode.l10n.t('Author'), person(commit.author)],
			[vscode.l10n.t('Committer'), person(commit.committer)],
			[vscode.l10n.t('Date'), date.format(commit.timestampMs)],
			[vscode.l10n.t('Tree'), commit.tree],
			...commit.parents.map((parent) => [vscode.l10n.t('Parent'), parent] as const),
			...signatureTexts(commit).map((text) => [vscode.l10n.t('Signature'), text] as const),
		];
		const width = maxOf(rows.map(([name]) => name.length)) + 2;
		const head = rows.map(([name, value]) => `${`${name}:`.padEnd(width)}${visibleLine(value)}`);
		return new TextEncoder().encode(`${head.join('\n')}\n\n${visible(commit.message).trimEnd()}\n`);
	}

	async function statCommit(connection: Connection, place: CommitPlace) {
		const { ref, id } = place;
		const { byteLength } = await commitBytes(connection, place);
		return statOf(vscode.FileType.File, id, connection.repositories.objects.knownCommit(ref, id), byteLength);
	}

	async function statEntry({ repositories }: Connection, { ref, at }: EntryPlace): Promise<vscode.FileStat> {
		const found = await repositories.folders.find(ref, at, signal);
		const commit = repositories.folders.knownPinned(ref, at.ref)?.commit;
		if (found.kind === 'root') {
			const { id } = (await treeOrPart(repositories.folders.folder(ref, at, signal))).tree;
			return statOf(vscode.FileType.Directory, id, commit, 0);
		}
		const { entry } = found;
		const type = typeOf(entry);
		switch (entryKind(entry)) {
			case 'folder':
			case 'unknown':
				return statOf(type, entry.id, commit, 0);
			case 'submodule':
				return statOf(type, entry.id, commit, submoduleBytes(entry.id).byteLength);
			case 'file':
			case 'executable':
			case 'symlink':
				// Servers don't report sizes, so this loads the content. The editor opens it next anyway.
				return statOf(type, entry.id, commit, await repositories.objects.size(ref, entry.id, signal));
		}
	}

	async function readEntry({ repositories }: Connection, place: EntryPlace): Promise<Uint8Array> {
		const found = await repositories.folders.find(place.ref, place.at, signal);
		if (found.kind === 'root') {
			throw vscode.FileSystemError.FileIsADirectory(uriOfPlace(place));
		}
		switch (entryKind(found.entry)) {
			case 'folder':
				throw vscode.FileSystemError.FileIsADirectory(uriOfPlace(place));
			case 'submodule':
				return submoduleBytes(found.entry.id);
			case 'unknown':
				throw vscode.FileSystemError.FileNotFound(uriOfPlace(place));
			case 'file':
			case 'executable':
			case 'symlink':
				return (await repositories.objects.blob(place.ref, found.entry.id, signal)).bytes;
		}
	}

	async function readFolder(connection: Connection, place: EntryPlace): Promise<[string, vscode.FileType][]> {
		const { tree, isWhole } = await treeOrPart(folderAt(connection, place));
		const known = new Map<string, vscode.FileType>(isWhole ? [] : [[partNoteName(), vscode.FileType.File]]);
		for (const entry of tree.entries) {
			// Of several entries with one name, only the first can open.
			if (isSafeName(entry.name) && !known.has(entry.name)) {
				known.set(entry.name, typeOf(entry));
			}
		}
		return [...known];
	}

	/** A path without a folder may contain another kind of entry. */
	async function folderAt({ repositories }: Connection, place: EntryPlace): Promise<Tree> {
		const { ref, at } = place;
		try {
			return await repositories.folders.folder(ref, at, signal);
		} catch (error) {
			if (!isForgeError(error) || error.problem.kind !== 'notFound' || at.path === '') {
				throw error;
			}
			const found = await repositories.folders.find(ref, at, signal);
			if (found.kind === 'entry' && entryKind(found.entry) !== 'folder') {
				throw vscode.FileSystemError.FileNotADirectory(uriOfPlace(place));
			}
			throw error;
		}
	}

	async function partNote({ repositories }: Connection, { ref, at }: EntryPlace): Promise<Uint8Array | undefined> {
		if (nameOf(at.path) !== partNoteName()) {
			return undefined;
		}
		const { isWhole } = await treeOrPart(
			repositories.folders.folder(ref, { ref: at.ref, path: folderOf(at.path) }, signal),
		);
		return isWhole ? undefined : new TextEncoder().encode(`${partOfFolderText()}\n`);
	}

	return { statEntry, readEntry, readFolder, statCommit, commitBytes, partNote };
}

/** A symlink is a file with its target as content, a submodule a file with its commit. */
export function typeOf(entry: TreeEntry): vscode.FileType {
	switch (entryKind(entry)) {
		case 'folder':
			return vscode.FileType.Directory;
		case 'symlink':
			return vscode.FileType.File | vscode.FileType.SymbolicLink;
		case 'file':
		case 'executable':
		case 'submodule':
			return vscode.FileType.File;
		case 'unknown':
			return vscode.FileType.Unknown;
	}
}

/** Facts about a tree, a blob or a commit. */
/**
 * `mtime` is the commit time in whole seconds, plus milliseconds from the content id. The editor treats a file with equal time
 * and size as unchanged, and an amended commit keeps its time.
 */
export function statOf(
	type: vscode.FileType,
	id: string,
	commit: StandingCommit | undefined,
	size: number,
): vscode.FileStat {
	const second = Math.floor((commit?.timestampMs ?? 0) / 1000) * 1000;
	const mtime = second + ((Number.parseInt(id.slice(0, 8), 16) || 0) % 1000);
	return { type, ctime: 0, mtime, size, permissions: vscode.FilePermission.Readonly };
}

function person({ name, email }: Signer): string {
	return `${name} <${email}>`;
}
