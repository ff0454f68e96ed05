import * as vscode from 'vscode';
import type { Desk } from '../editor/desk.ts';

/** The desk's read-only file systems. */
export type ReadOnlyFiles = 'files' | 'mails' | 'patches' | 'previews' | 'series' | 'versions';

/** Read-only file system; loads the desk on first use. */
export interface LazyFiles extends vscode.FileSystemProvider, vscode.Disposable {
	/** Forwards the real file system's events. */
	follow(files: vscode.FileSystemProvider): void;
}

/** Registered as read-only, so the editor never calls the write methods; they still refuse. */
export function lazyFiles(which: ReadOnlyFiles, desk: () => Promise<Desk>): LazyFiles {
	const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
	const refuse = (uri: vscode.Uri): never => {
		throw vscode.FileSystemError.NoPermissions(uri);
	};
	return {
		onDidChangeFile: changed.event,
		follow: (files) => void files.onDidChangeFile((changes) => changed.fire(changes)),
		// The desk fires change events without a watcher.
		watch: () => ({ dispose: () => undefined }),
		stat: (uri) => desk().then((opened) => opened[which].stat(uri)),
		readDirectory: (uri) => desk().then((opened) => opened[which].readDirectory(uri)),
		readFile: (uri) => desk().then((opened) => opened[which].readFile(uri)),
		createDirectory: refuse,
		writeFile: refuse,
		delete: refuse,
		rename: refuse,
		dispose: () => changed.dispose(),
	};
}
