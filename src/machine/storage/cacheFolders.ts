import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deflate, deflateSync, inflate, inflateSync } from 'node:zlib';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import {
	bytesIn,
	isMissing,
	keepOnlyFolders,
	makeFree,
	namesAmong,
	onDisk,
	removeTree,
	replaceFile,
	shortHash,
} from './objectFiles.ts';

/** Compressed files of one account, by hexadecimal id. The caller validates ids. */
export interface CacheFiles {
	/** Decodes a file with `open`; deletes it when that throws or returns `undefined`. Never rejects. */
	read<T>(id: string, open: (bytes: Buffer) => T | undefined | Promise<T | undefined>): Promise<T | undefined>;
	/** The existing subset, without an integrity check. Never rejects. */
	among(ids: Iterable<string>): Promise<ReadonlySet<string>>;
	/** Queues a write, which may not happen. */
	keep(id: string, content: LateContent): void;
	/** Queues a deletion after pending writes. */
	drop(id: string): void;
	/** Queues the deletion of all ids with a prefix of more than two digits. */
	dropAll(beginning: string): void;
}

/** Lazily serialized bytes. */
export interface LateContent {
	readonly aboutBytes: number;
	/** `undefined` to skip the write. */
	readonly bytes: () => Uint8Array | undefined | Promise<Uint8Array | undefined>;
	/** True to replace an existing file. */
	readonly isNewer: boolean;
}

export interface CacheLimits {
	/** Limit for all accounts together, in disk blocks, because most files are small. */
	readonly bytes: number;
	/** Larger files are not cached. */
	readonly fileBytes: number;
}

export const mebibyte = 1024 * 1024;

/** Limit of pending writes; drops further ones. */
const mostWaitingBytes = 64 * mebibyte;
/** A pause of this length ends a burst. */
const quietMs = 300;
/** Share of the limit to free when the cache is full. */
const freed = 0.2;
/** Recount the disk usage after writing this share of the limit, because other windows write too. */
const recounted = 0.125;
/** Precision of the last use; updating it on every use would cost too much. */
const useStepMs = 3_600_000;

/** Small files are compressed synchronously: handing them to another thread takes longer. */
const smallBytes = 4096;

const inflatedLater = promisify<Uint8Array, { readonly maxOutputLength: number }, Buffer>(inflate);
const deflatedLater = promisify<Uint8Array, Buffer>(deflate);

/** Disk cache of data that can be fetched again. One folder per account below `folder`. Evicts the least recently used files. */
export function cacheFolders(folder: string, clock: Clock, limits: CacheLimits) {
	const nowMs = (): number => clock.nowMs();
	/** Serializes all writes, because nobody waits for them and the disk is shared. */
	let writing: Promise<unknown> = Promise.resolve();
	const forgotten = new Set<string>();
	/** Writes deferred to the end of a burst, so that they don't slow a large read. */
	let waiting: (() => Promise<void>)[] = [];
	let quiet: Disposable | undefined;
	let waitingBytes = 0;
	/** Disk usage; counted before the first write, then updated. */
	let counted: Promise<number> | undefined;
	let added = 0;

	const room = (connectionKey: string): string => join(folder, shortHash(connectionKey));

	async function read<T>(
		at: string,
		open: (bytes: Buffer) => T | undefined | Promise<T | undefined>,
	): Promise<T | undefined> {
		try {
			const packed = await readFile(at);
			const options = { maxOutputLength: limits.fileBytes };
			const isSmall = packed.byteLength <= smallBytes;
			const opened = await open(isSmall ? inflateSync(packed, options) : await inflatedLater(packed, options));
			if (opened !== undefined) {
				const markUsed = async (): Promise<void> => {
					const now = nowMs();
					const { mtimeMs } = await stat(at);
					if (now - mtimeMs > useStepMs) {
						await utimes(at, now / 1000, now / 1000);
					}
				};
				void markUsed().catch(() => undefined);
				return opened;
			}
		} catch (error) {
			if (isMissing(error)) {
				return undefined;
			}
		}
		// Delete a corrupt file, or it would block a valid one.
		await rm(at, { force: true }).catch(() => undefined);
		return undefined;
	}

	async function write(connectionKey: string, at: string, content: Omit<LateContent, 'aboutBytes'>): Promise<void> {
		const isThere = async (): Promise<boolean> => (await stat(at).catch(() => undefined)) !== undefined;
		if (forgotten.has(connectionKey) || (!content.isNewer && (await isThere()))) {
			return;
		}
		const bytes = await content.bytes();
		if (!bytes || bytes.byteLength > limits.fileBytes) {
			return;
		}
		const packed = bytes.byteLength <= smallBytes ? deflateSync(bytes) : await deflatedLater(bytes);
		await makeRoom(onDisk(packed.byteLength));
		await replaceFile(at, packed);
		added += onDisk(packed.byteLength);
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

	/** Ignores disk errors: a full disk must not fail reads. */
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
		// Other windows write too, so recount from time to time.
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
		/** An account's files. Creates nothing before the first write. */
		of(connectionKey: string): CacheFiles {
			forgotten.delete(connectionKey);
			const pathOf = (id: string): string => join(room(connectionKey), id.slice(0, 2), id.slice(2));
			return {
				read: (id, open) => read(pathOf(id), open),
				among: (ids) => namesAmong(room(connectionKey), ids),
				drop: (id) => later(() => rm(pathOf(id), { force: true }), 0),
				dropAll: (beginning) =>
					later(async () => {
						const within = dirname(pathOf(beginning));
						const names = await readdir(within).catch(() => []);
						const found = names.filter((name) => name.startsWith(basename(pathOf(beginning))));
						await Promise.all(found.map((name) => removeTree(join(within, name))));
					}, 0),
				keep(id, { aboutBytes, ...content }) {
					if (aboutBytes <= limits.fileBytes && waitingBytes + aboutBytes <= mostWaitingBytes) {
						later(() => write(connectionKey, pathOf(id), content), aboutBytes);
					}
				},
			};
		},
		/** Deletes an account's files and drops its pending writes. */
		async forget(connectionKey: string) {
			forgotten.add(connectionKey);
			writeWaiting();
			await writing;
			await removeTree(room(connectionKey));
			counted = undefined;
		},
		/** Deletes the files of signed-out accounts. */
		async keepOnly(connectionKeys: readonly string[]) {
			await keepOnlyFolders(folder, connectionKeys);
			counted = undefined;
		},
		/** Flushes pending writes. */
		async idle() {
			writeWaiting();
			await writing;
		},
	};
}
