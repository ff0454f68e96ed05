import * as vscode from 'vscode';
import { LRUCache } from 'lru-cache';
import type { Problems } from '../../../editor/ask/problems.ts';
import { readOnlyFiles } from '../../../editor/documents/readOnlyFiles.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import { treeOrPart } from '../../../store/repositories/repositoryFolders.ts';
import { type EntryPlace, type Place, placeOfUri, uriOfPlace } from '../subjects/place.ts';
import { shownName } from '../subjects/words.ts';
import { placeReads } from './placeReads.ts';
import type { RepositoriesContext } from '../parts/repositoriesContext.ts';

/** Maximum of URIs that receive change events after a push. */
const mostWatched = 2000;

/**
 * The read-only file system `forge:` with files, folders and commits of all accounts' repositories. Its URIs come from
 * `uriOfPlace`.
 */
export function repositoryFiles({ connections, ready, problems, tooLarge }: RepositoriesContext) {
	const ending = new AbortController();
	const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
	const fileSystemError = fileErrors(problems, tooLarge);
	const reads = placeReads(ending.signal);
	/** Recently accessed URIs. */
	const looked = new LRUCache<string, { readonly uri: vscode.Uri; readonly place: Place }>({ max: mostWatched });
	/** Roots with a note in place of their files. */
	const troubled = new Map<string, vscode.Uri>();
	let watching = watch();
	let present = keysOf(connections);
	const subscription = connections.onDidChange(() => {
		watching.dispose();
		watching = watch();
		tryRootsAgain();
		// Sign-out removes the names of files, and sign-in restores them.
		const before = present;
		present = keysOf(connections);
		for (const key of new Set([...before, ...present])) {
			if (before.has(key) !== present.has(key)) {
				tell(key, undefined);
			}
		}
	});

	function watch(): vscode.Disposable {
		const subscriptions = connections.all().map(({ key, repositories }) =>
			repositories.onDidChange((change) => {
				if (change.kind === 'moved' || change.kind === 'deleted') {
					tell(key, change.ref);
				} else if (change.kind === 'renamed') {
					tell(key, change.from);
				}
			}),
		);
		return new vscode.Disposable(() => subscriptions.forEach((each) => each.dispose()));
	}

	function tell(key: string, ref: RepositoryRef | undefined): void {
		const stale = [...looked.values()].filter(
			({ place }) =>
				place.connectionKey === key &&
				(ref === undefined || (ref.owner === place.ref.owner && ref.name === place.ref.name)),
		);
		if (stale.length > 0) {
			changed.fire(
				stale.flatMap(({ uri, place }) =>
					place.kind === 'entry' && place.at.path === '' ? rootChanges(uri, 'Created') : [changeOf(uri, 'Changed')],
				),
			);
		}
	}

	function tryRootsAgain(): void {
		const roots = Array.from(troubled.values());
		troubled.clear();
		if (roots.length > 0) {
			changed.fire(roots.flatMap((uri) => rootChanges(uri, 'Deleted')));
		}
	}

	/** Converts failures to file system errors: the editor shows their messages. */
	async function answer<T>(uri: vscode.Uri, work: (connection: Connection, place: Place) => Promise<T>): Promise<T> {
		const place = placeOfUri(uri);
		if (!place) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		try {
			const connection = await connectionOf(place);
			if (!connection) {
				throw vscode.FileSystemError.Unavailable(
					vscode.l10n.t('You are not signed in to the account that this was opened with. Sign in and open it again.'),
				);
			}
			looked.set(uri.toString(), { uri, place });
			return await work(connection, place);
		} catch (error) {
			throw fileSystemError(uri, error);
		}
	}

	/** After a window reload, documents open before the accounts are ready. */
	async function connectionOf({ connectionKey }: Place): Promise<Connection | undefined> {
		const known = connections.byKey(connectionKey);
		if (!known) {
			await ready();
		}
		return known ?? connections.byKey(connectionKey);
	}

	/** The reason for an empty root; `undefined` if it has content. */
	async function troubleOf(place: EntryPlace): Promise<RootTrouble | undefined> {
		const connection = await connectionOf(place);
		if (!connection) {
			return { kind: 'signedOut' };
		}
		const { ref, at } = place;
		try {
			const standing = await connection.repositories.folders.standing(ref, at.ref, ending.signal);
			await treeOrPart(connection.repositories.folders.folder(ref, { ref: at.ref, path: '' }, ending.signal));
			return standing ? undefined : { kind: 'empty', connection };
		} catch (error) {
			return { kind: 'failed', error };
		}
	}

	/** Content of a generated note about an empty root or missing folder entries. */
	async function readNote(uri: vscode.Uri, place: EntryPlace): Promise<Uint8Array | undefined> {
		if (place.at.path !== noteName()) {
			return answer(uri, (connection) => reads.partNote(connection, place));
		}
		const root: EntryPlace = { ...place, at: { ref: place.at.ref, path: '' } };
		const trouble = await troubleOf(root);
		if (trouble) {
			const uri = uriOfPlace(root);
			troubled.set(uri.toString(), uri);
		}
		const title = vscode.l10n.t('{0} at {1}', shownName(refText(place.ref)), shownName(place.at.ref));
		const lines = trouble && [`# ${title}`, ...linesOf(place, trouble, problems)];
		return lines && new TextEncoder().encode(`${lines.join('\n\n')}\n`);
	}

	return {
		...readOnlyFiles(async (uri) => {
			const place = placeOfUri(uri);
			const note = place?.kind === 'entry' ? await readNote(uri, place) : undefined;
			return (
				note ??
				answer(uri, (connection, found) =>
					found.kind === 'entry' ? reads.readEntry(connection, found) : reads.commitBytes(connection, found),
				)
			);
		}),
		onDidChangeFile: changed.event,
		/** Retries roots that failed. */
		tryRootsAgain,
		async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
			const place = placeOfUri(uri);
			if (place?.kind === 'entry' && place.at.path === '') {
				// The root always exists: nothing could repair a workspace without its folder.
				const trouble = await troubleOf(place);
				if (trouble) {
					troubled.set(uri.toString(), uri);
					return {
						type: vscode.FileType.Directory,
						ctime: 0,
						mtime: 0,
						size: 0,
						permissions: vscode.FilePermission.Readonly,
					};
				}
				return answer(uri, (connection) => reads.statEntry(connection, place));
			}
			const note = place?.kind === 'entry' ? await readNote(uri, place) : undefined;
			if (note) {
				return {
					type: vscode.FileType.File,
					ctime: 0,
					mtime: 0,
					size: note.byteLength,
					permissions: vscode.FilePermission.Readonly,
				};
			}
			return answer(uri, (connection, found) =>
				found.kind === 'entry' ? reads.statEntry(connection, found) : reads.statCommit(connection, found),
			);
		},
		async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
			const place = placeOfUri(uri);
			if (place?.kind === 'entry' && place.at.path === '') {
				const trouble = await troubleOf(place);
				if (trouble) {
					troubled.set(uri.toString(), uri);
					looked.set(uri.toString(), { uri, place });
					return [[noteName(), vscode.FileType.File]];
				}
				return answer(uri, (connection) => reads.readFolder(connection, place));
			}
			return answer(uri, async (connection, found) => {
				if (found.kind !== 'entry') {
					throw vscode.FileSystemError.FileNotADirectory(uri);
				}
				return reads.readFolder(connection, found);
			});
		},
		dispose() {
			ending.abort();
			subscription.dispose();
			watching.dispose();
			changed.dispose();
		},
	};
}

/**
 * The Explorer ignores a change event of a folder. It reloads when an unknown child appears or a known one disappears, so the
 * note's event goes with it.
 */
function rootChanges(uri: vscode.Uri, note: 'Created' | 'Deleted'): readonly vscode.FileChangeEvent[] {
	return [changeOf(uri, 'Changed'), changeOf(vscode.Uri.joinPath(uri, noteName()), note)];
}

function changeOf(uri: vscode.Uri, type: keyof typeof vscode.FileChangeType): vscode.FileChangeEvent {
	return { type: vscode.FileChangeType[type], uri };
}

function keysOf(connections: Connections): ReadonlySet<string> {
	return new Set(connections.all().map(({ key }) => key));
}

/** The reason for an empty root. */
type RootTrouble =
	| { readonly kind: 'signedOut' }
	| { readonly kind: 'empty'; readonly connection: Connection }
	| { readonly kind: 'failed'; readonly error: unknown };

/** Localized name of the note in an empty root. */
function noteName(): string {
	return vscode.l10n.t('Why is this empty?.md');
}

/** Text of the note: the problem and the next step. */
function linesOf(place: EntryPlace, trouble: RootTrouble, problems: Problems): readonly string[] {
	switch (trouble.kind) {
		case 'signedOut':
			return [
				vscode.l10n.t('You are not signed in to the account that this was opened with: {0}.', place.connectionKey),
				vscode.l10n.t('Run the command "Forge: Sign In…". The files then load automatically.'),
			];
		case 'empty':
			return [
				vscode.l10n.t('This repository is empty: nothing has been pushed to it yet.'),
				vscode.l10n.t('Push a branch to it, then choose "Refresh" in the Repositories view.'),
			];
		case 'failed':
			return isForgeError(trouble.error) && trouble.error.problem.kind === 'notFound'
				? [
						vscode.l10n.t("This repository, branch or tag doesn't exist, or your account doesn't have access to it."),
						vscode.l10n.t('Choose another reference, or remove this folder from the workspace.'),
					]
				: [
						problems.explain(trouble.error).message,
						vscode.l10n.t('Forge Desk tries again when you return to this window. The files then load automatically.'),
					];
	}
}

/** Converts failures to file system errors; the editor shows their messages in places. */
type FileErrors = (uri: vscode.Uri, error: unknown) => Error;

/** `tooLarge` is called once for each file over the editor's limit. */
function fileErrors(problems: Problems, tooLarge: (uri: vscode.Uri, error: unknown) => void): FileErrors {
	const told = new Set<string>();

	return (uri, error) => {
		if (error instanceof vscode.FileSystemError) {
			return error;
		}
		if (!isForgeError(error)) {
			problems.log(error);
			return vscode.FileSystemError.Unavailable(problems.explain(error).message);
		}
		if (error.problem.kind === 'notFound') {
			// No log entry: editors probe for optional files, such as settings.
			return vscode.FileSystemError.FileNotFound(uri);
		}
		// The editor does not show our sentence in place of the file. Once, because others may read files unasked.
		if (error.problem.kind === 'tooLarge' && !told.has(uri.toString())) {
			told.add(uri.toString());
			tooLarge(uri, error);
		}
		problems.log(error);
		const { message } = problems.explain(error);
		switch (error.problem.kind) {
			case 'notSignedIn':
			case 'tokenRejected':
			case 'missingScope':
			case 'notAllowed':
				return vscode.FileSystemError.NoPermissions(message);
			case 'sessionUnreadable':
			case 'invalid':
			case 'notOffered':
			case 'rateLimited':
			case 'serverError':
			case 'unreachable':
			case 'tooLarge':
			case 'browserCheck':
			case 'notUnderstood':
			case 'redirected':
			case 'incomplete':
				return vscode.FileSystemError.Unavailable(message);
		}
	};
}
