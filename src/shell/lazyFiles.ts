import * as vscode from 'vscode';
import type { Desk } from '../editor/desk.ts';

/** The file systems of the desk that can only be read. */
export type ReadOnlyFiles = 'files' | 'mails' | 'patches' | 'previews' | 'series' | 'versions';

/** A read-only file system, asked of the desk when the first of its addresses is opened. */
export interface LazyFiles extends vscode.FileSystemProvider, vscode.Disposable {
	/** Takes the real file system's events once the desk is there. */
	follow(files: vscode.FileSystemProvider): void;
}

/** The editor knows it as read-only, so the writing members are never called; they refuse all the same. */
export function lazyFiles(which: ReadOnlyFiles, desk: () => Promise<Desk>): LazyFiles {
	const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
	const refuse = (uri: vscode.Uri): never => {
		throw vscode.FileSystemError.NoPermissions(uri);
	};
	return {
		onDidChangeFile: changed.event,
		follow: (files) => void files.onDidChangeFile((changes) => changed.fire(changes)),
		// The desk tells of every change by itself.
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
