import { constants } from 'node:fs';
import { open, opendir, stat, type FileHandle } from 'node:fs/promises';
import { sep } from 'node:path';
import { nextTurn } from '@forge-desk/base/timeSlice.ts';
import { mailInFile, NoMailbox } from '../mail/mailbox.ts';
import { inflated, isGzip } from './gunzip.ts';

/** A few thousand separators take some milliseconds. */
const chunkBytes = 128 * 1024;
/** Of a listing: a folder has up to a million, and each slice takes a turn of the event loop. */
const namesAtOnce = 500;
/** Names are bytes: programs of any charset write them. */
const latin1Names = 'latin1';

/** Opens regular files only: a named pipe would wait for its writer. `undefined` for all else. */
export async function openRegular(path: string | Buffer, flags: number): Promise<FileHandle | undefined> {
	const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | flags).catch(() => undefined);
	if (file && !(await file.stat()).isFile()) {
		await file.close();
		return undefined;
	}
	return file;
}

/** The bytes of a file between two offsets. Other work gets its turn between chunks. */
export async function* chunksOf(
	file: FileHandle,
	{ from, to }: { readonly from: number; readonly to: number },
	signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
	for (let at = from; at < to;) {
		signal.throwIfAborted();
		const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, to - at));
		const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
		if (bytesRead === 0) {
			return;
		}
		at += bytesRead;
		yield chunk.subarray(0, bytesRead);
		await nextTurn();
	}
}

/** Up to `length` bytes from an offset on. */
export async function bytesAt(file: FileHandle, from: number, length: number, signal: AbortSignal): Promise<Buffer> {
	const parts: Buffer[] = [];
	for await (const chunk of chunksOf(file, { from, to: from + length }, signal)) {
		parts.push(chunk);
	}
	return Buffer.concat(parts);
}

/** Folders of a maildir with whole mails. A program writes into `tmp`. */
const maildirFolders = ['new', 'cur'];
/** Of MH, of mail programs, and of `git format-patch`. */
const mailName = /^\d+$|\.(?:eml|mail|patch)$/i;

/** Files with one mail each. */
export interface MailFolder {
	/** All files of a maildir are mails. */
	readonly isMaildir: boolean;
	/** Paths, by names that stay when somebody reads a mail. A character for each byte. */
	readonly files: ReadonlyMap<string, Buffer>;
}

/** A maildir, or a folder with files of mails. Links and other special files are no mails. Throws `NoMailbox`. */
export async function mailFolder(path: string): Promise<MailFolder> {
	const files = new Map<string, Buffer>();
	const found = await Promise.all(maildirFolders.map((name) => stat(`${path}${sep}${name}`).catch(unlessMissing)));
	const isMaildir = found.some((folder) => folder?.isDirectory() === true);
	const folders = isMaildir ? maildirFolders.map((name) => `${path}${sep}${name}`) : [path];
	for (const folder of folders) {
		const names = await opendir(folder, { encoding: latin1Names, bufferSize: namesAtOnce }).catch(unlessMissing);
		for await (const entry of names ?? []) {
			if (entry.isFile() && !entry.name.startsWith('.') && (isMaildir || mailName.test(entry.name))) {
				// Windows allows no colon in a name, so programs there take other signs.
				const place = isMaildir ? entry.name.replace(/[:;!]2,[A-Za-z]*$/, '') : entry.name;
				files.set(place, Buffer.concat([Buffer.from(`${folder}${sep}`), Buffer.from(entry.name, latin1Names)]));
			}
		}
	}
	if (!isMaildir && files.size === 0) {
		throw new NoMailbox();
	}
	return { isMaildir, files };
}

/** After any other failure, the folder may have mails. */
function unlessMissing(error: unknown): undefined {
	const isMissing = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
	if (!isMissing) {
		throw error;
	}
}

/** The mail of a folder's file. `undefined` for a file that is gone, and for a link or pipe that took its place. */
export async function fileOfMail(
	path: Buffer,
	mostBytes: number,
	signal: AbortSignal,
): Promise<Uint8Array | undefined> {
	const file = await openRegular(path, constants.O_NOFOLLOW ?? 0);
	try {
		return file && mailInFile(await bytesAt(file, 0, Math.min((await file.stat()).size, mostBytes), signal));
	} catch {
		signal.throwIfAborted();
		return undefined;
	} finally {
		await file?.close();
	}
}

/** The unpacked bytes of a whole file. */
export async function* plainChunks(
	file: FileHandle,
	size: number,
	signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
	const chunks = chunksOf(file, { from: 0, to: size }, signal);
	yield* isGzip(await bytesAt(file, 0, 2, signal)) ? inflated(chunks) : chunks;
}
