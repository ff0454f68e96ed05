import * as vscode from 'vscode';

/**
 * Immutable documents: a URI's content never changes, so there are no events. Register it as read-only; its write
 * methods throw anyway.
 */
export function readOnlyFiles(bytes: (uri: vscode.Uri) => Promise<Uint8Array>): vscode.FileSystemProvider {
	const refuse = (uri: vscode.Uri): never => {
		throw vscode.FileSystemError.NoPermissions(uri);
	};
	return {
		onDidChangeFile: () => new vscode.Disposable(() => undefined),
		watch: () => ({ dispose: () => undefined }),
		async stat(uri) {
			const { length } = await bytes(uri);
			return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: length };
		},
		readFile: bytes,
		readDirectory: () => [],
		createDirectory: refuse,
		writeFile: refuse,
		delete: refuse,
		rename: refuse,
	};
}
