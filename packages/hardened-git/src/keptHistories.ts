import { createHash } from 'node:crypto';
import { copyFile, cp, link, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { inPrivateFolder, unlessMissing } from './ownFolder.ts';

/** `large`: an empty folder that marks a history beyond the limit. */
export type Reach = 'near' | 'whole' | 'large';

/** A fetched history on disk. It never changes; a newer one replaces it. */
export interface KeptHistory {
	readonly folder: string;
	readonly digest: string;
	/** Start of its fetch. */
	readonly startedMs: number;
	readonly reach: Reach;
}

const dayMs = 86_400_000;
/** Another window may be reading a history that was used later than this. */
const inUseMs = 10 * 60_000;
const unusedMs = 30 * dayMs;
/** Then a large history is tried again. */
const largeMs = 7 * dayMs;
/** Fetches end much earlier. */
const abandonedMs = dayMs;
/** Limit for all accounts. */
const mostBytes = 512 * 1024 * 1024;
/** A history with more is fetched anew. */
const mostPacks = 30;

const entryName = /^([0-9a-f]{24})\.(\d{10,15})\.(near|whole|large)$/;
/** Of `inPrivateFolder`. */
const unfinishedName = /^forge-desk-/;

/** Short name of a repository's folder. */
export function addressDigest(address: string): string {
	return createHash('sha256').update(address).digest('hex').slice(0, 24);
}

/** Histories of one repository in an account's folder, newest first. */
export async function historiesIn(room: string, digest: string, nowMs: number): Promise<readonly KeptHistory[]> {
	const own = (await entriesIn(room)).filter((each) => each.digest === digest && !isOldMark(each, nowMs));
	return own.toSorted((a, b) => b.startedMs - a.startedMs);
}

function isOldMark({ reach, startedMs }: KeptHistory, nowMs: number): boolean {
	return reach === 'large' && nowMs - startedMs > largeMs;
}

async function entriesIn(room: string): Promise<readonly KeptHistory[]> {
	const names = await readdir(room).catch((): readonly string[] => []);
	return names.flatMap((name): readonly KeptHistory[] => {
		const [, digest = '', startedMs, reach] = entryName.exec(name) ?? [];
		const isReach = reach === 'near' || reach === 'whole' || reach === 'large';
		return isReach ? [{ folder: join(room, name), digest, startedMs: Number(startedMs), reach }] : [];
	});
}

/** Protects a history from removal while it is read. */
export async function noteUse({ folder }: KeptHistory, nowMs: number): Promise<void> {
	await utimes(folder, nowMs / 1000, nowMs / 1000).catch(unlessMissing);
}

/**
 * Makes a history in a private folder, then renames it, so that another window never sees half of one. `fill` returns
 * its reach.
 */
export async function makeHistory(
	room: string,
	{ digest, startedMs }: { readonly digest: string; readonly startedMs: number },
	fill: (own: string) => Promise<Reach>,
): Promise<KeptHistory> {
	await mkdir(room, { recursive: true, mode: 0o700 });
	return await inPrivateFolder(room, async (own) => {
		const reach = await fill(own);
		const folder = join(room, `${digest}.${startedMs}.${reach}`);
		await rename(own, folder).catch(async (error: unknown) => {
			// Another window was as fast.
			if (!(await isFolder(folder))) {
				throw error;
			}
		});
		const made = { folder, digest, startedMs, reach };
		await noteUse(made, startedMs);
		return made;
	});
}

/** Copies a history into a private folder. Packs never change, so they are shared where the disk can. */
export async function copyHistory({ folder }: KeptHistory, own: string): Promise<void> {
	for (const name of ['HEAD', 'config', 'shallow', 'packed-refs']) {
		await copyFile(join(folder, name), join(own, name)).catch(unlessMissing);
	}
	await cp(join(folder, 'refs'), join(own, 'refs'), { recursive: true });
	const [packs, ownPacks] = [join(folder, 'objects', 'pack'), join(own, 'objects', 'pack')];
	await mkdir(ownPacks, { recursive: true });
	for (const name of await packsIn(folder)) {
		await link(join(packs, name), join(ownPacks, name)).catch(() => copyFile(join(packs, name), join(ownPacks, name)));
	}
}

/** False for a history in too many pieces. */
export async function canGrow({ folder }: KeptHistory): Promise<boolean> {
	return (await packsIn(folder)).filter((name) => name.endsWith('.pack')).length < mostPacks;
}

async function packsIn(folder: string): Promise<readonly string[]> {
	const names = await readdir(join(folder, 'objects', 'pack')).catch((): readonly string[] => []);
	return names.filter((name) => /^pack-[0-9a-f]{40,64}\.(?:pack|idx|rev|promisor)$/.test(name));
}

export function isShallow(folder: string): Promise<boolean> {
	return stat(join(folder, 'shallow')).then(
		() => true,
		() => false,
	);
}

function isFolder(path: string): Promise<boolean> {
	return stat(path).then(
		(found) => found.isDirectory(),
		() => false,
	);
}

export async function dropHistory({ folder }: KeptHistory): Promise<void> {
	await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}

/**
 * Removes replaced, old and unfinished histories below `root`, which has a folder for each account, and the least
 * recently used ones beyond the limit. Keeps those in use. Ignores errors of the disk.
 */
export async function tidyHistories(root: string, nowMs: number, most = mostBytes): Promise<void> {
	const kept: { readonly entry: KeptHistory; readonly usedMs: number; readonly bytes: number }[] = [];
	for (const name of await readdir(root).catch((): readonly string[] => [])) {
		const room = join(root, name);
		await dropUnfinished(room, nowMs);
		const entries = await entriesIn(room);
		for (const entry of entries) {
			const usedMs = await changedMs(entry.folder);
			const isReplaced = entries.some((other) => replaces(other, entry)) && nowMs - usedMs > inUseMs;
			if (isReplaced || isOldMark(entry, nowMs) || nowMs - usedMs > unusedMs) {
				await dropHistory(entry);
			} else {
				kept.push({ entry, usedMs, bytes: await packBytes(entry) });
			}
		}
	}
	let left = kept.reduce((sum, { bytes }) => sum + bytes, 0);
	for (const { entry, usedMs, bytes } of kept.toSorted((a, b) => a.usedMs - b.usedMs)) {
		if (left > most && nowMs - usedMs > inUseMs) {
			await dropHistory(entry);
			left -= bytes;
		}
	}
}

function replaces(newer: KeptHistory, older: KeptHistory): boolean {
	const isAsFar = newer.reach === older.reach || newer.reach === 'whole';
	return newer.digest === older.digest && newer.startedMs > older.startedMs && isAsFar;
}

async function dropUnfinished(room: string, nowMs: number): Promise<void> {
	for (const name of await readdir(room).catch((): readonly string[] => [])) {
		const path = join(room, name);
		if (unfinishedName.test(name) && nowMs - (await changedMs(path)) > abandonedMs) {
			await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
		}
	}
}

function changedMs(path: string): Promise<number> {
	return stat(path).then(
		({ mtimeMs }) => mtimeMs,
		() => 0,
	);
}

async function packBytes({ folder }: KeptHistory): Promise<number> {
	let sum = 0;
	for (const name of await packsIn(folder)) {
		const found = await stat(join(folder, 'objects', 'pack', name)).catch(() => undefined);
		sum += found?.size ?? 0;
	}
	return sum;
}
