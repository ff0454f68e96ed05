import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { check } from '../shared/checks.ts';

/** Raise it when an older snapshot no longer fits the stores. */
const format = 1;

const fileName = 'state';

/** Prefix of folders with unreadable files. */
const damagedPrefix = 'damaged-';

/** The state of an earlier process. */
interface Kept {
	readonly parts: Readonly<Record<string, object>>;
	/** Time of the last change on the forge's own clock. */
	readonly endMs: number;
	readonly body: Buffer;
}

/** The forge's state on disk. */
interface Snapshot {
	/** Of an earlier process; empty without. */
	readonly parts: Kept['parts'];
	/** Time of the earlier process's last change, on the forge's own clock. */
	readonly endMs: number;
	/** New folder of an earlier process's files, after an unreadable state. */
	readonly setAside: string | null;
	/** A lasting folder. */
	folderOf(name: string): string | undefined;
	/** Removes files of other starts, except `folder` and damaged ones. Call it while this process holds the ports. */
	tidy(folder: string): Promise<void>;
	/** Writes a changed state. Throws on a failure, and with `EEXIST` after another first start. */
	save(parts: object, nowMs: number): void;
	/** Another process may use the folder now. */
	close(): void;
}

/** A forge that ends with its process. */
const nothingKept: Snapshot = {
	parts: {},
	endMs: 0,
	setAside: null,
	folderOf: () => undefined,
	tidy: () => Promise.resolve(),
	save: () => undefined,
	close: () => undefined,
};

/** Makes `folder` and reads the state there. `name` is unique among the starts. */
export function openSnapshot(folder: string, name: string): Snapshot {
	if (folder === '') {
		return nothingKept;
	}
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const path = join(folder, fileName);
	const found = read(path);
	const setAside = found === 'damaged' ? join(folder, `${damagedPrefix}${name}`) : null;
	if (setAside !== null) {
		mkdirSync(setAside);
		for (const file of readdirSync(folder).filter((each) => !each.startsWith(damagedPrefix))) {
			renameSync(join(folder, file), join(setAside, file));
		}
	}
	const kept = found === 'damaged' ? undefined : found;
	let last = kept?.body;
	let isClosed = false;
	return {
		parts: kept?.parts ?? {},
		endMs: kept?.endMs ?? 0,
		setAside,
		folderOf: (each) => join(folder, each),
		async tidy(own) {
			const isForeign = (file: string): boolean => file !== fileName && file !== own && !file.startsWith(damagedPrefix);
			for (const file of readdirSync(folder).filter(isForeign)) {
				await rm(join(folder, file), { recursive: true, force: true });
			}
		},
		save(parts, nowMs) {
			check(!isClosed, () => new Error('The forge is ending'));
			const body = serialize(parts);
			if (last?.equals(body) === true) {
				return;
			}
			const next = join(folder, `${fileName}-${name}`);
			const head = Buffer.from(`sample-forge ${format} ${digestOf(body)} ${nowMs}\n`);
			writeFileSync(next, Buffer.concat([head, body]), { mode: 0o600, flush: true });
			if (last === undefined) {
				// Unlike a renaming, a link replaces nothing.
				linkSync(next, path);
				rmSync(next);
			} else {
				renameSync(next, path);
			}
			last = body;
		},
		close: () => void (isClosed = true),
	};
}

function read(path: string): Kept | 'damaged' | undefined {
	let bytes: Buffer;
	try {
		bytes = readFileSync(path);
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
			return undefined;
		}
		throw error;
	}
	const start = bytes.indexOf('\n') + 1;
	const body = bytes.subarray(start);
	const [, digest, endMs] =
		new RegExp(`^sample-forge ${format} (\\w{64}) (\\d+)\n$`).exec(bytes.toString('latin1', 0, start)) ?? [];
	if (digest !== digestOf(body)) {
		return 'damaged';
	}
	try {
		const value: unknown = deserialize(body);
		return { parts: partsOf(value), endMs: Number(endMs), body };
	} catch {
		// An editor of a later version wrote it.
		return 'damaged';
	}
}

function partsOf(value: unknown): Kept['parts'] {
	const isPart = (entry: readonly [string, unknown]): entry is [string, object] =>
		typeof entry[1] === 'object' && entry[1] !== null;
	return Object.fromEntries(Object.entries(value ?? {}).filter(isPart));
}

function digestOf(bytes: Uint8Array): string {
	return createHash('sha256').update(bytes).digest('hex');
}
