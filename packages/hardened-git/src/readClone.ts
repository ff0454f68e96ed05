import { Buffer } from 'node:buffer';
import { isObjectId, type ObjectKind, provenBy } from 'patchmail/git/objectId.ts';
import { GitFailure, knownCause } from './gitFailure.ts';
import { gitCommands } from './gitCommands.ts';
import { runText, type HardenedGit } from './hardenedGit.ts';
import type { Ended } from './runProgram.ts';

/** A file of a commit, or a link. */
export interface FileOfCommit {
	/** With slashes. Invalid UTF-8 is replaced, so such a path cannot be opened. */
	readonly path: string;
	/** Blob id. */
	readonly id: string;
	/** A link's content is its target. */
	readonly isLink: boolean;
	/** `undefined` when the clone lacks it. */
	readonly sizeBytes: number | undefined;
}

export interface SubmoduleOfCommit {
	readonly path: string;
	/** Commit id. */
	readonly id: string;
}

/** Part of a commit's listing. */
export interface ListedEntries {
	readonly files: readonly FileOfCommit[];
	readonly submodules: readonly SubmoduleOfCommit[];
}

const entry = /^(\d{6}) (blob|commit) ([0-9a-f]+) +(\d+|-|BAD)\t(.+)$/s;

/** No file system has such a path, and a few kilobytes of a pack make a path of gigabytes. */
const longestEntry = 65_536;

/** Parses `git ls-tree -r -l -z` incrementally. Only NUL ends an entry. Leaves out endless paths. */
export function listingReader(): (chunk: Buffer) => ListedEntries {
	let rest: Buffer = Buffer.alloc(0);
	/** The start of the entry is dropped already. */
	let isLong = false;
	return (chunk) => {
		const bytes = Buffer.concat([rest, chunk]);
		const end = bytes.lastIndexOf(0);
		rest = bytes.subarray(end + 1);
		const texts =
			end < 0
				? []
				: bytes
						.toString('utf8', 0, end)
						.split('\0')
						.slice(isLong ? 1 : 0);
		isLong = rest.length > longestEntry || (isLong && end < 0);
		if (isLong) {
			rest = Buffer.alloc(0);
		}
		const files: FileOfCommit[] = [];
		const submodules: SubmoduleOfCommit[] = [];
		for (const text of texts) {
			const [, mode, kind, id = '', size = '', path = ''] = entry.exec(text) ?? [];
			if (kind === 'commit') {
				submodules.push({ path, id });
			} else if (kind === 'blob' && isObjectId(id)) {
				const sizeBytes = /^\d+$/.test(size) ? Number(size) : undefined;
				files.push({ path, id, isLink: mode === '120000', sizeBytes });
			}
		}
		return { files, submodules };
	};
}

/** One reply of `git cat-file --batch`. */
export interface AnsweredObject {
	readonly id: string;
	/** `undefined` if the object is missing, too large or of another type. */
	readonly bytes: Uint8Array | undefined;
	/** Of the whole object; `undefined` if it is missing. */
	readonly sizeBytes: number | undefined;
}

/** Maximum length of a header: id, type and size. */
const longestHead = 200;

/**
 * Parses `git cat-file --batch`: `<id> <kind> <size>\n<content>\n` or `<id> missing\n`. `pull` returns the next chunk,
 * `undefined` at the end. Throws on a truncated or malformed reply. Objects of another kind than `wanted` or above
 * `mostBytes` come without bytes, and take no memory. `keptBytes`: longer ones come without their end.
 */
export function objectReader(
	pull: () => Promise<Buffer | undefined>,
	{
		wanted = 'blob',
		mostBytes,
		keptBytes = mostBytes,
	}: { readonly wanted?: ObjectKind; readonly mostBytes: number; readonly keptBytes?: number },
): () => Promise<AnsweredObject | undefined> {
	let chunk: Buffer = Buffer.alloc(0);

	/** False at the end of the stream. */
	async function more(): Promise<boolean> {
		while (chunk.length === 0) {
			const next = await pull();
			if (next === undefined) {
				return false;
			}
			chunk = next;
		}
		return true;
	}

	async function head(): Promise<string | undefined> {
		for (let line = ''; ;) {
			if (!(await more())) {
				throwUnless(line === '');
				return undefined;
			}
			const end = chunk.indexOf(0x0a);
			const length = end === -1 ? chunk.length : end;
			line += chunk.toString('latin1', 0, Math.min(length, longestHead + 1));
			if (line.length > longestHead) {
				throw new Error('git answers something else than an object');
			}
			chunk = chunk.subarray(length + 1);
			if (end !== -1) {
				return line;
			}
		}
	}

	return async () => {
		const line = await head();
		if (line === undefined) {
			return undefined;
		}
		const [id = '', kind, size = ''] = line.split(' ');
		if (!/^\d+$/.test(size)) {
			throwUnless(kind === 'missing');
			return { id, bytes: undefined, sizeBytes: undefined };
		}
		const sizeBytes = Number(size);
		const isTaken = kind === wanted && sizeBytes <= mostBytes;
		// An array of its own, because a view would transfer its whole buffer to the worker.
		const bytes = isTaken ? new Uint8Array(Math.min(sizeBytes, keptBytes)) : undefined;
		// The content ends with a line end.
		for (let read = 0; read <= sizeBytes;) {
			throwUnless(await more());
			const part = chunk.subarray(0, sizeBytes + 1 - read);
			if (bytes && read < bytes.length) {
				bytes.set(part.subarray(0, bytes.length - read), read);
			}
			read += part.length;
			chunk = chunk.subarray(part.length);
		}
		return { id, bytes, sizeBytes };
	};
}

function throwUnless(isWhole: boolean): void {
	if (!isWhole) {
		throw new Error('git ended in the middle of an answer');
	}
}

/**
 * Reads commits from a clone without its working tree. Reads objects by id, without filters, links, submodules or
 * fetching.
 */

/** Throws `GitFailure` if git cannot run. */
export async function hasCommit(git: HardenedGit, root: string, commit: string, signal: AbortSignal): Promise<boolean> {
	return (await git.run(gitCommands.hasCommit(commit), { folder: root }, signal)).code === 0;
}

/** Files and links of a commit, streamed. Without submodules. */
export async function* filesOfCommit(
	git: HardenedGit,
	root: string,
	commit: string,
	signal: AbortSignal,
): AsyncGenerator<readonly FileOfCommit[], void, void> {
	for await (const { files } of entriesOfCommit(git, root, commit, signal)) {
		yield files;
	}
}

/** The same with submodules. */
export async function* entriesOfCommit(
	git: HardenedGit,
	root: string,
	commit: string,
	signal: AbortSignal,
): AsyncGenerator<ListedEntries, void, void> {
	const read = listingReader();
	const running = git.stream(gitCommands.list(commit), { folder: root }, signal);
	try {
		for (;;) {
			const { done, value } = await running.next();
			if (done === true) {
				return throwUnlessWell(value);
			}
			yield read(value);
		}
	} finally {
		await running.return({ code: undefined, complaint: '' });
	}
}

/** Callers know the sizes, and ask for smaller ones. */
const mostOfBlob = 64 * 1024 * 1024;

/** A blob by id; `undefined` if the clone lacks it or its content does not match the id. */
export type BlobOfClone = (id: string) => Promise<Uint8Array | undefined>;

/** Streams these blobs. Request ids in this order; skipping is allowed. Ends after the last blob or on abort. */
export function blobsOfClone(git: HardenedGit, root: string, ids: readonly string[], signal: AbortSignal): BlobOfClone {
	const running = git.stream(gitCommands.blobs(ids), { folder: root }, signal);
	const next = objectReader(() => pulled(running), { mostBytes: mostOfBlob });
	const last = ids.at(-1);
	let turn: Promise<unknown> = Promise.resolve();

	async function read(id: string): Promise<Uint8Array | undefined> {
		let found = await next();
		while (found && found.id !== id) {
			found = await next();
		}
		if (!found) {
			throw new GitFailure({ kind: 'failed', program: 'git' }, `no answer for ${id}`);
		}
		if (id === last) {
			await pulled(running);
		}
		const { bytes } = found;
		return bytes && provenBy(id, 'blob', bytes) === 'same' ? bytes : undefined;
	}

	return (id) => {
		const mine = turn.then(() => read(id));
		turn = mine.catch(() => undefined);
		return mine;
	};
}

async function pulled(running: AsyncGenerator<Buffer, Ended, void>): Promise<Buffer | undefined> {
	const { done, value } = await running.next();
	if (done === true) {
		throwUnlessWell(value);
		return undefined;
	}
	return value;
}

function throwUnlessWell(ended: Ended | undefined): void {
	// `undefined`: the stream ended before.
	if (ended && ended.code !== 0) {
		throw new GitFailure({ kind: 'failed', program: 'git' }, ended.complaint);
	}
}

/** Limits per file and in total, because all contents are in memory. */
const mostBytes = 8 * 1024 * 1024;
const mostBytesInAll = 64 * 1024 * 1024;
const mostIds = 2000;

/**
 * Files by the given abbreviated ids. Omits missing, ambiguous and too large ones; never fetches. Throws `GitFailure`
 * if git cannot run.
 */
export async function contentsInClone(
	git: HardenedGit,
	root: string,
	ids: readonly string[],
	signal: AbortSignal,
): Promise<ReadonlyMap<string, Uint8Array>> {
	const asked = [...new Set(ids)].slice(0, mostIds);
	const found = asked.length === 0 ? new Map<string, string>() : await fullIds(git, root, asked, signal);
	const contents = new Map<string, Uint8Array>();
	const full = [...new Set(found.values())];
	if (full.length === 0) {
		return contents;
	}
	const read = blobsOfClone(git, root, full, signal);
	const byFullId = new Map<string, Uint8Array>();
	for (const id of full) {
		const content = await read(id);
		if (content) {
			byFullId.set(id, content);
		}
	}
	for (const [id, fullId] of found) {
		const content = byFullId.get(fullId);
		if (content) {
			contents.set(id, content);
		}
	}
	return contents;
}

/** Git replies in the order of the requests. */
async function fullIds(
	git: HardenedGit,
	root: string,
	ids: readonly string[],
	signal: AbortSignal,
): Promise<Map<string, string>> {
	const { text } = await runText(git, root, gitCommands.findBlobs(ids), signal);
	const lines = text.split('\n');
	const found = new Map<string, string>();
	let bytes = 0;
	for (const [at, id] of ids.entries()) {
		const [, fullId, size] = /^([0-9a-f]{40}|[0-9a-f]{64}) blob (\d+)$/.exec(lines[at] ?? '') ?? [];
		if (fullId?.startsWith(id) === true && Number(size) <= mostBytes && bytes + Number(size) <= mostBytesInAll) {
			bytes += Number(size);
			found.set(id, fullId);
		}
	}
	return found;
}

/** A commit and its diff as in a mail. */
export interface CommittedPatch {
	readonly commit: string;
	/** Empty for an empty commit. */
	readonly diff: string;
}

/** In characters; larger commits are skipped. */
const largestPatch = 8_000_000;

/**
 * Streams patches of the newest commits reachable from `commit`, without merges. Used to find already applied patches
 * by patch id. Ignores the clone's diff settings. Throws `GitFailure`.
 */
export async function* patchesInClone(
	git: HardenedGit,
	root: string,
	{ commit, count }: { readonly commit: string; readonly count: number },
	signal: AbortSignal,
): AsyncGenerator<CommittedPatch, void, void> {
	const decoder = new TextDecoder();
	const running = git.stream(gitCommands.patches(commit, count), { folder: root }, signal);
	let rest = '';
	let isLarge = false;
	try {
		for (;;) {
			const { done, value } = await running.next();
			if (done === true) {
				if (value.code !== 0) {
					throw new GitFailure({ kind: 'failed', program: 'git' }, value.complaint);
				}
				yield* isLarge ? [] : patchIn(rest);
				return;
			}
			const [first = '', ...others] = decoder.decode(value, { stream: true }).split('\0');
			rest += isLarge ? '' : first;
			for (const next of others) {
				yield* isLarge ? [] : patchIn(rest);
				[rest, isLarge] = [next, false];
			}
			if (rest.length > largestPatch) {
				[rest, isLarge] = ['', true];
			}
		}
	} finally {
		await running.return({ code: undefined, complaint: '' });
	}
}

function patchIn(text: string): readonly CommittedPatch[] {
	const [head, commit = ''] = /^([0-9a-f]{40,64})\n+/.exec(text) ?? [];
	return head === undefined ? [] : [{ commit, diff: text.slice(head.length) }];
}

export interface ReferenceInClone {
	readonly kind: 'branch' | 'remoteBranch' | 'tag';
	/** Short name as git writes it, such as `origin/main`; untrusted. */
	readonly name: string;
	readonly commit: string;
}

const mostReferences = 2000;

const kinds = [
	['branch', 'refs/heads/'],
	['remoteBranch', 'refs/remotes/'],
	['tag', 'refs/tags/'],
] as const;

/**
 * Branches, remote-tracking branches and tags that lead to a commit, newest first. Skips symbolic and unreadable
 * references. Throws `GitFailure`.
 */
export async function referencesInClone(
	git: HardenedGit,
	root: string,
	signal: AbortSignal,
): Promise<readonly ReferenceInClone[]> {
	const { code, text, complaint } = await runText(git, root, gitCommands.references(mostReferences), signal);
	if (code !== 0 && knownCause(complaint)) {
		throw new GitFailure({ kind: 'failed', program: 'git' }, complaint);
	}
	return text.split('\n').flatMap((line): readonly ReferenceInClone[] => {
		const [own = '', tagged = '', symref, fullName = ''] = line.split('\0');
		const commit = [own, tagged].find((each) => each.startsWith('commit '))?.slice('commit '.length) ?? '';
		const [kind, prefix = ''] = kinds.find(([, start]) => fullName.startsWith(start)) ?? [];
		return kind === undefined || symref !== '' || !isObjectId(commit)
			? []
			: [{ kind, name: fullName.slice(prefix.length), commit }];
	});
}
