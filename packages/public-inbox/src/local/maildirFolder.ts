import { Buffer } from 'node:buffer';
import { constants } from 'node:fs';
import { lstat, open, opendir, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { MailboxError, mostOfMail, type IndexOfMailbox, type MailSource } from './mailSource.ts';
import type { PlaceStamp } from './mailIndex.ts';

/** Folders of a maildir with whole mails. A program writes into `tmp`. */
const folders = ['new', 'cur'] as const;

/** File systems keep times as coarse as this. */
const coarsestMs = 2000;

/** Files that are looked at together. */
const together = 64;

/** Of a listing: a folder has up to a million, and each slice takes a turn of the event loop. */
const namesAtOnce = 500;
/** Names are bytes: programs of any charset write them. */
const latin1Names = 'latin1';

/** A file of a mail. `name`: a character for each byte. */
interface MailFile {
	readonly folder: (typeof folders)[number];
	readonly name: string;
}

/**
 * A maildir: a folder with a file for each mail. The place of a mail is its name without flags, so that reading a mail
 * elsewhere changes nothing here. Links and other special files are no mails.
 */
export function maildirFolder(path: string, nowMs: () => number): MailSource {
	/** The last listing. Mail programs rename files at any time. */
	let files: ReadonlyMap<string, MailFile> = new Map();
	let hasLooked = false;

	return {
		async refresh(index, signal) {
			const reached = await index.reached(signal);
			const state = await stateOf(path, nowMs());
			// The first look also finds files that another program wrote again.
			if (hasLooked && state !== '' && state === reached) {
				return;
			}
			files = await listed(path);
			const isWhole = await addNew(path, files, index, signal);
			for await (const places of index.places(signal)) {
				for (const { place } of places) {
					if (!files.has(place)) {
						await index.remove(place, signal);
					}
				}
			}
			await index.store(isWhole ? state : '', signal);
			hasLooked = true;
		},
		async *contents(mails, signal) {
			for (const mail of mails) {
				signal.throwIfAborted();
				const known = files.get(mail.place);
				let bytes = known && (await contentOf(path, known, Number.MAX_SAFE_INTEGER));
				if (!bytes) {
					files = await listed(path);
					const renamed = files.get(mail.place);
					bytes = renamed && (await contentOf(path, renamed, Number.MAX_SAFE_INTEGER));
				}
				yield bytes;
			}
		},
	};
}

/** False if a file was not readable: it may be soon. */
async function addNew(
	path: string,
	files: ReadonlyMap<string, MailFile>,
	index: IndexOfMailbox,
	signal: AbortSignal,
): Promise<boolean> {
	let isWhole = true;
	for (const part of partsOf(files)) {
		const found = await Promise.all(
			part.map(async ([place, file]) => {
				const stamp = await stampOf(path, file);
				return stamp === undefined ? [] : [{ place, stamp }];
			}),
		);
		const unknown = await index.unknown(found.flat(), signal);
		const read = await Promise.all(unknown.map((each) => mailAt(path, files, each)));
		isWhole &&= found.flat().length === part.length && !read.includes(undefined);
		for (const mail of read) {
			if (mail) {
				await index.add(mail, signal);
			}
		}
	}
	// Removals follow, and a stamp that changed is a removal, too.
	await index.store(undefined, signal);
	return isWhole;
}

function* partsOf<T>(all: Iterable<T>): Generator<readonly T[], void, void> {
	let part: T[] = [];
	for (const each of all) {
		part.push(each);
		if (part.length === together) {
			yield part;
			part = [];
		}
	}
	yield part;
}

async function mailAt(path: string, files: ReadonlyMap<string, MailFile>, { place, stamp }: PlaceStamp) {
	const file = files.get(place);
	const bytes = file && (await contentOf(path, file, mostOfMail));
	return bytes && { place, stamp, size: Number(stamp.split(' ', 1)[0]), bytes };
}

/** Changes with each mail that comes, goes or gets flags. Empty: a change in this moment might not be seen. */
async function stateOf(path: string, atMs: number): Promise<string> {
	const found = await Promise.all(folders.map((folder) => stat(`${path}${sep}${folder}`).catch(() => undefined)));
	return found.some((folder) => folder && folder.mtimeMs > atMs - coarsestMs)
		? ''
		: found.map((folder) => `${folder?.ino} ${folder?.mtimeMs}`).join(' ');
}

/** Throws if both folders are missing. */
async function listed(path: string): Promise<ReadonlyMap<string, MailFile>> {
	const files = new Map<string, MailFile>();
	let missing = 0;
	for (const folder of folders) {
		// After any other failure, the folder may have mails.
		const names = await opendir(`${path}${sep}${folder}`, { encoding: latin1Names, bufferSize: namesAtOnce }).catch(
			(error: unknown) => (isMissing(error) ? undefined : fail(error)),
		);
		missing += names ? 0 : 1;
		for await (const entry of names ?? []) {
			if (entry.isFile() && !entry.name.startsWith('.')) {
				// Windows allows no colon in a name, so programs there take other signs.
				files.set(entry.name.replace(/[:;!]2,[A-Za-z]*$/, ''), { folder, name: entry.name });
			}
		}
	}
	if (missing === folders.length) {
		throw new MailboxError('noMailbox');
	}
	return files;
}

function isMissing(error: unknown): boolean {
	return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

function fail(cause: unknown): never {
	throw new MailboxError('failed', { cause });
}

function pathOf(path: string, { folder, name }: MailFile): Buffer {
	return Buffer.concat([Buffer.from(`${path}${sep}${folder}${sep}`), Buffer.from(name, latin1Names)]);
}

async function stampOf(path: string, file: MailFile): Promise<string | undefined> {
	const found = await lstat(pathOf(path, file)).catch(() => undefined);
	return found?.isFile() === true ? `${found.size} ${found.mtimeMs}` : undefined;
}

/** `undefined` for a file that is gone, and for a link or pipe that took its place. */
async function contentOf(path: string, file: MailFile, most: number): Promise<Uint8Array | undefined> {
	const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
	const handle = await open(pathOf(path, file), flags).catch(() => undefined);
	if (!handle) {
		return undefined;
	}
	try {
		const found = await handle.stat();
		if (!found.isFile()) {
			return undefined;
		}
		const bytes = Buffer.alloc(Math.min(found.size, most));
		const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
		return bytes.subarray(0, bytesRead);
	} catch {
		return undefined;
	} finally {
		await handle.close();
	}
}
