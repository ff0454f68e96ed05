import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { HardenedGit } from 'hardened-git/hardenedGit.ts';
import * as v from 'valibot';
import { mailboxSite } from '../read/archivePlace.ts';
import type { InboxFacts } from '../read/inboxFacts.ts';
import { epochClone, type LeftOutMail } from './epochClone.ts';
import { LocalList, mailboxAt } from './localList.ts';
import type { AskIndex, MailSource } from './mailSource.ts';

/** A list on this machine: a mailbox, or the clone of an archive's list. */
export interface HeldList {
	readonly facts: InboxFacts;
	readonly list: LocalList;
	/** Brings new mails of a clone over the network, for the next refresh. Throws `GitFailure`. */
	readonly fetch: ((signal: AbortSignal) => Promise<void>) | undefined;
	/** Mails of a clone that are too large to be read. */
	readonly leftOut: () => Promise<readonly LeftOutMail[]>;
}

/** The machine around them. */
export interface HeldPlace {
	readonly folder: string;
	readonly git: HardenedGit;
	/** Clones need git, which runs in trusted workspaces only. */
	readonly hasGit: () => boolean;
	readonly ask: AskIndex;
}

const texts = v.array(v.string());
const factsShape = v.pipe(
	v.object({
		url: v.string(),
		name: v.string(),
		description: v.string(),
		addresses: texts,
		listId: v.optional(v.string()),
		newsgroups: texts,
		mirrors: texts,
		repositories: texts,
	}),
	v.transform((facts): InboxFacts => ({ ...facts, listId: facts.listId })),
);
const recordShape = v.variant('kind', [
	v.object({ kind: v.literal('mailbox'), facts: factsShape, path: v.string() }),
	v.object({
		kind: v.literal('clone'),
		facts: factsShape,
		/** Of its newest epoch. */
		address: v.string(),
		/** When the archive named that epoch. */
		askedMs: v.number(),
		depth: v.optional(v.number()),
		mostMebibytes: v.number(),
	}),
]);
type ListRecord = v.InferOutput<typeof recordShape>;

const recordName = 'list.json';
const dayMs = 86_400_000;
/** An unfinished list starts again within this time, or its folder goes. */
const abandonedMs = 7 * dayMs;

/**
 * The mailboxes and kept lists of a person. Each has a folder below `folder`, with its record, index and clone. Windows
 * share it, so every question reads the records. `epochOf`: address of a list's newest epoch; `undefined` if unknown now.
 */
export function heldLists(
	{ folder, git, hasGit, ask }: HeldPlace,
	epochOf: (inboxUrl: string, signal: AbortSignal) => Promise<string | undefined>,
	nowMs: () => number,
) {
	const made = new Map<string, { readonly text: string; readonly held: HeldList }>();
	const folderOf = (key: string): string => join(folder, key);

	async function recordAt(key: string): Promise<{ readonly text: string; readonly record: ListRecord } | undefined> {
		try {
			const text = await readFile(join(folderOf(key), recordName), 'utf8');
			return { text, record: v.parse(recordShape, JSON.parse(text)) };
		} catch {
			// No record, or one of a later version.
			return undefined;
		}
	}

	/** True also for a record of a later version. */
	async function hasRecord(key: string): Promise<boolean> {
		return (await readdir(folderOf(key))).includes(recordName);
	}

	async function write(key: string, record: ListRecord): Promise<void> {
		await mkdir(folderOf(key), { recursive: true, mode: 0o700 });
		const path = join(folderOf(key), recordName);
		await writeFile(`${path}.${process.pid}`, JSON.stringify(record), { mode: 0o600 });
		await rename(`${path}.${process.pid}`, path);
	}

	function listOf(key: string, record: ListRecord): HeldList {
		const file = join(folderOf(key), 'index.sqlite');
		const { facts } = record;
		if (record.kind === 'mailbox') {
			const list = new LocalList(returning(record.path, nowMs), ask, file, nowMs);
			return { facts, list, fetch: undefined, leftOut: async () => [] };
		}
		const { depth, mostMebibytes } = record;
		let { address } = record;
		const clone = epochClone({
			git,
			folder: join(folderOf(key), 'clone.git'),
			depth,
			mostMebibytes,
			nowMs,
			// By it the index separates a new epoch from a rewritten history.
			get address() {
				return address;
			},
		});
		const list = new LocalList(clone, ask, file, nowMs);
		return {
			facts,
			list,
			leftOut: clone.leftOut,
			async fetch(signal) {
				if (nowMs() - record.askedMs < dayMs) {
					return await clone.fetch(signal);
				}
				const newest = (await epochOf(facts.url, signal)) ?? address;
				if (newest !== address) {
					// The last mails of the epoch before.
					await clone.fetch(signal);
					await list.refresh(() => undefined, signal);
					address = newest;
				}
				await clone.fetch(signal);
				// It may not be wanted any more.
				if (await recordAt(key)) {
					await write(key, { ...record, address: newest, askedMs: nowMs() });
				}
			},
		};
	}

	async function heldAt(key: string): Promise<HeldList | undefined> {
		const found = await recordAt(key);
		if (!found || (found.record.kind === 'clone' && !hasGit())) {
			return undefined;
		}
		const known = made.get(key);
		if (known?.text === found.text) {
			return known.held;
		}
		const held = listOf(key, found.record);
		made.set(key, { text: found.text, held });
		return held;
	}

	async function all(): Promise<readonly HeldList[]> {
		const keys = await readdir(folder).catch(() => []);
		return (await Promise.all(keys.map(heldAt))).filter((held) => held !== undefined);
	}

	return {
		all,
		at: async (inboxUrl: string): Promise<HeldList | undefined> =>
			(await all()).find(({ facts }) => facts.url === inboxUrl),

		/** Reads the mailbox at a path, as a list from then on. Throws `MailboxError`. */
		async openMailbox(path: string, onProgress: (mails: number) => void, signal: AbortSignal): Promise<InboxFacts> {
			await mailboxAt(path, nowMs);
			const key = keyOf(path);
			const known = await heldAt(key);
			if (known) {
				await known.list.refresh(onProgress, signal);
				return known.facts;
			}
			// Names of lists have no case.
			const names = new Set((await all()).map(({ facts }) => facts.name.toLowerCase()));
			const bare = basename(path)
				.normalize()
				.replaceAll(/[^\p{L}\p{N}\p{M}_.+-]+/gu, '-');
			const wanted = /^[-.]*$/.test(bare) ? 'mailbox' : bare;
			let name = wanted;
			for (let at = 2; names.has(name.toLowerCase()); at += 1) {
				name = `${wanted}-${at}`;
			}
			const url = `${mailboxSite}${encodeURIComponent(name)}/`;
			const none = { addresses: [], listId: undefined, newsgroups: [], mirrors: [], repositories: [] };
			const record: ListRecord = { kind: 'mailbox', facts: { url, name, description: path, ...none }, path };
			await mkdir(folderOf(key), { recursive: true, mode: 0o700 });
			await listOf(key, record).list.refresh(onProgress, signal);
			signal.throwIfAborted();
			await write(key, record);
			return record.facts;
		},

		/**
		 * Downloads a list and reads it. It answers from then on. A stopped download starts again with the next call, and the
		 * reading goes on. A kept list gets its new mails. `depth`: number of its newest mails; `undefined` for all of its newest epoch.
		 */
		async keep(
			facts: InboxFacts,
			{ depth, mostMebibytes }: { readonly depth: number | undefined; readonly mostMebibytes: number },
			onProgress: (mails: number) => void,
			signal: AbortSignal,
		): Promise<void> {
			await removeAbandoned();
			const key = keyOf(facts.url);
			const known = await heldAt(key);
			if (known) {
				await known.fetch?.(signal);
				await known.list.refresh(onProgress, signal);
				return;
			}
			const address = (await epochOf(facts.url, signal)) ?? `${facts.url}0`;
			const more = depth === undefined ? {} : { depth };
			const record: ListRecord = { kind: 'clone', facts, address, askedMs: nowMs(), mostMebibytes, ...more };
			const { list, fetch } = listOf(key, record);
			await mkdir(folderOf(key), { recursive: true, mode: 0o700 });
			await fetch?.(signal);
			await list.refresh(onProgress, signal);
			signal.throwIfAborted();
			await write(key, record);
		},

		/** Forgets a list with its index and clone. The file of a mailbox stays as it is. */
		async remove(inboxUrl: string): Promise<void> {
			for (const key of await readdir(folder).catch(() => [])) {
				const found = await recordAt(key);
				if (found?.record.facts.url === inboxUrl) {
					made.delete(key);
					await rm(join(folderOf(key), recordName), { force: true });
					await ask({ kind: 'close', file: join(folderOf(key), 'index.sqlite') }, new AbortController().signal);
					// Another window may have the index open, and Windows keeps it then.
					await rm(folderOf(key), { recursive: true, force: true }).catch(() => undefined);
				}
			}
		},
	};

	async function removeAbandoned(): Promise<void> {
		for (const key of await readdir(folder).catch(() => [])) {
			const found = await stat(folderOf(key)).catch(() => undefined);
			if (found?.isDirectory() === true && nowMs() - found.mtimeMs > abandonedMs && !(await hasRecord(key))) {
				await rm(folderOf(key), { recursive: true, force: true }).catch(() => undefined);
			}
		}
	}
}

/** The mailbox of a path. It may be away for a while, as those on a stick are. */
function returning(path: string, nowMs: () => number): MailSource {
	let found: MailSource | undefined;
	const source = async (): Promise<MailSource> => (found ??= await mailboxAt(path, nowMs));
	return {
		refresh: async (index, signal) => (await source()).refresh(index, signal),
		async *contents(mails, signal) {
			yield* (await source()).contents(mails, signal);
		},
	};
}

function keyOf(place: string): string {
	return createHash('sha256').update(place).digest('hex').slice(0, 16);
}
