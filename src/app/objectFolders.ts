import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflate, deflateSync, inflate, inflateSync } from 'node:zlib';
import { isObjectId, provenInSlices, type ObjectKind } from '../git/objectId.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { KeptObjects, LateBytes } from '../state/keptObjects.ts';
import { breathe } from './breathe.ts';
import { bytesIn, isMissing, makeFree, namesAmong, onDisk, unfinished, writeNew } from './objectFiles.ts';

/** The folders in which the accounts' git objects are kept. */
export interface ObjectFolders {
	/** The objects of an account. Nothing is made before the first one is kept. */
	of(connectionKey: string): KeptObjects;
	/** Removes all objects of an account; what is still being written for it is dropped. */
	forget(connectionKey: string): Promise<void>;
	/** Removes what is kept of accounts that are signed in no more. */
	keepOnly(connectionKeys: readonly string[]): Promise<void>;
	/** Writes what waits, and settles once nothing is being written. */
	idle(): Promise<void>;
}

export interface ObjectLimits {
	/** The most that is kept of all accounts together, in whole blocks of the disk: most objects are small. */
	readonly bytes: number;
	/** A larger object is read anew each time. */
	readonly objectBytes: number;
}

const mebibyte = 1024 * 1024;
const objectLimits: ObjectLimits = { bytes: 512 * mebibyte, objectBytes: 32 * mebibyte };

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

/**
 * Keeps objects below `folder` as git's own loose objects, in a folder for each account. What was used least recently
 * goes when there is no more room.
 */
export function objectFolders(folder: string, clock: Clock, limits: ObjectLimits = objectLimits): ObjectFolders {
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

	async function read(at: string, kind: ObjectKind, id: string): Promise<Uint8Array | undefined> {
		try {
			const kept = await inflated(await readFile(at), limits.objectBytes + headerBytes);
			const end = kept.indexOf(0);
			const bytes = kept.subarray(end + 1);
			if (kept.toString('latin1', 0, end) === `${kind} ${bytes.length}` && (await isProven({ id, kind, bytes }))) {
				void used(at).catch(() => undefined);
				return bytes;
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

	async function write(
		connectionKey: string,
		at: string,
		{ kind, id, ...late }: { readonly kind: ObjectKind; readonly id: string } & Pick<LateBytes, 'bytes'>,
	): Promise<void> {
		if (forgotten.has(connectionKey) || (await exists(at))) {
			return;
		}
		const bytes = late.bytes();
		if (!bytes || !(await isProven({ id, kind, bytes }))) {
			return;
		}
		const packed = await deflated(Buffer.concat([Buffer.from(`${kind} ${bytes.length}\0`), bytes]));
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
				// What is no id may be a way out of the folder.
				read: (kind, id) => (isObjectId(id) ? read(pathOf(id), kind, id) : Promise.resolve(undefined)),
				among: (ids) => namesAmong(room(connectionKey), ids),
				keep(kind, id, { aboutBytes, bytes }) {
					if (!isObjectId(id) || aboutBytes > limits.objectBytes || waitingBytes + aboutBytes > mostWaitingBytes) {
						return;
					}
					waitingBytes += aboutBytes;
					waiting.push(async () => {
						// A full disk is no reason to fail what can be read all the same.
						await write(connectionKey, pathOf(id), { kind, id, bytes }).catch(() => undefined);
						waitingBytes -= aboutBytes;
					});
					quiet?.dispose();
					quiet = clock.after(waitingBytes > mostWaitingBytes / 2 ? 0 : quietMs, writeWaiting);
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

/** `blob 12345678\0` */
const headerBytes = 32;

/** Nobody gives this up: what was read or is to be kept is looked through to its end. */
const never = new AbortController().signal;

async function isProven(object: {
	readonly id: string;
	readonly kind: ObjectKind;
	readonly bytes: Uint8Array;
}): Promise<boolean> {
	return (await provenInSlices(object, breathe, never)) === 'same';
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

function remove(path: string): Promise<void> {
	return rm(path, { recursive: true, force: true, maxRetries: 3 });
}

function shortHash(text: string): string {
	return createHash('sha256').update(text).digest('hex').slice(0, 20);
}
