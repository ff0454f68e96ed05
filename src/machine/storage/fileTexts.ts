import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter, type Event } from '@forge-desk/base/event.ts';
import { Disposables, onDispose, type Disposable } from '@forge-desk/base/lifecycle.ts';
import type { KeptText } from '../../store/shared/keptText.ts';
import type { JournalPlace, OrphanedFile } from '../../store/shared/writeJournal.ts';
import { isMissing, namesIn } from './objectFiles.ts';
import { privateFolderMode, processMark, processOf, replaceNow, flushFile } from './replaceNow.ts';

/** Fast enough for state shared between windows; a poll costs microseconds. */
const everyMs = 2000;

/** Living windows with entries renew every minute. The lease covers process ids that the system reuses. */
const leaseMs = 10 * 60_000;

/** Process id in the name of a released file. */
const nobody = '0';

/**
 * A text that moved from the editor's storage, where windows overwrite each other. `earlier`: its place in previous
 * versions.
 */
export function movedText(place: KeptText, earlier: KeptText): KeptText {
	return { read: () => place.read() ?? earlier.read(), write: (text) => place.write(text) };
}

const dayMs = 86_400_000;

/**
 * Texts of accounts as files: for data that must survive a crash, or reach other windows immediately. The editor's
 * storage writes late, and windows read it only at startup.
 */
export type FileTexts = ReturnType<typeof fileTexts>;

/** `isThere`: false after sign-out; then writes are ignored. `outboxes`: shows files of a journal that nobody can read. */
export function fileTexts(
	folder: string,
	isThere: (connectionKey: string) => boolean,
	clock: Clock,
	outboxes: string = join(dirname(folder), 'outbox'),
) {
	const folderOf = (connectionKey: string): string => join(folder, nameOf(connectionKey));
	const pathOf = (kind: string, connectionKey: string): string => join(folderOf(connectionKey), `${kind}.json`);
	return {
		/**
		 * `kind` is part of the file name. Creates nothing before the first write. `ifWritten`: caches the text while the
		 * file's stat is unchanged, for texts that strangers can cause to be read often. Two writes within one tick of the
		 * disk's clock may be missed, so never base a write on such a read.
		 */
		of(kind: string, connectionKey: string, reading: 'always' | 'ifWritten' = 'always'): KeptText {
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
		/** Fires on writes by any window. */
		watched: (kind: string, connectionKey: string) => watchedFile(pathOf(kind, connectionKey), clock),
		/** Storage of the account's write journal. */
		journalOf: (connectionKey: string) =>
			journalFiles(folderOf(connectionKey), () => isThere(connectionKey), clock, join(outboxes, nameOf(connectionKey))),
		/** Deletes all texts of an account. */
		forget: (connectionKey: string) => rm(folderOf(connectionKey), { recursive: true, force: true }),
		/**
		 * Deletes the texts of signed-out accounts. Does nothing without any signed-in account, because an unreadable
		 * secret storage looks the same. Keeps texts younger than a day, which may belong to another window's account.
		 * `signedIn` runs after listing the folders, so an account that signs in meanwhile loses nothing.
		 */
		async keepOnly(signedIn: () => Promise<readonly string[]>) {
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
export function nameOf(connectionKey: string): string {
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

/** A folder or an unreadable file has no text. */
function textOf(path: string): string | undefined {
	try {
		return textIn(path);
	} catch {
		return undefined;
	}
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

/**
 * One file per window, named by the mark of its process. A window adopts a file by renaming it to its own mark. The
 * rename succeeds for one window only, and the file can be adopted again if that window crashes. `isThere`: false after
 * sign-out; then nothing is written. `aside`: folder for files that nobody can read. `mark`: of this process.
 */
export function journalFiles(
	folder: string,
	isThere: () => boolean,
	clock: Clock,
	aside: string,
	mark: string = processMark(process.pid),
): JournalPlace {
	const computer = mark.slice(0, mark.indexOf('.'));
	const newName = (of: string): string => `writes.${of}.${randomBytes(4).toString('hex')}.json`;
	const pathOf = (name: string): string => join(folder, name);
	const own = newName(mark);
	/** The own file, and adopted files that are not removed yet. */
	const ours = new Set([own]);

	function isLeft(name: string, minAgeMs: number): boolean {
		const [, of] = /^writes\.([0-9a-f]{8}\.\d{1,15}(?:\.[0-9a-f]{1,15})?)\.[0-9a-f]{8}\.json$/.exec(name) ?? [];
		const writtenMs = statSync(pathOf(name), { throwIfNoEntry: false })?.mtimeMs;
		if (of === undefined || ours.has(name) || writtenMs === undefined) {
			return false;
		}
		// File times have fractions of a millisecond, and the clock may have been set back.
		const ageMs = clock.nowMs() - writtenMs;
		const isEnded = `${of}.`.startsWith(`${computer}.${nobody}.`) || processOf(of, mark) === 'ended';
		return Math.abs(ageMs) > leaseMs || (isEnded && Math.max(0, ageMs) >= minAgeMs);
	}

	function taken(name: string): OrphanedFile | undefined {
		const to = newName(mark);
		const setAside = (): void => {
			mkdirSync(aside, { recursive: true, mode: privateFolderMode });
			renameSync(pathOf(to), join(aside, to));
		};
		try {
			renameSync(pathOf(name), pathOf(to));
			ours.add(to);
			return { text: textOf(pathOf(to)), remove: () => rmSync(pathOf(to), { force: true }), setAside };
		} catch (error) {
			if (isMissing(error)) {
				// Another window adopted it first.
				return undefined;
			}
			throw error;
		}
	}

	return {
		async write(text) {
			if (!isThere()) {
				return;
			}
			if (text === '') {
				return rmSync(pathOf(own), { force: true });
			}
			mkdirSync(folder, { recursive: true, mode: privateFolderMode });
			replaceNow(pathOf(own), text);
			await flushFile(pathOf(own));
		},
		renew() {
			const nowS = clock.nowMs() / 1000;
			try {
				utimesSync(pathOf(own), nowS, nowS);
			} catch {
				// `write` reports a failing disk.
			}
		},
		release() {
			for (const name of ours) {
				try {
					renameSync(pathOf(name), pathOf(newName(`${computer}.${nobody}`)));
				} catch (error) {
					if (!isMissing(error)) {
						throw error;
					}
				}
			}
		},
		adopt(minAgeMs) {
			return namesIn(folder)
				.filter((name) => isLeft(name, minAgeMs))
				.flatMap((name) => taken(name) ?? []);
		},
	};
}

/** Fires on writes by any window. */
interface WatchedFile extends Disposable {
	readonly onDidWrite: Event<void>;
}

/** Polls the file's stat: native watchers differ by system and don't work on network disks. */
function watchedFile(path: string, clock: Clock): WatchedFile {
	const owned = new Disposables();
	const written = owned.add(new Emitter<void>());
	let last = signOf(path);
	let timer = clock.after(everyMs, look);
	owned.add(onDispose(() => timer.dispose()));

	function look(): void {
		const now = signOf(path);
		if (now !== last) {
			last = now;
			written.fire();
		}
		timer = clock.after(everyMs, look);
	}

	return { onDidWrite: written.event, dispose: () => owned.dispose() };
}

/**
 * Fingerprint of a file. Each write replaces the file, so the inode changes even within one tick of the disk's clock.
 * Empty for a missing file.
 */
function signOf(path: string): string {
	try {
		const found = statSync(path, { throwIfNoEntry: false, bigint: true });
		return found ? `${found.ino} ${found.mtimeNs} ${found.size}` : '';
	} catch {
		return ''; // The reader gets the error.
	}
}
