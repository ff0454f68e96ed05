import * as vscode from 'vscode';
import type { Desk } from '../editor/desk.ts';

/** File system of drafts; loads the desk on first use. */
export interface LazyDrafts extends vscode.FileSystemProvider, vscode.Disposable {
	/** Forwards the real file system's events. */
	follow(drafts: vscode.FileSystemProvider): void;
}

/** Supports reading and writing; refuses creation and deletion. */
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
