import * as v from 'valibot';
import * as vscode from 'vscode';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import { refText } from '../../../forge/namedRef.ts';
import type { RepositoryRef } from '../../../forge/repository.ts';
import { type KeptText, goodOf, kept } from '../../../state/shared/keptText.ts';
import { fileInFront } from '../places/openPlaces.ts';

/** The files of repositories that were in front, in all windows of an account. */
export interface RecentFiles extends Disposable {
	/** Paths in a repository, the latest first, whatever the revision. */
	of(connectionKey: string, ref: RepositoryRef): readonly string[];
}

/** As many are remembered of each repository, and of as many repositories. */
const mostFiles = 50;
const mostRepositories = 100;
/** All that is kept goes to every window with each change of anything, so it stays small. */
const mostText = 32 * 1024;

/** Paths by repository, the one of the latest file first. */
type Paths = ReadonlyMap<string, readonly string[]>;

const byRepository = v.pipe(
	goodOf(v.tuple([v.string(), v.array(v.string())])),
	v.transform((entries): Paths => new Map(entries)),
);

/** Remembers what comes to the front. `keptOf`: where an account keeps it; without the account that holds nothing. */
export function recentFiles(keptOf: (connectionKey: string) => KeptText): RecentFiles {
	const owned = new Disposables();
	const known = new Map<string, () => Paths>();

	function pathsOf(connectionKey: string): Paths {
		const read = known.get(connectionKey) ?? kept(keptOf(connectionKey), byRepository, new Map());
		known.set(connectionKey, read);
		return read();
	}

	function note(): void {
		const place = fileInFront();
		if (!place || place.at.path === '') {
			return;
		}
		const { connectionKey, ref, at } = place;
		const before = pathsOf(connectionKey);
		const key = refText(ref);
		const [first] = before;
		if (first?.[0] === key && first[1][0] === at.path) {
			return;
		}
		const paths = [at.path, ...(before.get(key) ?? []).filter((path) => path !== at.path)].slice(0, mostFiles);
		const text = textOf([[key, paths], ...Array.from(before).filter(([other]) => other !== key)]);
		// What cannot be kept is found by its name all the same.
		keptOf(connectionKey)
			.write(text)
			.catch(() => undefined);
	}

	owned.add(vscode.window.tabGroups.onDidChangeTabs(note));
	owned.add(vscode.window.tabGroups.onDidChangeTabGroups(note));
	note();
	return {
		of: (connectionKey, ref) => pathsOf(connectionKey).get(refText(ref)) ?? [],
		dispose: () => owned.dispose(),
	};
}

/** Without what was longest not looked at, where there is too much. */
function textOf(entries: readonly (readonly [string, readonly string[]])[]): string {
	const kept = entries.slice(0, mostRepositories);
	for (;;) {
		const text = JSON.stringify(kept);
		const [last, paths] = kept.at(-1) ?? [];
		if (text.length <= mostText || last === undefined || paths === undefined) {
			return text;
		}
		kept.splice(-1, 1, ...(paths.length > 1 ? [[last, paths.slice(0, paths.length >> 1)] as const] : []));
	}
}
