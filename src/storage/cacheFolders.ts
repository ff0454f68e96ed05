import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deflate, deflateSync, inflate, inflateSync } from 'node:zlib';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/lifecycle.ts';
import { bytesIn, isMissing, makeFree, namesAmong, onDisk, unfinished, writeNew } from './objectFiles.ts';

/** Folders in which what can be read anew is kept for accounts. */
export interface CacheFolders {
	/** What is kept of an account. Nothing is made before the first file is kept. */
	of(connectionKey: string): CacheFiles;
	/** Removes all files of an account; what is still being written for it is dropped. */
	forget(connectionKey: string): Promise<void>;
	/** Removes what is kept of accounts that are signed in no more. */
	keepOnly(connectionKeys: readonly string[]): Promise<void>;
	/** Writes what waits, and settles once nothing is being written. */
	idle(): Promise<void>;
}

/** Files of one account, each by an id in hexadecimal digits, and packed. Whoever calls sees that it is one. */
export interface CacheFiles {
	/** What `open` makes of the bytes. What it refuses by `undefined` or by an error is removed. Never rejects. */
	read<T>(id: string, open: (bytes: Buffer) => T | undefined | Promise<T | undefined>): Promise<T | undefined>;
	/** Which of these are there, without looking whether they are whole. Never rejects. */
	among(ids: Iterable<string>): Promise<ReadonlySet<string>>;
	/** Begins to keep a file. Nobody waits for it, and it may be given up. */
	keep(id: string, content: LateContent): void;
	/** Begins to remove a file, after what is to be kept already. Nobody waits for it. */
	drop(id: string): void;
	/** The same of all files whose ids begin with these digits, of which there are more than two. */
	dropAll(beginning: string): void;
}

/** Bytes that are made when there is time for them. */
export interface LateContent {
	readonly aboutBytes: number;
	/** `undefined` for what is not to be kept. */
	readonly bytes: () => Uint8Array | undefined | Promise<Uint8Array | undefined>;
	/** True for what takes the place of a file that is there already; else that one stays. */
	readonly isNewer: boolean;
}

export interface CacheLimits {
	/** The most that is kept of all accounts together, in whole blocks of the disk: most files are small. */
	readonly bytes: number;
	/** What is larger is read anew each time. */
	readonly fileBytes: number;
}

export const mebibyte = 1024 * 1024;

/** More than this waits for the disk to follow, and is dropped beyond it: it is only a cache. */
const mostWaitingBytes = 64 * mebibyte;
/** A pause as long as this ends a burst. */
const quietMs = 300;
/** When there is no more room, this much of it is made free. */
const freed = 0.2;
/** After so much of the room was written here, what all windows together have written is counted again. */
const recounted = 0.125;
/** How exactly the time of the last use is known; writing it down at every use would cost more than it tells. */
const useStepMs = 3_600_000;

/** What is no larger is packed and unpacked at once: handing it to another thread takes longer. */
const smallBytes = 4096;

const inflatedLater = promisify<Uint8Array, { readonly maxOutputLength: number }, Buffer>(inflate);
const deflatedLater = promisify<Uint8Array, Buffer>(deflate);

/** Keeps files below `folder`, in a folder for each account. What was used least recently goes when there is no more room. */
export function cacheFolders(folder: string, clock: Clock, limits: CacheLimits): CacheFolders {
	const nowMs = (): number => clock.nowMs();
	/** Settles once nothing is being written. One after the other: nobody waits for them, and the disk is shared. */
	let writing: Promise<unknown> = Promise.resolve();
	const forgotten = new Set<string>();
	/** What is to be written once nothing more has come for a moment: whoever reads a whole tree is not held up. */
	let waiting: (() => Promise<void>)[] = [];
	let quiet: Disposable | undefined;
	let waitingBytes = 0;
	/** Bytes on the disk; counted before the first write, kept up after that. */
	let counted: Promise<number> | undefined;
	let added = 0;

	const room = (connectionKey: string): string => join(folder, shortHash(connectionKey));

	async function read<T>(
		at: string,
		open: (bytes: Buffer) => T | undefined | Promise<T | undefined>,
	): Promise<T | undefined> {
		try {
			const opened = await open(await inflated(await readFile(at), limits.fileBytes));
			if (opened !== undefined) {
				void used(at).catch(() => undefined);
				return opened;
			}
		} catch (error) {
			if (isMissing(error)) {
				return undefined;
			}
		}
		// Half a file, or one that somebody changed: worth nothing, and in the way of a whole one.
		await rm(at, { force: true }).catch(() => undefined);
		return undefined;
	}

	async function used(at: string): Promise<void> {
		const now = nowMs();
		const { mtimeMs } = await stat(at);
		if (now - mtimeMs > useStepMs) {
			await utimes(at, now / 1000, now / 1000);
		}
	}

	async function write(connectionKey: string, at: string, content: Omit<LateContent, 'aboutBytes'>): Promise<void> {
		if (forgotten.has(connectionKey) || (!content.isNewer && (await exists(at)))) {
			return;
		}
		const bytes = await content.bytes();
		if (!bytes || bytes.byteLength > limits.fileBytes) {
			return;
		}
		const packed = await deflated(bytes);
		await makeRoom(onDisk(packed.byteLength));
		// Two windows may write at once; each has a name of its own until its file is whole.
		const draft = `${at}.${randomBytes(6).toString('hex')}${unfinished}`;
		try {
			await writeNew(draft, packed);
			await rename(draft, at);
			added += onDisk(packed.byteLength);
		} catch (error) {
			await rm(draft, { force: true }).catch(() => undefined);
			throw error;
		}
		if (forgotten.has(connectionKey)) {
			await rm(at, { force: true });
		}
	}

	function writeWaiting(): void {
		const all = waiting;
		waiting = [];
		quiet?.dispose();
		quiet = undefined;
		for (const each of all) {
			writing = writing.then(each);
		}
	}

	/** A full disk is no reason to fail what can be read all the same. */
	function later(work: () => Promise<void>, aboutBytes: number): void {
		waitingBytes += aboutBytes;
		waiting.push(async () => {
			await work().catch(() => undefined);
			waitingBytes -= aboutBytes;
		});
		quiet?.dispose();
		quiet = clock.after(waitingBytes > mostWaitingBytes / 2 ? 0 : quietMs, writeWaiting);
	}

	async function makeRoom(wanted: number): Promise<void> {
		// Other windows write, too, so the disk is asked now and then, and not only one's own count.
		if (counted === undefined || added > limits.bytes * recounted) {
			added = 0;
			counted = bytesIn(folder);
		}
		if ((await counted) + added + wanted <= limits.bytes) {
			return;
		}
		added = 0;
		counted = makeFree(folder, limits.bytes * (1 - freed) - wanted, nowMs());
		await counted;
	}

	return {
		of(connectionKey) {
			forgotten.delete(connectionKey);
			const pathOf = (id: string): string => join(room(connectionKey), id.slice(0, 2), id.slice(2));
			return {
				read: (id, open) => read(pathOf(id), open),
				among: (ids) => namesAmong(room(connectionKey), ids),
				drop: (id) => later(() => rm(pathOf(id), { force: true }), 0),
				dropAll: (beginning) =>
					later(() => removeBeginning(dirname(pathOf(beginning)), basename(pathOf(beginning))), 0),
				keep(id, { aboutBytes, ...content }) {
					if (aboutBytes <= limits.fileBytes && waitingBytes + aboutBytes <= mostWaitingBytes) {
						later(() => write(connectionKey, pathOf(id), content), aboutBytes);
					}
				},
			};
		},
		async forget(connectionKey) {
			forgotten.add(connectionKey);
			writeWaiting();
			await writing;
			await remove(room(connectionKey));
			counted = undefined;
		},
		async keepOnly(connectionKeys) {
			const wanted = new Set(connectionKeys.map(shortHash));
			const all = await readdir(folder).catch(() => []);
			for (const name of all.filter((each) => !wanted.has(each))) {
				await remove(join(folder, name));
			}
			counted = undefined;
		},
		async idle() {
			writeWaiting();
			await writing;
		},
	};
}

function inflated(packed: Uint8Array, maxOutputLength: number): Buffer | Promise<Buffer> {
	const options = { maxOutputLength };
	return packed.byteLength <= smallBytes ? inflateSync(packed, options) : inflatedLater(packed, options);
}

function deflated(bytes: Uint8Array): Buffer | Promise<Buffer> {
	return bytes.byteLength <= smallBytes ? deflateSync(bytes) : deflatedLater(bytes);
}

async function exists(path: string): Promise<boolean> {
	return (await stat(path).catch(() => undefined)) !== undefined;
}

async function removeBeginning(folder: string, beginning: string): Promise<void> {
	const names = await readdir(folder).catch(() => []);
	await Promise.all(names.filter((name) => name.startsWith(beginning)).map((name) => remove(join(folder, name))));
}

function remove(path: string): Promise<void> {
	return rm(path, { recursive: true, force: true, maxRetries: 3 });
}

function shortHash(text: string): string {
	return createHash('sha256').update(text).digest('hex').slice(0, 20);
}
