import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
	readTag,
	type ObjectType,
	type TreeEntry,
	type Commit,
	type GitObject,
	readCommit,
	readTree,
	isObjectType,
} from './gitObjects.ts';
import type { GitProgram } from './gitProgram.ts';
import { check } from '../shared/checks.ts';

/** An object that a path of the API names. */
export interface Target {
	readonly id: string;
	readonly type: ObjectType;
}

/** A revision with the rest of the path. */
export interface Located extends Target {
	readonly path: readonly string[];
}

/**
 * Finds the revision at the start of a path by joining segments until they resolve. So references with slashes work,
 * and the shortest name wins (docs/protocol.md#revisions).
 */
export async function locate(source: ObjectSource, parts: readonly string[]): Promise<Located | undefined> {
	for (let count = 1; count <= Math.min(parts.length, 64); count++) {
		const found = await source.resolve(parts.slice(0, count).join('/'));
		if (found.kind === 'object') {
			return { id: found.id, type: found.type, path: parts.slice(count) };
		}
	}
	return undefined;
}

/** Follows tags to their final target. */
export async function peel(source: ObjectSource, target: Target): Promise<Target> {
	let at = target;
	while (at.type === 'tag') {
		const { target: id } = readTag((await source.read(at.id)).bytes);
		const found = await source.resolve(id);
		check(found.kind === 'object', () => new Error(`The tag ${at.id} leads nowhere`));
		at = found;
	}
	return at;
}

/** The tree of a commit, tag or tree; undefined for a blob. */
export async function treeOf(source: ObjectSource, target: Target): Promise<string | undefined> {
	const { id, type } = await peel(source, target);
	switch (type) {
		case 'commit': {
			return (await source.commit(id)).tree;
		}
		case 'tree': {
			return id;
		}
		case 'blob':
		case 'tag': {
			return undefined;
		}
	}
}

/** Follows folders from a tree. Files, links and submodules on the way end it. */
export async function follow(
	source: ObjectSource,
	tree: string,
	path: readonly string[],
): Promise<Pick<TreeEntry, 'id' | 'mode'> | undefined> {
	let at: Pick<TreeEntry, 'id' | 'mode'> = { id: tree, mode: treeMode };
	for (const name of path) {
		if (at.mode !== treeMode) {
			return undefined;
		}
		const entry = (await source.tree(at.id)).find((each) => each.name === name);
		if (entry === undefined) {
			return undefined;
		}
		at = entry;
	}
	return at;
}

const treeMode = 0o040000;

/** All ancestors of a commit, always the newest known one next. */
async function* walkCommits(source: ObjectSource, from: string): AsyncGenerator<Commit> {
	const seen = new Set([from]);
	const waiting = [await source.commit(from)];
	for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
		yield next;
		const fresh = next.parents.filter((parent) => !seen.has(parent));
		for (const parent of await Promise.all(fresh.map(async (id) => await source.commit(id)))) {
			if (!seen.has(parent.id)) {
				seen.add(parent.id);
				insert(waiting, parent);
			}
		}
	}
}

/** Sorted by commit time, newest first; stable. */
function insert(waiting: Commit[], commit: Commit): void {
	const at = waiting.findIndex(({ committer }) => committer.timeS < commit.committer.timeS);
	waiting.splice(at < 0 ? waiting.length : at, 0, commit);
}

/** The first `count` commits from one on. `skipTo`: leaves out those before this one. */
export async function firstCommits(
	source: ObjectSource,
	from: string,
	count: number,
	skipTo?: string,
): Promise<readonly Commit[]> {
	const commits: Commit[] = [];
	let skipping = skipTo !== undefined;
	for await (const commit of walkCommits(source, from)) {
		skipping &&= commit.id !== skipTo;
		if (!skipping) {
			commits.push(commit);
		}
		if (commits.length === count) {
			break;
		}
	}
	return commits;
}

const missing: Reply = { kind: 'missing' };

/** Result of a revision expression. */
export type Found =
	| { readonly kind: 'object'; readonly id: string; readonly type: ObjectType }
	| { readonly kind: 'missing' }
	| { readonly kind: 'ambiguous' };

export interface Ref {
	readonly name: string;
	readonly target: string;
}

const mostKept = 5000;

/** Reads one repository. Ids are full ids of objects that exist. */
export type ObjectSource = ReturnType<typeof createObjectSource>;

/** A repository on disk, read by two long-lived runs of git that start when they are first needed. */
export function createObjectSource(git: GitProgram, gitDir: string) {
	const heads = createBatchReader(git, gitDir, '--batch-check');
	const contents = createBatchReader(git, gitDir, '--batch');
	const commits = new Map<string, Promise<Commit>>();
	const trees = new Map<string, Promise<readonly TreeEntry[]>>();
	const shortIds = new Map<string, Promise<string>>();
	let refs: Promise<readonly Ref[]> | undefined;

	const resolve = async (revision: string): Promise<Found> => {
		const reply = await heads.ask(revision);
		return reply.kind === 'object' ? { kind: 'object', id: reply.id, type: reply.type } : reply;
	};
	const read = async (id: string): Promise<GitObject> => {
		const reply = await contents.ask(id);
		check(reply.kind === 'object', () => new Error(`There is no object ${id}`));
		return reply;
	};
	const findShortId = async (id: string): Promise<string> => {
		for (let length = 7; length < id.length; length++) {
			const found = await heads.ask(id.slice(0, length));
			if (found.kind !== 'ambiguous') {
				return id.slice(0, length);
			}
		}
		return id;
	};
	const listRefs = async (): Promise<readonly Ref[]> => {
		const output = await git.run(['--git-dir', gitDir, 'for-each-ref', '--format=%(objectname) %(refname)']);
		return output
			.toString('utf8')
			.split('\n')
			.filter((line) => line !== '')
			.map((line) => ({ name: line.slice(41), target: line.slice(0, 40) }));
	};
	return {
		/** Any expression that git understands: references go before abbreviated ids, tags before branches. */
		resolve,
		read,
		commit: (id: string) => kept(commits, id, async () => readCommit(id, (await read(id)).bytes)),
		tree: (id: string) => kept(trees, id, async () => readTree((await read(id)).bytes)),
		/** Shortest unique abbreviation of at least seven digits. */
		shortId: (id: string) => kept(shortIds, id, async () => await findShortId(id)),
		/** Sorted by full name. */
		refs: async () => await (refs ??= listRefs()),
		/** The reference that HEAD names. */
		async head() {
			const text = await readFile(join(gitDir, 'HEAD'), 'utf8');
			return text.replace(/^ref: /, '').trim();
		},
		/** Drops cached references; call it after a push. */
		changed() {
			refs = undefined;
			shortIds.clear();
		},
		async dispose() {
			await Promise.all([heads.dispose(), contents.dispose()]);
		},
	};
}

/** Caches objects, which never change; drops failures. */
function kept<T>(memory: Map<string, Promise<T>>, id: string, read: () => Promise<T>): Promise<T> {
	const known = memory.get(id);
	if (known !== undefined) {
		return known;
	}
	if (memory.size >= mostKept) {
		memory.clear();
	}
	const made = read();
	memory.set(id, made);
	made.catch(() => memory.delete(id));
	return made;
}

/** Answer of `git cat-file` about a name. `bytes` is empty if only the head was wanted. */
type Reply =
	| { readonly kind: 'object'; readonly id: string; readonly type: ObjectType; readonly bytes: Buffer }
	| { readonly kind: 'missing' }
	| { readonly kind: 'ambiguous' };

/** `--batch` returns contents, `--batch-check` only heads. Both are older than `--batch-command`. */
type BatchMode = '--batch' | '--batch-check';

interface Question {
	readonly name: string;
	resolve(reply: Reply): void;
	reject(error: unknown): void;
}

/** One long-lived `git cat-file`, asked one name after the other. It starts with the first question. */
function createBatchReader(git: GitProgram, gitDir: string, mode: BatchMode) {
	let running: ChildProcessWithoutNullStreams | undefined;
	const waiting: Question[] = [];
	let disposed = false;

	const lost = (gone: ChildProcessWithoutNullStreams, error: unknown): void => {
		if (running !== gone) {
			return;
		}
		running = undefined;
		const [first, ...others] = waiting.splice(0);
		// Git dies of some expressions (a reflog that is not there). The first question is the one that it died of.
		if (disposed || error !== undefined) {
			const reason = error ?? new Error('The repository reader was closed');
			for (const question of first === undefined ? others : [first, ...others]) {
				question.reject(reason);
			}
			return;
		}
		first?.resolve(missing);
		for (const question of others) {
			send(question);
		}
	};

	const start = (): ChildProcessWithoutNullStreams => {
		const child = git.start(['--git-dir', gitDir, 'cat-file', mode]);
		const splitter = createReplySplitter(mode === '--batch', (reply) => waiting.shift()?.resolve(reply));
		child.stderr.resume();
		child.stdout.on('data', (chunk: Buffer) => splitter(chunk));
		child.on('error', (error) => lost(child, error));
		child.on('close', () => lost(child, undefined));
		return child;
	};

	const send = (question: Question): void => {
		running ??= start();
		waiting.push(question);
		running.stdin.write(`${question.name}\n`);
	};

	return {
		/** Any revision expression. A name that makes git give up is missing. */
		ask(name: string) {
			// A line end would be a second question. No reference holds a control character.
			if (disposed || /[\0\r\n]/.test(name) || name === '') {
				return Promise.resolve(missing);
			}
			const { promise, resolve, reject } = Promise.withResolvers<Reply>();
			send({ name, resolve, reject });
			return promise;
		},
		/** Resolves when the process is gone. */
		async dispose() {
			disposed = true;
			if (running?.exitCode === null && running.signalCode === null) {
				const { promise, resolve } = Promise.withResolvers<void>();
				running.once('close', () => resolve());
				running.stdin.end();
				await promise;
			}
		},
	};
}

/** Splits the output into replies: a line, and with contents its number of bytes and a line end. */
function createReplySplitter(withContents: boolean, found: (reply: Reply) => void): (chunk: Buffer) => void {
	let chunks: Buffer[] = [];
	let length = 0;
	let needed = 0;
	const step = (bytes: Buffer): number => {
		const newline = bytes.indexOf(0x0a);
		if (newline < 0) {
			return 0;
		}
		const [, id, type, size] = /^([0-9a-f]{40}) (\w+) (\d+)$/.exec(bytes.toString('utf8', 0, newline)) ?? [];
		if (id === undefined || !isObjectType(type)) {
			const ambiguous = bytes.toString('utf8', 0, newline).endsWith(' ambiguous');
			found(ambiguous ? { kind: 'ambiguous' } : missing);
			return newline + 1;
		}
		const start = newline + 1;
		const end = start + (withContents ? Number(size) : 0);
		if (withContents && bytes.length < end + 1) {
			needed = end + 1;
			return 0;
		}
		found({ kind: 'object', id, type, bytes: Buffer.from(bytes.subarray(start, end)) });
		return withContents ? end + 1 : start;
	};
	return (chunk) => {
		chunks.push(chunk);
		length += chunk.length;
		if (length < needed) {
			return;
		}
		let rest = Buffer.concat(chunks);
		needed = 0;
		for (let used = step(rest); used > 0; used = rest.length > 0 ? step(rest) : 0) {
			rest = rest.subarray(used);
		}
		chunks = rest.length > 0 ? [rest] : [];
		length = rest.length;
	};
}
