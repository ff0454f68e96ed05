import type * as vscode from 'vscode';
import type { PatchsetRef } from '../../../forge/port/list.ts';
import type { DocumentLines, PatchFiles } from '../../../editor/patchDocuments/patchFiles.ts';
import { placeOfPatchUri, type PatchPlace } from '../../../editor/patchDocuments/patchUri.ts';
import type { PatchMail } from '../../../engine/series/seriesReading.ts';
import type { Connection, Connections } from '../../../store/connection.ts';

/** A document of a patch. */
export interface ShownDocument extends DocumentLines {
	readonly patch: PatchMail;
	/** Of the mail, with angle brackets. */
	readonly messageId: string | undefined;
}

/** Fixed content of a document; `undefined` for foreign documents. */
export async function readShown(
	connections: Connections,
	files: PatchFiles,
	uri: vscode.Uri,
	signal: AbortSignal,
): Promise<ShownDocument | undefined> {
	const place = placeOfPatchUri(uri);
	const connection = connections.byKey(place?.connectionKey ?? '');
	if (!place || !connection) {
		return undefined;
	}
	const [shown, { patch }] = await Promise.all([
		files.lines(uri, signal),
		connection.texts.readPatch(place.mailId, signal),
	]);
	return shown && patch && { ...shown, patch, messageId: connection.lists.knownMail(place.mailId)?.messageId };
}

/** Patchset of a document's mail, if known. */
export function patchsetOf({ lists }: Connection, { list, patchsetId, mailId }: PatchPlace): PatchsetRef | undefined {
	const id = patchsetId ?? lists.knownMail(mailId)?.patchsetId;
	return id === undefined ? undefined : { list, id };
}
