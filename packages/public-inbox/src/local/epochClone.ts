import type { Buffer } from 'node:buffer';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { epochCommands } from 'hardened-git/epochCommands.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import { outputOf, type HardenedGit } from 'hardened-git/hardenedGit.ts';
import { limitedFetch } from 'hardened-git/limitedFetch.ts';
import { borrow } from 'hardened-git/ownFolder.ts';
import { objectReader, type AnsweredObject } from 'hardened-git/readClone.ts';
import * as v from 'valibot';
import { mostOfMail, type IndexOfMailbox, type MailSource } from './mailSource.ts';

/** A clone of an archive's newest epoch, in a bare repository of our own. */
export interface EpochPlace {
	readonly git: HardenedGit;
	/** Made by the first fetch. */
	readonly folder: string;
	/** For `git fetch`. */
	readonly address: string;
	/** Newest mails to keep; `undefined` for all of the epoch. Counts at the first fetch only. */
	readonly depth: number | undefined;
	/** A larger epoch is refused. */
	readonly mostMebibytes: number;
	readonly nowMs: () => number;
}

/** Locks and packs of a fetch that was killed. No fetch takes longer. */
const abandonedMs = 7 * 60 * 60_000;
/** Git looks into each pack for each object. */
const mostPacks = 30;
const locks = ['refs/forge-desk/tip.lock', 'packed-refs.lock', 'shallow.lock', 'HEAD.lock'];

/** Fetches new mails. Objects come before the reference, so that a kill leaves the older mails. Throws `GitFailure`. */
async function fetchEpoch(place: EpochPlace, signal: AbortSignal): Promise<void> {
	const { git, folder, address, depth, mostMebibytes, nowMs } = place;
	const isNew = (await stat(join(folder, 'config')).catch(() => undefined)) === undefined;
	if (isNew) {
		// Nothing of a folder without settings was ever fetched.
		await rm(folder, { recursive: true, force: true });
		await mkdir(folder, { recursive: true, mode: 0o700 });
		await borrow(folder, undefined, 'sha1');
	}
	const packFolder = join(folder, 'objects', 'pack');
	const unfinished = (await readdir(packFolder).catch(() => [])).filter((name) => name.startsWith('tmp_'));
	for (const lock of [...locks, ...unfinished.map((name) => join('objects', 'pack', name))]) {
		const found = await stat(join(folder, lock)).catch(() => undefined);
		if (found && nowMs() - found.mtimeMs > abandonedMs) {
			await rm(join(folder, lock), { force: true });
		}
	}
	const hasMails = (await tipOf(place, signal)) !== undefined;
	const command = epochCommands.fetchEpoch(address, hasMails ? undefined : depth);
	const { code, complaint } = await limitedFetch(git, command, { folder, mostMebibytes }, signal);
	if (code !== 0) {
		throw new GitFailure({ kind: 'failed', program: 'git' }, complaint);
	}
	const packs = (await readdir(packFolder)).filter((name) => name.endsWith('.pack'));
	if (packs.length > mostPacks) {
		// A failure costs time only: the next fetch tries again.
		await git.run(epochCommands.joinPacks(), { folder }, signal);
	}
}

async function tipOf({ git, folder }: EpochPlace, signal: AbortSignal): Promise<string | undefined> {
	const { code, output } = await git.run(epochCommands.epochTip(), { folder }, signal);
	return code === 0 ? output.toString('latin1').trim() : undefined;
}

/** Mails are smaller, and a small pack may hold gigabytes. */
const largestMail = 32 * 1024 * 1024;

const leftOutMail = v.object({
	id: v.string(),
	/** In the words of the archive. */
	subject: v.string(),
});
/** A mail that is too large to be read. */
export type LeftOutMail = Readonly<v.InferOutput<typeof leftOutMail>>;
const leftOutName = 'forge-desk-left-out.json';
const mostLeftOut = 1000;

async function leftOutOf({ folder }: EpochPlace): Promise<readonly LeftOutMail[]> {
	try {
		return v.parse(v.array(leftOutMail), JSON.parse(await readFile(join(folder, leftOutName), 'utf8')));
	} catch {
		// None so far.
		return [];
	}
}

/** A mailbox that comes over the network. */
export interface EpochClone extends MailSource {
	/** As of the last refresh. */
	readonly leftOut: () => Promise<readonly LeftOutMail[]>;
	/** Fetches new mails, for the next refresh. Throws `GitFailure`. */
	readonly fetch: (signal: AbortSignal) => Promise<void>;
}

/** The mails of the clone. `refresh` and `contents` need no network. */
export function epochClone(place: EpochPlace): EpochClone {
	return {
		fetch: (signal) => fetchEpoch(place, signal),
		leftOut: () => leftOutOf(place),
		async refresh(index, signal) {
			const tip = await tipOf(place, signal);
			const [reached = '', epoch] = (await index.reached(signal))?.split(' ') ?? [];
			if (tip === undefined || tip === reached) {
				return;
			}
			const relation = await relationOf(place, reached, tip, signal);
			const isSameEpoch = epoch === place.address;
			if (relation === 'unknown' && isSameEpoch) {
				// Nobody knows any more which mails were removed.
				await index.clear(signal);
			}
			const isRewritten = relation === 'beside' && isSameEpoch;
			const from = relation === 'ancestor' || isRewritten ? reached : undefined;
			const added = isRewritten ? new Set<string>() : undefined;
			await readChanges(place, index, { from, tip }, added, signal);
			if (added) {
				// The archive rewrote its history: somebody may have had a mail removed. Mails of earlier epochs stay.
				for await (const { added: dropped = '' } of changesOf(place, { from: tip, tip: reached }, signal)) {
					await (added.has(dropped) ? undefined : index.remove(dropped, signal));
				}
			}
			await index.store(`${tip} ${place.address}`, signal);
		},
		async *contents(mails, signal) {
			// Git answers in the order of the ids.
			const found = blobs(
				place,
				mails.map((mail) => mail.place),
				largestMail,
				signal,
			);
			try {
				for await (const { bytes } of found) {
					yield bytes;
				}
			} finally {
				await found.return();
			}
		},
	};
}

/** `unknown`: the clone has no such commit. */
async function relationOf(
	{ git, folder }: EpochPlace,
	older: string,
	newer: string,
	signal: AbortSignal,
): Promise<'ancestor' | 'beside' | 'unknown'> {
	if (older === '') {
		return 'unknown';
	}
	const { code } = await git.run(epochCommands.isAncestor(older, newer), { folder }, signal);
	return code === 0 ? 'ancestor' : code === 1 ? 'beside' : 'unknown';
}

/** A file of the history that came or went. */
interface MailChange {
	readonly commit: string;
	readonly subject: string;
	readonly added: string | undefined;
	readonly removed: string | undefined;
}

/** Mails in one request to git. */
const together = 2000;

/** `all`: gets the added mails. With it, a stopped reading starts again as a whole. */
async function readChanges(
	place: EpochPlace,
	index: IndexOfMailbox,
	{ from, tip }: { readonly from: string | undefined; readonly tip: string },
	all: Set<string> | undefined,
	signal: AbortSignal,
): Promise<void> {
	let gathered: MailChange[] = [];
	async function take(reached: string | undefined): Promise<void> {
		const changes = gathered;
		gathered = [];
		const ids = changes.flatMap(({ added }) => (added === undefined ? [] : [{ place: added, stamp: '' }]));
		ids.forEach((each) => all?.add(each.place));
		const unknown = await index.unknown(ids, signal);
		const large: LeftOutMail[] = [];
		const asked = [...new Set(unknown.map((each) => each.place))];
		for await (const { id, bytes, sizeBytes } of blobs(place, asked, mostOfMail, signal)) {
			if (bytes) {
				await index.add({ place: id, stamp: '', size: sizeBytes ?? bytes.byteLength, bytes }, signal);
			} else if (sizeBytes !== undefined) {
				large.push({ id, subject: changes.find(({ added }) => added === id)?.subject ?? '' });
			}
		}
		const removed = removedIn(changes);
		const before = await leftOutOf(place);
		const left = [...before.filter(({ id }) => !asked.includes(id)), ...large].filter(({ id }) => !removed.has(id));
		if (large.length > 0 || left.length < before.length) {
			await writeFile(join(place.folder, leftOutName), JSON.stringify(left.slice(-mostLeftOut)), { mode: 0o600 });
		}
		// A removed mail is in the same part of the history as its addition, or in an earlier one.
		await index.store(undefined, signal);
		for (const id of removed) {
			await index.remove(id, signal);
		}
		// Packs keep the mails of an earlier epoch, and the index keeps them, too.
		await index.store(reached === undefined ? undefined : `${reached} ${place.address}`, signal);
	}
	for await (const change of changesOf(place, { from, tip }, signal)) {
		gathered.push(change);
		if (gathered.length >= together) {
			// The next change may be of the same commit. A new start reads it again.
			const before = gathered.findLast(({ commit }) => commit !== change.commit)?.commit;
			await take(all ? undefined : before);
		}
	}
	await take(undefined);
}

/** Mails that were removed and not added again. */
function removedIn(changes: readonly MailChange[]): ReadonlySet<string> {
	const gone = new Set<string>();
	for (const { added, removed } of changes) {
		if (removed !== undefined) {
			gone.add(removed);
		}
		if (added !== undefined) {
			gone.delete(added);
		}
	}
	return gone;
}

/** Version 2 has a mail in `m`, and a removed one in `d`. Version 1 has a file for each mail, named by its Message-ID. */
const addedName = 'm';
const removedName = 'd';
const fileOfMail = /^[0-9a-f]{2}\/[0-9a-f]{38}$/;
const longestPart = 4096;
const rawLine = /^:\d{6} (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*$/;

async function* changesOf(
	{ git, folder }: EpochPlace,
	{ from, tip }: { readonly from: string | undefined; readonly tip: string },
	signal: AbortSignal,
): AsyncGenerator<MailChange, void, void> {
	let rest = '';
	let commit = '';
	let subject = '';
	let raw: RegExpExecArray | null = null;
	for await (const chunk of streamed(git, folder, epochCommands.epochChanges(from, tip), signal)) {
		const parts = (rest + chunk.toString('utf8')).split('\0');
		// No longer name is one of a mail.
		rest = (parts.pop() ?? '').slice(0, longestPart);
		for (const part of parts) {
			if (raw) {
				const change = changeOf({ commit, subject }, raw, part);
				raw = null;
				if (change) {
					yield change;
				}
				continue;
			}
			const text = part.replace(/^\n/, '');
			raw = rawLine.exec(text);
			if (!raw) {
				commit = text.slice(0, text.indexOf(' '));
				subject = text.slice(commit.length + 1);
			}
		}
	}
}

function changeOf(
	of: { readonly commit: string; readonly subject: string },
	[, mode, old, fresh]: RegExpExecArray,
	path: string,
): MailChange | undefined {
	const isFile = mode?.startsWith('100') === true;
	if (path === addedName || path === removedName) {
		// The next mail takes the place of the last one. The history keeps both.
		const file = isFile ? fresh : undefined;
		return file === undefined
			? undefined
			: path === addedName
				? { ...of, added: file, removed: undefined }
				: { ...of, added: undefined, removed: file };
	}
	return fileOfMail.test(path)
		? { ...of, added: isFile ? fresh : undefined, removed: /^0+$/.test(old ?? '') ? undefined : old }
		: undefined;
}

/** In the order of the ids. `keptBytes`: longer mails come without their end, and the largest ones without bytes. */
async function* blobs(
	place: EpochPlace,
	ids: readonly string[],
	keptBytes: number,
	signal: AbortSignal,
): AsyncGenerator<AnsweredObject, void, void> {
	if (ids.length === 0) {
		return;
	}
	const { git, folder } = place;
	const listed = (await outputOf(git, folder, epochCommands.epochSizes(ids), signal)).toString('latin1').split('\n');
	const sizes = new Map(ids.map((id, at) => [id, Number(/ blob (\d+)$/.exec(listed[at] ?? '')?.[1] ?? 0)]));
	const small = ids.filter((id) => (sizes.get(id) ?? 0) <= largestMail);
	const running = streamed(git, folder, epochCommands.epochMails(small), signal);
	const read = objectReader(async () => (await running.next()).value ?? undefined, {
		mostBytes: largestMail,
		keptBytes,
	});
	let at = 0;
	try {
		for (; at < ids.length; at += 1) {
			const id = ids[at] ?? '';
			const sizeBytes = sizes.get(id) ?? 0;
			yield sizeBytes > largestMail
				? { id, bytes: undefined, sizeBytes }
				: ((await read()) ?? { id, bytes: undefined, sizeBytes: undefined });
		}
		await read();
	} catch (error) {
		const [id = '', ...rest] = ids.slice(at);
		if (!(error instanceof GitFailure) || error.problem.kind !== 'tooMuch' || id === '') {
			throw error;
		}
		// It is small, and a difference of something that is not.
		yield { id, bytes: undefined, sizeBytes: sizes.get(id) };
		yield* blobs(place, rest, keptBytes, signal);
	} finally {
		await running.return();
	}
}

/** The output of a command. Throws `GitFailure` if it fails. */
async function* streamed(
	git: HardenedGit,
	folder: string,
	command: Parameters<HardenedGit['run']>[0],
	signal: AbortSignal,
): AsyncGenerator<Buffer, void, void> {
	const running = git.stream(command, { folder }, signal);
	try {
		for (;;) {
			const { done, value } = await running.next();
			if (done === true) {
				if (value.code !== 0) {
					throw new GitFailure({ kind: 'failed', program: 'git' }, value.complaint);
				}
				return;
			}
			yield value;
		}
	} finally {
		await running.return({ code: undefined, complaint: '' });
	}
}
