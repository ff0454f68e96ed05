import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createBatchReader } from './batchReader.ts';
import type { Commit, GitObject, ObjectType, TreeEntry } from './gitObjects.ts';
import { readCommit, readTree } from './gitObjects.ts';
import type { GitProgram } from './gitProgram.ts';

/** Result of a revision expression. */
export type Found =
	| { readonly kind: 'object'; readonly id: string; readonly type: ObjectType }
	| { readonly kind: 'missing' }
	| { readonly kind: 'ambiguous' };

export interface Ref {
	readonly name: string;
	readonly target: string;
}

/** Reads one repository. Ids are full ids of objects that exist. */
export interface ObjectSource {
	/** Any expression that git understands: references go before abbreviated ids, tags before branches. */
	resolve(revision: string): Promise<Found>;
	read(id: string): Promise<GitObject>;
	commit(id: string): Promise<Commit>;
	tree(id: string): Promise<readonly TreeEntry[]>;
	/** Shortest unique abbreviation of at least seven digits. */
	shortId(id: string): Promise<string>;
	/** Sorted by full name. */
	refs(): Promise<readonly Ref[]>;
	/** The reference that HEAD names. */
	head(): Promise<string>;
	/** Drops cached references; call it after a push. */
	changed(): void;
	dispose(): Promise<void>;
}

const mostKept = 5000;

/** A repository on disk, read by two long-lived runs of git that start when they are first needed. */
export function createObjectSource(git: GitProgram, gitDir: string): ObjectSource {
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
		if (reply.kind !== 'object') {
			throw new Error(`There is no object ${id}`);
		}
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
		resolve,
		read,
		commit: (id) => kept(commits, id, async () => readCommit(id, (await read(id)).bytes)),
		tree: (id) => kept(trees, id, async () => readTree((await read(id)).bytes)),
		shortId: (id) => kept(shortIds, id, async () => await findShortId(id)),
		refs: async () => await (refs ??= listRefs()),
		async head() {
			const text = await readFile(join(gitDir, 'HEAD'), 'utf8');
			return text.replace(/^ref: /, '').trim();
		},
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
