import * as vscode from 'vscode';
import { assertNever } from '../base/assertNever.ts';
import type { Disposable } from '../base/lifecycle.ts';
import { readOnlyFiles } from '../editor/documents/readOnlyFiles.ts';
import { isForgeError } from '../forge/forgeError.ts';
import type { FileDiff } from '../patch/fileDiff.ts';
import type { PatchMail } from '../series/seriesReading.ts';
import type { Connection, Connections } from '../state/connection.ts';
import type { ReadPatch } from '../state/lists/listMailTexts.ts';
import { binarySides } from './binarySides.ts';
import { hasSides } from './fileWords.ts';
import { asItCame, onlyText, sideTexts } from './patchTexts.ts';
import { placeOfPatchUri, type PatchPlace, type PatchView } from './patchUri.ts';
import type { Problems } from '../editor/ask/problems.ts';

/** The read-only file system `forge-patch:`. Every address is one of `patchUri`. */
export interface PatchFiles extends vscode.FileSystemProvider, Disposable {}

/** What documents of patches need of the rest of the program. */
interface PatchFilesParts {
	readonly connections: Connections;
	/** Settles once everybody who is signed in now is connected. Never rejects. */
	readonly ready: () => Promise<void>;
	readonly problems: Problems;
}

/** The documents that are made of patches; those that the editor kept over a reload are made again. */
export function patchFiles({ connections, ready, problems }: PatchFilesParts): PatchFiles {
	const ending = new AbortController();

	/** After a reload of the window the accounts come a moment later than the documents. */
	async function connectionOf({ connectionKey }: PatchPlace): Promise<Connection> {
		if (!connections.byKey(connectionKey)) {
			await ready();
		}
		const connection = connections.byKey(connectionKey);
		if (!connection) {
			throw vscode.FileSystemError.Unavailable(
				vscode.l10n.t('You are not signed in to the account that this was opened with. Sign in and open it again.'),
			);
		}
		return connection;
	}

	async function bytesOf(uri: vscode.Uri): Promise<Uint8Array> {
		const place = placeOfPatchUri(uri);
		if (!place) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		try {
			const { texts } = await connectionOf(place);
			const read = await texts.readPatch(place.mailId, ending.signal);
			return contentOf(read, place.view) ?? missing(uri);
		} catch (error) {
			throw fileSystemError(uri, error);
		}
	}

	function fileSystemError(uri: vscode.Uri, error: unknown): Error {
		if (error instanceof vscode.FileSystemError) {
			return error;
		}
		problems.log(error);
		return isForgeError(error) && error.problem.kind === 'notFound'
			? vscode.FileSystemError.FileNotFound(uri)
			: vscode.FileSystemError.Unavailable(problems.explain(error).message);
	}

	return { ...readOnlyFiles(bytesOf), dispose: () => ending.abort() };
}

function missing(uri: vscode.Uri): never {
	throw vscode.FileSystemError.FileNotFound(uri);
}

/** `undefined` where the patch has no such file. */
function contentOf({ patch, reading }: ReadPatch, view: PatchView): Uint8Array | undefined {
	if (view.kind === 'raw') {
		return encoded(patch?.diffText ?? (reading.kind === 'read' ? reading.mail.body : reading.text));
	}
	const file = patch?.diff.files[view.fileIndex];
	return patch && file && contentOfFile(patch, file, view.kind);
}

function contentOfFile(
	patch: PatchMail,
	file: FileDiff,
	kind: Exclude<PatchView['kind'], 'raw'>,
): Uint8Array | undefined {
	switch (kind) {
		case 'asItCame':
			return encoded(asItCame(patch.diffText, file));
		case 'before':
		case 'after':
			return hasSides(file) ? encoded(sideTexts(patch, file)[kind]) : undefined;
		case 'only':
			return hasSides(file) ? encoded(onlyText(patch, file)) : undefined;
		case 'pictureBefore':
		case 'pictureAfter': {
			const { content } = file;
			const sides = content.kind === 'binary' ? binarySides(patch.diffText, content) : undefined;
			return kind === 'pictureBefore' ? sides?.before : sides?.after;
		}
		default:
			return assertNever(kind);
	}
}

function encoded(text: string): Uint8Array {
	return new TextEncoder().encode(text);
}
