import * as vscode from 'vscode';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import { repositoryRefText, type RepositoryRef } from '../../../forge/repository.ts';
import type { Place } from '../place.ts';
import { placeOfUri } from '../placeUri.ts';

/** The files of repositories that were opened in this window, and those that are open. */
export interface RecentFiles extends Disposable {
	/** Paths in a repository, the latest first, whatever the revision. */
	of(connectionKey: string, ref: RepositoryRef): readonly string[];
	/** A file is being opened. */
	note(place: Place): void;
}

/** As many are remembered of each repository, and of as many repositories. */
const mostFiles = 50;
const mostRepositories = 100;

/** Remembers as long as the window lives. */
export function recentFiles(): RecentFiles {
	const owned = new Disposables();
	const paths = new Map<string, readonly string[]>();

	function note(place: Place): void {
		if (place.kind !== 'entry' || place.at.path === '') {
			return;
		}
		const key = keyOf(place.connectionKey, place.ref);
		const others = (paths.get(key) ?? []).filter((path) => path !== place.at.path);
		paths.delete(key);
		paths.set(key, [place.at.path, ...others].slice(0, mostFiles));
		const [oldest] = paths.keys();
		if (paths.size > mostRepositories && oldest !== undefined) {
			paths.delete(oldest);
		}
	}

	function noteUri(uri: vscode.Uri | undefined): void {
		const place = uri && placeOfUri(uri);
		if (place) {
			note(place);
		}
	}

	// What was open before a reload of the window is no less recent than nothing.
	for (const { tabs } of vscode.window.tabGroups.all) {
		for (const { input } of tabs) {
			noteUri(input instanceof vscode.TabInputText ? input.uri : undefined);
		}
	}
	owned.add(vscode.window.onDidChangeActiveTextEditor((editor) => noteUri(editor?.document.uri)));
	return {
		of: (connectionKey, ref) => paths.get(keyOf(connectionKey, ref)) ?? [],
		note,
		dispose: () => owned.dispose(),
	};
}

function keyOf(connectionKey: string, ref: RepositoryRef): string {
	return `${connectionKey}\n${repositoryRefText(ref)}`;
}
