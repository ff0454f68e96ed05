import * as vscode from 'vscode';
import * as v from 'valibot';
import { isAbort } from '@forge-desk/base/abort.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { resting, runResting } from '@forge-desk/base/timeSlice.ts';
import { choose } from '../../../editor/ask/ask.ts';
import { liveQuickPick, type LiveBox, showRows } from '../../../editor/ask/liveQuickPick.ts';
import { plainUnderBox } from '../../../editor/ask/notify.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { Feature } from '../../../editor/commands/feature.ts';
import type { GoToName, GoToThing } from '../../../editor/links/goToThing.ts';
import type { TreeSource } from '../../../editor/trees/treeSource.ts';
import { rankPaths } from '../../../engine/search/paths/rankPaths.ts';
import { typedPath } from '../../../engine/search/paths/typedPath.ts';
import { type KnownThings, thingSource } from '../../../engine/search/rankThings.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { type RepositoryRef, isSameRepository, ownRepositoryRef } from 'sourcehut/port/repository.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import type { PathIndex, IndexedPath } from '../../../store/repositories/find/pathIndex.ts';
import { PathIndexes } from '../../../store/repositories/find/pathIndexes.ts';
import { type KeptText, goodOf, kept } from '../../../store/shared/keptText.ts';
import type { ChosenFile, FileSearch, RepositoriesContext } from '../parts/repositoriesContext.ts';
import { fileInFront, openFolders } from '../places/openPlaces.ts';
import { type EntryPlace, uriOfPlace } from '../subjects/place.ts';
import { shownName } from '../subjects/words.ts';
import { fileRows, indexText, isPath, type FileRow } from './fileRows.ts';
import { searchCommands } from './searchCommands.ts';
import { searchView } from './searchView.ts';

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

/** As many files are offered; typing on narrows them. */
const most = 100;

/** While the index is read the rows are drawn anew when it has grown by this much, because drawing costs as much as it is long. */
const growth = 1.5;

/** Finds files of repositories by name and by content. */
export interface FindFeature extends Feature {
	/** Search results. */
	readonly tree: TreeSource;
	readonly known: KnownThings<GoToName, GoToThing>;
	/** Asks for a file. Throws an abort on cancel. */
	readonly askFile: (where: FileSearch, signal: AbortSignal) => Promise<ChosenFile>;
}

/** Paths to offer. */
export interface FindablePaths {
	readonly indexes: PathIndexes;
	readonly recent: RecentFiles;
}

/** `placeOf`: place to search for a command on a row, an open file or nothing. Asks if necessary. */
export function findFeature(
	context: RepositoriesContext,
	placeOf: (subject: unknown, signal: AbortSignal) => Promise<FileSearch>,
): FindFeature {
	const owned = new Disposables();
	const { connections, clock, problems } = context;
	const indexes = owned.add(new PathIndexes(connections, () => resting(clock)));
	const recent = owned.add(recentFiles(context.recentFilesOf));
	const results = owned.add(searchView(context));
	return {
		tree: results.tree,
		known: knownFiles(connections, problems, indexes),
		commands: searchCommands(context, indexes, results, placeOf),
		askFile: (where, signal) => goToFile(context, { indexes, recent }, where, signal),
		dispose: () => owned.dispose(),
	};
}

/**
 * Asks for a file by a part of its name, among those that are known so far; a path typed in full is taken as well. Files
 * looked at lately come first. Throws an abort when the box is closed.
 */
export async function goToFile(
	context: RepositoriesContext,
	paths: FindablePaths,
	where: FileSearch,
	signal: AbortSignal,
): Promise<ChosenFile> {
	let at = where.at;
	let typed = '';
	for (;;) {
		const { choice, text, folders } = await askFile(context, paths, { ...where, at }, typed, signal);
		if (choice.kind === 'open') {
			// A name may well end like a line; what was typed means a line only when it is not the name itself.
			const { line, column } = choice.path === text ? typedPath('') : typedPath(text);
			return { path: choice.path, line, column };
		}
		const rows = folders.map((path) => ({ label: shownName(path), iconPath: vscode.ThemeIcon.Folder, value: path }));
		at = { ref: at.ref, path: await choose(vscode.l10n.t('Choose a folder to search in'), rows) };
		typed = text;
	}
}

interface Answer {
	readonly choice: Exclude<FileRow['choice'], { readonly kind: 'goOn' }>;
	readonly text: string;
	readonly folders: readonly string[];
}

async function askFile(
	{ clock, problems }: RepositoriesContext,
	{ indexes, recent }: FindablePaths,
	{ connection, ref, at }: FileSearch,
	typed: string,
	signal: AbortSignal,
): Promise<Answer> {
	let index: PathIndex | undefined;
	let holding = new Disposables();
	let drawnFiles = 0;
	let drawnStanding: PathIndex['standing'] | undefined;

	const uriOf = (path: string): vscode.Uri =>
		uriOfPlace({ kind: 'entry', connectionKey: connection.key, ref, at: { ref: at.ref, path } });

	/** Holding it anew reads on where reading stopped. */
	function hold(redraw: () => void): void {
		const before = holding;
		holding = new Disposables();
		if (index) {
			holding.add(
				index.onDidChange(() => {
					const files = index?.entries.length ?? 0;
					if (index?.standing !== drawnStanding || files >= Math.max(most, drawnFiles * growth)) {
						redraw();
					}
				}),
			);
			holding.add(index.hold());
		}
		before.dispose();
	}

	async function begin({ box, ended, redraw }: LiveBox<FileRow>): Promise<void> {
		try {
			index = await indexes.of(connection, ref, at, ended);
			if (!ended.aborted) {
				hold(redraw);
				redraw();
			}
		} catch (error) {
			if (!isAbort(error)) {
				problems.log(error);
				// The box is open, and the whole path can still be typed.
				box.prompt = plainUnderBox(problems.explain(error).message);
				box.busy = false;
			}
		}
	}

	try {
		return await liveQuickPick<FileRow, Answer>(
			(live) => {
				const { box } = live;
				const place = `${refText(ref)}${at.path === '' ? '' : `/${at.path}`}`;
				box.title = vscode.l10n.t('Open a file of {0} at {1}', shownName(place), shownName(at.ref));
				box.placeholder = vscode.l10n.t('Part of the name or path; add :12 to go to a line');
				box.busy = true;
				box.value = typed;
				void begin(live);
				return {
					async draw(drawing) {
						const shown = index;
						if (!shown) {
							return;
						}
						drawnFiles = shown.entries.length;
						drawnStanding = shown.standing;
						const forText = box.value;
						const { text } = typedPath(forText);
						const wish = { typed: text, limit: most, recent: recent.of(connection.key, ref) };
						const found = await runResting(rankPaths(wish, shown.entries), resting(clock), drawing);
						drawing.throwIfAborted();
						const rows = fileRows({ found, typed: forText, path: text.trim(), index: shown, uriOf });
						showRows(box, rows, (one, other) => one.description === other.description && one.forText === other.forText);
						box.busy = shown.standing.kind === 'reading';
						const { standing } = shown;
						box.prompt = plainUnderBox(
							standing.kind === 'failed'
								? vscode.l10n.t('{0} {1}', problems.explain(standing.error).message, indexText(shown))
								: indexText(shown),
						);
					},
					take({ choice }) {
						if (choice.kind === 'goOn') {
							index?.goOn();
							hold(live.redraw);
							return undefined;
						}
						return { choice, text: box.value, folders: index?.folders ?? [] };
					},
					takeText(text) {
						const path = typedPath(text).text.trim();
						return index || !isPath(path) ? undefined : { choice: { kind: 'open', path }, text, folders: [] };
					},
				};
			},
			problems,
			signal,
		);
	} finally {
		holding.dispose();
	}
}

/** Repositories for Go to…, and the indexed files of mounted ones. */
export function knownFiles(
	connections: Connections,
	problems: Problems,
	indexes: PathIndexes,
): KnownThings<GoToName, GoToThing> {
	/** Paths below mounted folders, by the folder's URI. */
	const read = new Map<string, readonly IndexedPath[]>();

	function mounted(): readonly { readonly uri: string; readonly place: EntryPlace; readonly connection: Connection }[] {
		return openFolders().flatMap(({ folder, place }) => {
			const connection = connections.byKey(place.connectionKey);
			return connection ? [{ uri: folder.uri.toString(), place, connection }] : [];
		});
	}

	async function learnPaths(signal: AbortSignal): Promise<void> {
		for (const { uri, place, connection } of mounted()) {
			// The index loads with the first search for a file name, so it may be empty.
			read.set(uri, (await indexes.of(connection, place.ref, place.at, signal)).entries);
		}
	}

	return {
		names() {
			const ofMounted = mounted().map(({ connection, place }) => ({ connection, ref: place.ref }));
			const others = connections.all().flatMap((connection) => {
				const { repositories, me } = connection;
				const own = repositories.own.known()?.items ?? [];
				const refs = [...own.map((each) => ownRepositoryRef(each, me)), ...repositories.followed.all()];
				return refs.map((ref) => ({ connection, ref }));
			});
			const all = [...ofMounted, ...others];
			return all
				.filter(
					({ connection, ref }, place) =>
						all.findIndex((other) => other.connection === connection && isSameRepository(other.ref, ref)) === place,
				)
				.map((each) => ({ ...each, kind: 'repository' }));
		},
		sources: () =>
			mounted().map(({ uri, place: { ref, at }, connection }) =>
				thingSource(
					read.get(uri) ?? [],
					{ text: ({ path, nameStart }) => `${path.slice(nameStart)} ${path}`, atMs: () => 0 },
					({ path }) => ({
						connection,
						to: { kind: 'file', ref, at: { ref: at.ref, path }, lines: undefined },
						label: '',
						text: `${shownName(path)} · ${shownName(refText(ref))}`,
						icon: vscode.ThemeIcon.File,
					}),
				),
			),
		learn(changed, signal) {
			const log = problems.log;
			for (const { repositories } of connections.all()) {
				repositories.own.first(signal).then(changed, log);
			}
			learnPaths(signal).then(changed, log);
		},
	};
}
