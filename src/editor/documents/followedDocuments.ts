import * as vscode from 'vscode';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { readOnlyFiles } from './readOnlyFiles.ts';

/**
 * A read-only file system with change events for open documents.
 * `of`: parsed URI; `undefined` for foreign URIs. `text`: the text now. Rejects with a `FileSystemError`.
 */
export function followedDocuments<T>(
	of: (uri: vscode.Uri) => T | undefined,
	text: (of: T | undefined, uri: vscode.Uri, signal: AbortSignal) => Promise<string>,
) {
	const owned = new Disposables();
	const changed = owned.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
	const ending = new AbortController();
	owned.add({ dispose: () => ending.abort() });
	/** The editor reads a document again only with a later time. */
	let changes = 0;
	const files = readOnlyFiles(async (uri) => new TextEncoder().encode(await text(of(uri), uri, ending.signal)));
	return {
		...files,
		onDidChangeFile: changed.event,
		tell(isMeant: (of: T) => boolean): void {
			const uris = vscode.workspace.textDocuments.map(({ uri }) => uri);
			const meant = uris.filter((uri) => {
				const what = of(uri);
				return what !== undefined && isMeant(what);
			});
			if (meant.length > 0) {
				changes += 1;
				changed.fire(meant.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
			}
		},
		async stat(uri: vscode.Uri) {
			const stat = await files.stat(uri);
			return { ...stat, mtime: changes };
		},
		dispose: () => owned.dispose(),
	};
}
