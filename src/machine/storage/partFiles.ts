import { createHash, randomBytes } from 'node:crypto';
import { lstat, mkdir, open, readdir, readFile, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fieldsOf, jsonIn } from '../../base/lenientJson.ts';
import type { Download, DownloadOutcome } from '../../store/repositories/downloads.ts';
import { isObjectId, objectHash } from 'patchmail/git/objectId.ts';
import { isGone, startMark } from './replaceNow.ts';

/** Hash piece size: well within a frame. */
const pieceBytes = 1024 * 1024;

/**
 * Downloads to temporary names, renamed after verification, with cleanup after crashes. `records`: shared crash
 * records; without them, a crash leaves partial files.
 */
export function partFiles(records?: PartRecords) {
	async function saved(part: Part, download: Download, signal: AbortSignal): Promise<DownloadOutcome> {
		const forget = await records?.note(part);
		let isSaved = false;
		try {
			const outcome = await written(part.file, download, signal);
			if (outcome.kind !== 'saved') {
				return outcome;
			}
			// The user may have replaced the temporary file, and the replacement is unverified.
			if (!(await isStillThere(part))) {
				return { kind: 'inTheWay', path: part.path };
			}
			await rename(part.path, download.path);
			isSaved = true;
			return outcome;
		} catch (error) {
			return refusalOf(error);
		} finally {
			if (!isSaved && (await isStillThere(part))) {
				await rm(part.path, { force: true });
			}
			await forget?.();
		}
	}

	return {
		async save(download: Download, signal: AbortSignal) {
			const opened = await opening(`${download.path}.part`);
			return 'kind' in opened ? opened : saved(opened, download, signal);
		},
		remove: (path: string) => rm(path, { force: true }),
		/** Deletes partial files of crashed windows. Never rejects. */
		clearLeftovers: async () => records?.clear(),
	};
}

interface Part extends WrittenFile {
	readonly file: FileHandle;
}

async function opening(path: string): Promise<Part | DownloadOutcome> {
	try {
		// Follows no link and overwrites nothing.
		const file = await open(path, 'wx+', 0o666);
		const { dev, ino } = await file.stat({ bigint: true });
		return { file, path, device: dev, inode: ino };
	} catch (error) {
		const refusal = refusalOf(error);
		return refusal.kind === 'notWritten' && refusal.code === 'EEXIST' ? { kind: 'inTheWay', path } : refusal;
	}
}

async function written(
	file: FileHandle,
	{ chunks, promised, progressed }: Download,
	signal: AbortSignal,
): Promise<DownloadOutcome> {
	const most = promised.kind === 'blob' ? promised.mostBytes : promised.sizeBytes;
	const hash = promised.kind === 'blob' ? undefined : createHash('sha256');
	let bytes = 0;
	try {
		for await (const chunk of chunks) {
			signal.throwIfAborted();
			bytes += chunk.byteLength;
			if (bytes > most) {
				return { kind: 'otherSize', bytes };
			}
			hash?.update(chunk);
			// A write may be partial.
			for (let from = 0; from < chunk.byteLength;) {
				from += (await file.write(chunk, from)).bytesWritten;
			}
			progressed(bytes);
		}
		await file.sync();
		switch (promised.kind) {
			case 'file':
				return bytes === promised.sizeBytes
					? proven(promised.sha256, hash?.digest('hex') ?? '', bytes)
					: { kind: 'otherSize', bytes };
			case 'blob':
				return proven(
					isObjectId(promised.id) ? promised.id : undefined,
					await blobIdOf(file, { like: promised.id, bytes }, signal),
					bytes,
				);
		}
	} finally {
		await file.close();
	}
}

function proven(wanted: string | undefined, sum: string, bytes: number): DownloadOutcome {
	return wanted === undefined || wanted === sum ? { kind: 'saved', sum, bytes } : { kind: 'otherSum', sum };
}

/**
 * The git id of the written file, with the hash algorithm of `like`. The hash starts with the size, so the file must be
 * read again. Uses the same handle, so nobody can swap the file.
 */
async function blobIdOf(
	file: FileHandle,
	{ like, bytes }: { readonly like: string; readonly bytes: number },
	signal: AbortSignal,
): Promise<string> {
	const hash = objectHash(like, 'blob', bytes);
	const piece = new Uint8Array(pieceBytes);
	for (let from = 0; from < bytes;) {
		signal.throwIfAborted();
		const { bytesRead } = await file.read(piece, 0, pieceBytes, from);
		if (bytesRead === 0) {
			break;
		}
		hash.update(piece.subarray(0, bytesRead));
		from += bytesRead;
	}
	return hash.digest('hex');
}

/** Disk errors become outcomes; other errors propagate. */
function refusalOf(error: unknown): DownloadOutcome {
	if (error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string') {
		return { kind: 'notWritten', code: error.code };
	}
	throw error;
}

/** A file being written; device and inode identify it after a rename or replacement. */
interface WrittenFile {
	readonly path: string;
	readonly device: bigint;
	readonly inode: bigint;
}

/** True when the name still refers to this very file. */
async function isStillThere({ path, device, inode }: WrittenFile): Promise<boolean> {
	const found = await lstat(path, { bigint: true }).catch(() => undefined);
	return found !== undefined && found.isFile() && found.dev === device && found.ino === inode;
}

/** Crash records of files being written. */
type PartRecords = ReturnType<typeof partRecords>;

/** Records in a folder shared by all windows; file names start with the process id. */
export function partRecords(folder: string) {
	return {
		/** Records a file; call the result to remove the record. Recording errors don't stop the write. */
		async note({ path, device, inode }: WrittenFile): Promise<() => Promise<void>> {
			const record = join(folder, `${process.pid}-${startMark()}${randomBytes(6).toString('hex')}.json`);
			try {
				await mkdir(folder, { recursive: true });
				const text = JSON.stringify({ host: hostname(), path, device: String(device), inode: String(inode) });
				await writeFile(record, text, { flag: 'wx', mode: 0o600 });
			} catch {
				// A full disk also fails the download itself.
			}
			return () => rm(record, { force: true }).catch(() => undefined);
		},
		/** Deletes partial files of dead processes on this machine. Leaves replaced files. Never rejects. */
		async clear() {
			for (const name of await readdir(folder).catch(() => [])) {
				const [, pid, rest = ''] = /^(\d+)-([0-9a-f]+)\.json$/.exec(name) ?? [];
				const isOwn = Number(pid) === process.pid && rest.startsWith(startMark());
				if (pid !== undefined && !isOwn && (Number(pid) === process.pid || isGone(Number(pid)))) {
					await clearRecord(join(folder, name)).catch(() => undefined);
				}
			}
		},
	};
}

async function clearRecord(record: string): Promise<void> {
	// A truncated record has no fields.
	const { host, path, device, inode } = fieldsOf(jsonIn(await readFile(record, 'utf8')));
	// On a shared disk, process ids of another machine mean nothing.
	if (host !== undefined && host !== hostname()) {
		return;
	}
	if (typeof path === 'string' && isNumber(device) && isNumber(inode)) {
		const part = { path, device: BigInt(device), inode: BigInt(inode) };
		if (await isStillThere(part)) {
			await rm(path, { force: true });
		}
	}
	await rm(record, { force: true });
}

function isNumber(value: unknown): value is string {
	return typeof value === 'string' && /^\d+$/.test(value);
}
