import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { KeptText } from '../state/shared/keptText.ts';
import type { JournalPlace } from '../state/shared/writeJournal.ts';
import { journalFiles } from './journalFiles.ts';
import { isMissing } from './objectFiles.ts';
import { privateFolderMode, replaceNow } from './replaceNow.ts';
import { signOf, watchedFile, type WatchedFile } from './watchedFile.ts';

/**
 * Texts of accounts as files: for data that must survive a crash, or reach other windows immediately. The editor's
 * storage writes late, and windows read it only at startup.
 */
export interface FileTexts {
	/**
	 * `kind` is part of the file name. Creates nothing before the first write. `ifWritten`: caches the text while the
	 * file's stat is unchanged, for texts that strangers can cause to be read often. Two writes within one tick of the
	 * disk's clock may be missed, so never base a write on such a read.
	 */
	of(kind: string, connectionKey: string, reading?: 'always' | 'ifWritten'): KeptText;
	/** Fires on writes by any window. */
	watched(kind: string, connectionKey: string): WatchedFile;
	/** Storage of the account's write journal. */
	journalOf(connectionKey: string): JournalPlace;
	/** Deletes all texts of an account. */
	forget(connectionKey: string): Promise<void>;
	/**
	 * Deletes the texts of signed-out accounts. Does nothing without any signed-in account, because an unreadable
	 * secret storage looks the same. Keeps texts younger than a day, which may belong to another window's account.
	 * `signedIn` runs after listing the folders, so an account that signs in meanwhile loses nothing.
	 */
	keepOnly(signedIn: () => Promise<readonly string[]>): Promise<void>;
}

/**
 * A text that moved from the editor's storage, where windows overwrite each other. `earlier`: its place in previous
 * versions.
 */
export function movedText(place: KeptText, earlier: Pick<KeptText, 'read'>): KeptText {
	return { read: () => place.read() ?? earlier.read(), write: (text) => place.write(text) };
}

const dayMs = 86_400_000;

export interface FileTextsParts {
	/** Absolute path. */
	readonly folder: string;
	/** False after sign-out; then writes are ignored. */
	readonly isThere: (connectionKey: string) => boolean;
	readonly clock: Clock;
}

export function fileTexts({ folder, isThere, clock }: FileTextsParts): FileTexts {
	const folderOf = (connectionKey: string): string => join(folder, nameOf(connectionKey));
	const pathOf = (kind: string, connectionKey: string): string => join(folderOf(connectionKey), `${kind}.json`);
	return {
		of(kind, connectionKey, reading = 'always') {
			const path = pathOf(kind, connectionKey);
			return {
				read: reading === 'always' ? () => textIn(path) : readIfWritten(path),
				async write(text) {
					if (isThere(connectionKey)) {
						mkdirSync(folderOf(connectionKey), { recursive: true, mode: privateFolderMode });
						replaceNow(path, text);
					}
				},
			};
		},
		watched: (kind, connectionKey) => watchedFile(pathOf(kind, connectionKey), clock),
		journalOf: (connectionKey) =>
			journalFiles({
				folder: folderOf(connectionKey),
				isThere: () => isThere(connectionKey),
				pid: process.pid,
				clock,
			}),
		forget: (connectionKey) => rm(folderOf(connectionKey), { recursive: true, force: true }),
		async keepOnly(signedIn) {
			const there = await readdir(folder).catch(() => []);
			const wanted = new Set((await signedIn()).map(nameOf));
			const others = wanted.size === 0 ? [] : there.filter((name) => !wanted.has(name));
			for (const path of others.map((name) => join(folder, name))) {
				// Another window may delete it at the same time.
				const found = await stat(path).catch(() => undefined);
				if (found && clock.nowMs() - found.mtimeMs > dayMs) {
					await rm(path, { recursive: true, force: true });
				}
			}
		},
	};
}

/** File systems don't accept every character of a key, and some are case-insensitive. */
function nameOf(connectionKey: string): string {
	return createHash('sha256').update(connectionKey).digest('hex').slice(0, 32);
}

function readIfWritten(path: string): () => string | undefined {
	let known: { readonly sign: string; readonly text: string | undefined } | undefined;
	return () => {
		// Read the stat first: a write in between then causes another read.
		const sign = signOf(path);
		known = known && sign !== '' && known.sign === sign ? known : { sign, text: textIn(path) };
		return known.text;
	};
}

function textIn(path: string): string | undefined {
	try {
		return readFileSync(path, 'utf8');
	} catch (error) {
		// Missing is normal. An unreadable file must not be overwritten, so throw.
		if (isMissing(error)) {
			return undefined;
		}
		throw error;
	}
}
