import * as v from 'valibot';
import * as vscode from 'vscode';
import { Disposables } from '../../../base/lifecycle.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import type { RepositoryRef } from '../../../forge/port/repository.ts';
import { type KeptText, goodOf, kept } from '../../../store/shared/keptText.ts';
import { fileInFront } from '../places/openPlaces.ts';

/** Maximum number of paths per repository, and of repositories. */
const mostFiles = 50;
const mostRepositories = 100;
/** Every change sends the whole store to every window, so keep it small. */
const mostText = 32 * 1024;

/** Paths by repository, the one of the latest file first. */
type Paths = ReadonlyMap<string, readonly string[]>;

const byRepository = v.pipe(
	goodOf(v.tuple([v.string(), v.array(v.string())])),
	v.transform((entries): Paths => new Map(entries)),
);

/** The files of repositories that were in front, in all windows of an account. */
export type RecentFiles = ReturnType<typeof recentFiles>;

/** Records active files. `keptOf` returns the account's storage. */
export function recentFiles(keptOf: (connectionKey: string) => KeptText) {
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
		// A failed write only loses the history; search still finds the file.
		keptOf(connectionKey)
			.write(text)
			.catch(() => undefined);
	}

	owned.add(vscode.window.tabGroups.onDidChangeTabs(note));
	owned.add(vscode.window.tabGroups.onDidChangeTabGroups(note));
	note();
	return {
		/** Paths in a repository, most recent first, across revisions. */
		of: (connectionKey: string, ref: RepositoryRef) => pathsOf(connectionKey).get(refText(ref)) ?? [],
		dispose: () => owned.dispose(),
	};
}

/** Drops the least recently viewed ones if there are too many. */
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
