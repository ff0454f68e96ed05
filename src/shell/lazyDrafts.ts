import * as vscode from 'vscode';
import type { Desk } from '../editor/desk.ts';

/** The documents that are drafts, asked of the desk when the first of them is opened. */
export interface LazyDrafts extends vscode.FileSystemProvider, vscode.Disposable {
	/** Takes the real file system's events once the desk is there. */
	follow(drafts: vscode.FileSystemProvider): void;
}

/** Files that can be read and written, and neither made nor removed by hand. */
export function lazyDrafts(desk: () => Promise<Desk>): LazyDrafts {
	const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
	const refuse = (uri: vscode.Uri): never => {
		throw vscode.FileSystemError.NoPermissions(uri);
	};
	return {
		onDidChangeFile: changed.event,
		follow: (drafts) => void drafts.onDidChangeFile((changes) => changed.fire(changes)),
		watch: () => ({ dispose: () => undefined }),
		stat: (uri) => desk().then(({ drafts }) => drafts.stat(uri)),
		readFile: (uri) => desk().then(({ drafts }) => drafts.readFile(uri)),
		writeFile: (uri, content, options) => desk().then(({ drafts }) => drafts.writeFile(uri, content, options)),
		readDirectory: () => [],
		createDirectory: refuse,
		delete: refuse,
		rename: refuse,
		dispose: () => changed.dispose(),
	};
}
