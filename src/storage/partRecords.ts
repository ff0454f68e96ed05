import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fieldsOf } from '../state/shared/keptValues.ts';
import { jsonIn } from '../state/shared/looseJson.ts';

/** A file that is being written, whatever its name leads to by now. */
export interface WrittenFile {
	readonly path: string;
	readonly device: bigint;
	readonly inode: bigint;
}

/** Remembers what is being written beside its name, for when nobody is left to take it away. */
export interface PartRecords {
	/** Remembers a file; what is answered forgets it again. What cannot be remembered is written all the same. */
	note(part: WrittenFile): Promise<() => Promise<void>>;
	/**
	 * Removes what a process on this machine was writing that runs no more. Whatever else has come to such a name stays.
	 * Never rejects.
	 */
	clear(): Promise<void>;
}

/** True when this very file still has its name. */
export async function isStillThere({ path, device, inode }: WrittenFile): Promise<boolean> {
	const found = await lstat(path, { bigint: true }).catch(() => undefined);
	return found !== undefined && found.isFile() && found.dev === device && found.ino === inode;
}

/** Records in a folder that all windows share, each with the number of the process at the beginning of its name. */
export function partRecords(folder: string): PartRecords {
	return {
		async note({ path, device, inode }) {
			const record = join(folder, `${process.pid}-${randomBytes(6).toString('hex')}.json`);
			try {
				await mkdir(folder, { recursive: true });
				const text = JSON.stringify({ host: hostname(), path, device: String(device), inode: String(inode) });
				await writeFile(record, text, { flag: 'wx', mode: 0o600 });
			} catch {
				// A full disk ends the download itself before long.
			}
			return () => rm(record, { force: true }).catch(() => undefined);
		},
		async clear() {
			for (const name of await readdir(folder).catch(() => [])) {
				const [, pid] = /^(\d+)-[0-9a-f]+\.json$/.exec(name) ?? [];
				if (pid !== undefined && !isRunning(Number(pid))) {
					await clearRecord(join(folder, name)).catch(() => undefined);
				}
			}
		},
	};
}

async function clearRecord(record: string): Promise<void> {
	// Of a record that was cut short there are no fields.
	const { host, path, device, inode } = fieldsOf(jsonIn(await readFile(record, 'utf8')));
	// On a disk that machines share, the numbers of another one's processes say nothing.
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

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
	}
}
