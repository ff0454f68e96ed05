import * as vscode from 'vscode';
import type { Disposable } from '../base/lifecycle.ts';
import { readOnlyFiles } from '../editor/documents/readOnlyFiles.ts';
import { isForgeError } from '../forge/forgeError.ts';
import type { Connection, Connections } from '../state/connection.ts';
import { contentOf, type PatchContent } from './patchContent.ts';
import { recentSeries } from './patchInSeries.ts';
import { isWholeView, placeOfPatchUri, type PatchPlace, type WholeView } from './patchUri.ts';
import type { ShownLine } from './shownLines.ts';
import { recentWholeSides } from './wholeSides.ts';
import type { FoundFile } from './wholeWords.ts';
import type { Problems } from '../editor/ask/problems.ts';

/** Line mapping of a document to its mail. Constant while the document is open. */
export interface DocumentLines {
	readonly place: PatchPlace;
	/** In order; see `shownLineOf`. */
	readonly lines: readonly ShownLine[];
}

/** The read-only file system `forge-patch:`, for addresses of `patchUri`. */
export interface PatchFiles extends vscode.FileSystemProvider, Disposable {
	/** Patch lines of a document; `undefined` for other documents. Rejects like reading the document. */
	lines(uri: vscode.Uri, signal: AbortSignal): Promise<DocumentLines | undefined>;
	/** Search result for the document's whole file; `undefined` for other documents. Rejects like `lines`. */
	found(uri: vscode.Uri, signal: AbortSignal): Promise<FoundFile>;
}

interface PatchFilesParts {
	readonly connections: Connections;
	/** Resolves after all signed-in accounts have connected. Never rejects. */
	readonly ready: () => Promise<void>;
	readonly problems: Problems;
}

/** File system of patch documents. Regenerates documents that the editor restored after a reload. */
export function patchFiles({ connections, ready, problems }: PatchFilesParts): PatchFiles {
	const ending = new AbortController();
	const sidesOf = recentWholeSides();
	const seriesOf = recentSeries();

	/** After a window reload, accounts connect later than documents open. */
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

	/** The cached search result; searches again after a window reload. */
	async function foundAt(
		connection: Connection,
		place: PatchPlace,
		{ fileIndex, repository }: WholeView,
		signal: AbortSignal,
	): Promise<FoundFile> {
		const { wanted, mailIds } = await seriesOf(connection, place, signal);
		const files = connection.wholeFiles.of({ ...wanted, repository });
		const patch = mailIds.indexOf(place.mailId);
		return await files.file({ patch, file: fileIndex }, signal);
	}

	async function read(uri: vscode.Uri, place: PatchPlace, signal: AbortSignal): Promise<PatchContent> {
		try {
			const connection = await connectionOf(place);
			const patch = await connection.texts.readPatch(place.mailId, signal);
			const found = isWholeView(place.view) ? await foundAt(connection, place, place.view, signal) : undefined;
			return contentOf(patch, place.view, found && { file: found.whole, sidesOf }) ?? missing(uri);
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

	return {
		...readOnlyFiles(async (uri) => {
			const { bytes } = await read(uri, placeOfPatchUri(uri) ?? missing(uri), ending.signal);
			return bytes();
		}),
		async lines(uri, signal) {
			const place = placeOfPatchUri(uri);
			return place && { place, lines: (await read(uri, place, signal)).lines };
		},
		async found(uri, signal) {
			const place = placeOfPatchUri(uri);
			return place && isWholeView(place.view)
				? await foundAt(await connectionOf(place), place, place.view, signal)
				: undefined;
		},
		dispose: () => ending.abort(),
	};
}

function missing(uri: vscode.Uri): never {
	throw vscode.FileSystemError.FileNotFound(uri);
}
