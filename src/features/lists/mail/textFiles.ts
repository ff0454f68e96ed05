import * as vscode from 'vscode';
import { readOnlyFiles } from '../../../editor/documents/readOnlyFiles.ts';
import type { ListsParts } from '../parts/listsParts.ts';

/**
 * Read-only texts whose addresses carry the account in their authority. The editor shows in place of a document why it
 * cannot be read, and offers to try again.
 */
export function textFiles(
	{ connections, ready, problems }: Pick<ListsParts, 'connections' | 'ready' | 'problems'>,
	textOf: (uri: vscode.Uri) => Promise<string>,
): vscode.FileSystemProvider {
	/** The editor asks for a file several times in a row. */
	let last: { readonly address: string; readonly bytes: Uint8Array } | undefined;

	return readOnlyFiles(async (uri) => {
		try {
			const address = uri.toString();
			// Nothing is handed out that was read with the token of an account that is gone.
			if (last?.address !== address || !connections.byKey(uri.authority)) {
				// After a reload of the window the accounts come a moment later than the documents.
				await ready();
				last = { address, bytes: new TextEncoder().encode(await textOf(uri)) };
			}
			return last.bytes;
		} catch (error) {
			if (error instanceof vscode.FileSystemError) {
				throw error;
			}
			problems.log(error);
			throw vscode.FileSystemError.Unavailable(problems.explain(error).message);
		}
	});
}
