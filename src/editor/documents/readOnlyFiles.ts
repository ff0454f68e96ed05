import * as vscode from 'vscode';

/**
 * Documents that never change: whatever an address leads to is always the same, so nobody is told of anything. To be
 * registered as read-only; the members that write refuse all the same.
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
