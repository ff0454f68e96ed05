import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fieldsOf, jsonIn } from '../../base/looseJson.ts';
import { isGone } from './replaceNow.ts';

/** A file being written; device and inode identify it after a rename or replacement. */
export interface WrittenFile {
	readonly path: string;
	readonly device: bigint;
	readonly inode: bigint;
}

/** True when the name still refers to this very file. */
export async function isStillThere({ path, device, inode }: WrittenFile): Promise<boolean> {
	const found = await lstat(path, { bigint: true }).catch(() => undefined);
	return found !== undefined && found.isFile() && found.dev === device && found.ino === inode;
}

/** Crash records of files being written. */
export type PartRecords = ReturnType<typeof partRecords>;

/** Records in a folder shared by all windows; file names start with the process id. */
export function partRecords(folder: string) {
	return {
		/** Records a file; call the result to remove the record. Recording errors don't stop the write. */
		async note({ path, device, inode }: WrittenFile): Promise<() => Promise<void>> {
			const record = join(folder, `${process.pid}-${randomBytes(6).toString('hex')}.json`);
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
				const [, pid] = /^(\d+)-[0-9a-f]+\.json$/.exec(name) ?? [];
				if (pid !== undefined && isGone(Number(pid))) {
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
