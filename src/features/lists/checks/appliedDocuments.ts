import * as vscode from 'vscode';
import { openDiff, openUri } from '../../../editor/documents/showDocument.ts';
import { readOnlyFiles } from '../../../editor/documents/readOnlyFiles.ts';
import { visibleLine } from '../../../engine/text/visible.ts';

const scheme = 'forge-applied';
/** The oldest documents go first. */
const mostDocuments = 200;

/** Contents of commits as documents of this window, `forge-applied:`. */
export type AppliedDocuments = ReturnType<typeof appliedDocuments>;

export function appliedDocuments() {
	const contents = new Map<string, Uint8Array>();
	let count = 0;
	const provider = vscode.workspace.registerFileSystemProvider(
		scheme,
		readOnlyFiles(async (uri) => {
			const content = contents.get(uri.authority);
			if (!content) {
				throw vscode.FileSystemError.FileNotFound(uri);
			}
			return content;
		}),
		{ isReadonly: true, isCaseSensitive: true },
	);

	/** The path is the title, and decides the language. */
	function documentOf(path: string, content: Uint8Array): vscode.Uri {
		count += 1;
		contents.set(String(count), content);
		const [oldest] = contents.keys();
		if (contents.size > mostDocuments && oldest !== undefined) {
			contents.delete(oldest);
		}
		return vscode.Uri.from({ scheme, authority: String(count), path: `/${visibleLine(path)}` });
	}

	return {
		/** Opens a file. */
		async open(path: string, content: Uint8Array): Promise<void> {
			await openUri(documentOf(path, content));
		},
		/** Opens both sides. `of`: the patch. */
		async compare(path: string, of: string, shown: Uint8Array, committed: Uint8Array): Promise<void> {
			const title = vscode.l10n.t('{0}: shown ↔ committed ({1})', visibleLine(path), of);

			await openDiff(documentOf(path, shown), documentOf(path, committed), title, { preview: true });
		},
		dispose: () => void provider.dispose(),
	};
}
