import * as vscode from 'vscode';
import { readOnlyFiles } from '../../../editor/documents/readOnlyFiles.ts';
import type { ListsContext } from '../context/listsContext.ts';

/**
 * Read-only texts with the account in the URI's authority. Read errors appear in place of the document, with a retry.
 */
export function textFiles(
	{ connections, ready, problems }: ListsContext,
	textOf: (uri: vscode.Uri) => Promise<string>,
	/** Increases when all texts may have changed. */
	edition = (): number => 0,
): vscode.FileSystemProvider {
	/** The editor asks for a file several times in a row. */
	let last: { readonly address: string; readonly bytes: Uint8Array } | undefined;

	const files = readOnlyFiles(async (uri) => {
		try {
			const address = `${edition()} ${uri.toString()}`;
			// Never return text that a removed account's token loaded.
			if (last?.address !== address || !connections.byKey(uri.authority)) {
				// After a window reload, documents open before the accounts connect.
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
	return {
		...files,
		/** The editor reads a document again only with a later time. */
		async stat(uri) {
			return { ...(await files.stat(uri)), mtime: edition() };
		},
	};
}
