import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import type { RepositoryRef, TreeEntry } from '../../forge/repository.ts';
import type { Connection } from '../../state/connection.ts';
import { entryKind, isSafeName } from '../../state/repositoryEntries.ts';
import { commitText } from './commitText.ts';
import type { Place } from './place.ts';
import { placeOfUri } from './placeUri.ts';
import type { RepositoriesParts } from './repositoriesParts.ts';

/** The read-only file system `forge:`. Every address is one of `uriOfPlace`. */
export interface RepositoryFiles extends vscode.FileSystemProvider, Disposable {}

/** Addresses whose readers are told when something was pushed. */
const mostWatched = 2000;

type EntryPlace = Extract<Place, { readonly kind: 'entry' }>;

/** Files, folders and commits of all accounts' repositories. */
export function repositoryFiles({ connections, ready, problems }: RepositoriesParts): RepositoryFiles {
	const ending = new AbortController();
	const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
	/** What the editor has looked at, oldest first. */
	const looked = new Map<string, { readonly uri: vscode.Uri; readonly place: Place }>();
	const tooLarge = new Set<string>();
	let watching = watch();
	const subscription = connections.onDidChange(() => {
		watching.dispose();
		watching = watch();
	});

	function watch(): vscode.Disposable {
		const subscriptions = connections.all().map(({ key, repositories }) =>
			repositories.onDidChange((change) => {
				if (change.kind !== 'log') {
					tell(key, change.kind === 'repository' ? change.ref : undefined);
				}
			}),
		);
		return new vscode.Disposable(() => subscriptions.forEach((each) => each.dispose()));
	}

	function tell(key: string, ref: RepositoryRef | undefined): void {
		const stale = [...looked.values()].filter(({ place }) => place.connectionKey === key && isWithin(place, ref));
		if (stale.length > 0) {
			changed.fire(stale.map(({ uri }) => ({ type: vscode.FileChangeType.Changed, uri })));
		}
	}

	/** Answers in the file system's own errors, whose sentences the editor shows. */
	async function answer<T>(uri: vscode.Uri, work: (connection: Connection, place: Place) => Promise<T>): Promise<T> {
		const place = placeOfUri(uri);
		if (!place) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		try {
			const connection = await connectionOf(place);
			look(uri, place);
			return await work(connection, place);
		} catch (error) {
			throw fileSystemError(uri, error);
		}
	}

	/** After a reload of the window the accounts come a moment later than the documents. */
	async function connectionOf({ connectionKey }: Place): Promise<Connection> {
		const known = connections.byKey(connectionKey);
		if (known) {
			return known;
		}
		await ready();
		const connection = connections.byKey(connectionKey);
		if (!connection) {
			throw vscode.FileSystemError.Unavailable(
				vscode.l10n.t('You are not signed in to the account that this was opened with. Sign in and open it again.'),
			);
		}
		return connection;
	}

	function look(uri: vscode.Uri, place: Place): void {
		const key = uri.toString();
		looked.delete(key);
		looked.set(key, { uri, place });
		const [oldest] = looked.keys();
		if (looked.size > mostWatched && oldest !== undefined) {
			looked.delete(oldest);
		}
	}

	function fileSystemError(uri: vscode.Uri, error: unknown): Error {
		if (error instanceof vscode.FileSystemError) {
			return error;
		}
		if (isForgeError(error) && error.problem.kind === 'notFound') {
			// Not worth a line in the log: editors try names that may be there, such as settings files.
			return vscode.FileSystemError.FileNotFound(uri);
		}
		tellTooLarge(uri, error);
		problems.log(error);
		const { message } = problems.explain(error);
		if (!isForgeError(error)) {
			return vscode.FileSystemError.Unavailable(message);
		}
		switch (error.problem.kind) {
			case 'notSignedIn':
			case 'tokenRejected':
			case 'missingScope':
			case 'notAllowed':
				return vscode.FileSystemError.NoPermissions(message);
			case 'notFound':
			case 'invalid':
			case 'rateLimited':
			case 'serverError':
			case 'unreachable':
			case 'tooLarge':
			case 'notUnderstood':
			case 'redirected':
				return vscode.FileSystemError.Unavailable(message);
		}
	}

	/** The editor does not show our sentence in place of the file. Said once, because others may read files unasked. */
	function tellTooLarge(uri: vscode.Uri, error: unknown): void {
		if (isForgeError(error) && error.problem.kind === 'tooLarge' && !tooLarge.has(uri.toString())) {
			tooLarge.add(uri.toString());
			void problems.show(error);
		}
	}

	async function commitBytes({ repositories }: Connection, ref: RepositoryRef, id: string): Promise<Uint8Array> {
		const commit = await repositories.commit(ref, id, ending.signal);
		return new TextEncoder().encode(commitText(ref, commit, vscode.env.language));
	}

	async function statEntry({ repositories }: Connection, { ref, at }: EntryPlace): Promise<vscode.FileStat> {
		const found = await repositories.find(ref, at, ending.signal);
		if (found.kind === 'root') {
			const { id } = await repositories.folder(ref, at, ending.signal);
			return stat(vscode.FileType.Directory, id, 0);
		}
		const { entry } = found;
		const type = typeOf(entry);
		switch (entryKind(entry)) {
			case 'folder':
			case 'unknown':
				return stat(type, entry.id, 0);
			case 'submodule':
				return stat(type, entry.id, submoduleBytes(entry).byteLength);
			case 'file':
			case 'executable':
			case 'symlink':
				// Servers tell sizes nowhere. What is looked at is opened next, so its content is not read in vain.
				return stat(type, entry.id, await repositories.size(ref, entry.id, ending.signal));
		}
	}

	async function readEntry({ repositories }: Connection, place: EntryPlace, uri: vscode.Uri): Promise<Uint8Array> {
		const found = await repositories.find(place.ref, place.at, ending.signal);
		if (found.kind === 'root') {
			throw vscode.FileSystemError.FileIsADirectory(uri);
		}
		switch (entryKind(found.entry)) {
			case 'folder':
				throw vscode.FileSystemError.FileIsADirectory(uri);
			case 'submodule':
				return submoduleBytes(found.entry);
			case 'unknown':
				throw vscode.FileSystemError.FileNotFound(uri);
			case 'file':
			case 'executable':
			case 'symlink':
				return (await repositories.blob(place.ref, found.entry.id, ending.signal)).bytes;
		}
	}

	return {
		onDidChangeFile: changed.event,
		watch: () => new vscode.Disposable(() => undefined),
		stat: (uri) =>
			answer(uri, async (connection, place) =>
				place.kind === 'entry'
					? statEntry(connection, place)
					: stat(vscode.FileType.File, place.id, (await commitBytes(connection, place.ref, place.id)).byteLength),
			),
		readFile: (uri) =>
			answer(uri, (connection, place) =>
				place.kind === 'entry' ? readEntry(connection, place, uri) : commitBytes(connection, place.ref, place.id),
			),
		readDirectory: (uri) =>
			answer(uri, async ({ repositories }, place) => {
				if (place.kind !== 'entry') {
					throw vscode.FileSystemError.FileNotADirectory(uri);
				}
				const { entries } = await repositories.folder(place.ref, place.at, ending.signal);
				const known = new Map<string, vscode.FileType>();
				for (const entry of entries.filter(({ name }) => isSafeName(name))) {
					// Of several with one name only the first can be opened.
					known.set(entry.name, known.get(entry.name) ?? typeOf(entry));
				}
				return [...known];
			}),
		createDirectory: refuse,
		writeFile: refuse,
		delete: refuse,
		rename: refuse,
		dispose() {
			ending.abort();
			subscription.dispose();
			watching.dispose();
			changed.dispose();
		},
	};
}

function refuse(uri: vscode.Uri): never {
	throw vscode.FileSystemError.NoPermissions(uri);
}

function isWithin({ ref: { owner, name } }: Place, ref: RepositoryRef | undefined): boolean {
	return ref === undefined || (ref.owner === owner && ref.name === name);
}

/** A link is a file that says where it points; a submodule one that says at which commit it stands. */
function typeOf(entry: TreeEntry): vscode.FileType {
	switch (entryKind(entry)) {
		case 'folder':
			return vscode.FileType.Directory;
		case 'symlink':
			return vscode.FileType.File | vscode.FileType.SymbolicLink;
		case 'file':
		case 'executable':
		case 'submodule':
			return vscode.FileType.File;
		case 'unknown':
			return vscode.FileType.Unknown;
	}
}

function submoduleBytes({ id }: TreeEntry): Uint8Array {
	return new TextEncoder().encode(`Subproject commit ${id}\n`);
}

/**
 * The time of the last change is made from the content's id: the same for as long as the content is, another one when
 * it is not, which is all that the editor asks of it. Servers tell no time of a file.
 */
function stat(type: vscode.FileType, id: string, size: number): vscode.FileStat {
	const mtime = Number.parseInt(id.slice(0, 10), 16) || 0;
	return { type, ctime: 0, mtime, size, permissions: vscode.FilePermission.Readonly };
}
