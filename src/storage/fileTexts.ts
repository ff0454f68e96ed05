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
 * Texts of accounts, each a file of its own: for what must outlive a process that is killed, or must be seen by the other
 * windows at once. The editor's own storage writes later, and a window reads it only when it starts.
 */
export interface FileTexts {
	/**
	 * `kind` is part of the file's name. Nothing is there before the first text is written. `ifWritten`: for what strangers may
	 * cause to be read very often. The file is read only when its time, size or number are others than before, which may miss
	 * one of several writings within one tick of the disk's clock; so nothing must be written over because of that.
	 */
	of(kind: string, connectionKey: string, reading?: 'always' | 'ifWritten'): KeptText;
	/** Tells when one of them was written, by whichever window. */
	watched(kind: string, connectionKey: string): WatchedFile;
	/** Storage of the account's write journal. */
	journalOf(connectionKey: string): JournalPlace;
	/** Removes all texts of an account. */
	forget(connectionKey: string): Promise<void>;
	/**
	 * Removes the texts of accounts that are signed in no more, wherever they signed out. Nothing where nobody is signed in:
	 * a storage of secrets that cannot be read may look like that. Nor what was written within a day: another window may have
	 * an account that only it knows. `signedIn` is asked once it is known whose texts are there, so that of an account that
	 * signs in meanwhile nothing goes.
	 */
	keepOnly(signedIn: () => Promise<readonly string[]>): Promise<void>;
}

/**
 * A text for all windows. The editor stores everything of an extension as one value, so a window that writes anything may
 * undo what another one has just written. `earlier`: where previous versions kept the text.
 */
export function movedText(place: KeptText, earlier: Pick<KeptText, 'read'>): KeptText {
	return { read: () => place.read() ?? earlier.read(), write: (text) => place.write(text) };
}

const dayMs = 86_400_000;

export interface FileTextsParts {
	/** Absolute path. */
	readonly folder: string;
	/** Of an account that is gone nothing is written any more, whoever still tries. */
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
				// Another window may just remove it as well.
				const found = await stat(path).catch(() => undefined);
				if (found && clock.nowMs() - found.mtimeMs > dayMs) {
					await rm(path, { recursive: true, force: true });
				}
			}
		},
	};
}

/** File systems do not take every character of a key, and some do not tell capitals apart. */
function nameOf(connectionKey: string): string {
	return createHash('sha256').update(connectionKey).digest('hex').slice(0, 32);
}

function readIfWritten(path: string): () => string | undefined {
	let known: { readonly sign: string; readonly text: string | undefined } | undefined;
	return () => {
		// Before the text: what is written between the two is read the next time.
		const sign = signOf(path);
		known = known && sign !== '' && known.sign === sign ? known : { sign, text: textIn(path) };
		return known.text;
	};
}

function textIn(path: string): string | undefined {
	try {
		return readFileSync(path, 'utf8');
	} catch (error) {
		// Nothing was ever kept, or it is forgotten. What is there and cannot be read must not be written over.
		if (isMissing(error)) {
			return undefined;
		}
		throw error;
	}
}
