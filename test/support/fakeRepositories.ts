import { createHash } from 'node:crypto';
import { Emitter } from '@forge-desk/base/event.ts';
import type { RepositoryApi } from 'sourcehut/port/forge.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Page, Pages } from 'sourcehut/port/page.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type {
	Blob,
	Commit,
	Reference,
	Repository,
	RepositoryRef,
	Tree,
	TreeEntry,
	TreePath,
} from 'sourcehut/port/repository.ts';
import type { ObjectKind } from 'patchmail/git/objectId.ts';
import { treeBytes } from 'patchmail/git/treeBytes.ts';
import { factsInMemory } from 'sourcehut/port/learntFacts.ts';
import { blobWays, type BlobRoutes } from 'sourcehut/rest/restRepositories.ts';
import type { Connection, Connections } from '../../src/store/connection.ts';
import type { KeptObjects } from '../../src/store/repositories/objects/repositoryObjects.ts';
import { openInbox } from '../../src/store/inbox/inbox.ts';
import { folderOf, nameOf } from '../../src/store/repositories/repositoryEntries.ts';
import { RepositoryStore } from '../../src/store/repositories/repositoryStore.ts';
import type { RepositorySources } from '../../src/store/repositories/repositorySources.ts';
import { keptNames, sampleInstance } from './fakeConnection.ts';
import { fakeClock } from './fakeClock.ts';
import { keptInMemory } from './keptInMemory.ts';
import { standFor } from './standFor.ts';
import { journalInMemory } from './journalInMemory.ts';

/** A folder to create: strings and bytes are files, objects are folders, and an entry stays unchanged. */
export interface Folder {
	readonly [name: string]: string | Uint8Array | Folder | TreeEntry;
}

export interface FakeRepositoryWorld {
	readonly repositories: Repository[];
	/** By `~owner/name`. */
	readonly references: Map<string, Reference[]>;
	/** Commits by `~owner/name revision`, newest first; an id maps to the log that begins with it. */
	readonly logs: Map<string, Commit[]>;
	/** Ids of root trees by `~owner/name revision`. */
	readonly roots: Map<string, string>;
	readonly trees: Map<string, Tree>;
	readonly blobs: Map<string, Blob>;
	/** Every call in order: `tree ~alice/quill main`. */
	readonly calls: string[];
	/** Default branch by `~owner/name`; a missing entry means unknown. */
	readonly heads: Map<string, string>;
	pageSize: number;
	/** Runs before each call returns: to wait, to fail, or to change the world. */
	before: (call: string) => Promise<void> | void;
	/** Adds a folder to the world; returns its git id. */
	grow(folder: Folder): string;
	/** Adds a file to the world; returns its git id. */
	write(content: string | Uint8Array): string;
	/** Commits a root tree on top of a revision; returns the commit. */
	commit(ref: RepositoryRef, revision: string, root: string): Commit;
}

export interface FakeRepositories {
	readonly world: FakeRepositoryWorld;
	readonly api: RepositoryApi;
	/** Routes by which `api` reads files. */
	readonly routes: BlobRoutes;
}

export const quill: RepositoryRef = { owner: '~alice', name: 'quill' };

/** A plausible id. */
export function idOf(number: number): string {
	return number.toString(16).padStart(8, '0').repeat(5);
}

export function makeRepository(name: string, changes: Partial<Repository> = {}): Repository {
	return {
		id: 1,
		createdMs: Date.UTC(2026, 0, 1),
		updatedMs: Date.UTC(2026, 10, 1),
		name,
		owner: { canonicalName: '~alice', name: 'alice' },
		subject: undefined,
		description: undefined,
		visibility: 'public',
		...changes,
	};
}

export function makeCommit(number: number, changes: Partial<Commit> = {}): Commit {
	return {
		id: idOf(number),
		shortId: idOf(number).slice(0, 7),
		author: { name: 'Alice', email: 'alice@forge.test' },
		committer: { name: 'Bob', email: 'bob@forge.test' },
		timestampMs: Date.UTC(2026, 10, 1) + number,
		message: `Change ${number}\n\nBecause.\n`,
		tree: idOf(number + 5000),
		parents: [],
		signature: undefined,
		...changes,
	};
}

/** The repository area in memory. */
export function fakeRepositories(me = '~alice'): FakeRepositories {
	let last = 0xabc000;
	const world: FakeRepositoryWorld = {
		repositories: [],
		references: new Map(),
		logs: new Map(),
		roots: new Map(),
		trees: new Map(),
		blobs: new Map(),
		calls: [],
		heads: new Map(),
		pageSize: 50,
		before: () => undefined,
		write(content) {
			const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
			const id = idOfObject('blob', bytes);
			world.blobs.set(id, { bytes, isBinary: bytes.includes(0) });
			return id;
		},
		grow(folder) {
			const entries = Object.entries(folder).map(([name, content]): TreeEntry => {
				if (isEntry(content)) {
					return { ...content, name };
				}
				if (typeof content === 'string' || content instanceof Uint8Array) {
					return { name, id: world.write(content), type: 'blob', mode: 0o100644 };
				}
				return { name, id: world.grow(content), type: 'tree', mode: 0o040000 };
			});
			const id = idOfObject('tree', treeBytes({ entries }) ?? new Uint8Array());
			world.trees.set(id, { id, shortId: id.slice(0, 7), entries });
			return id;
		},
		commit(ref, revision, root) {
			last += 1;
			const key = `${refText(ref)} ${revision}`;
			const before = world.logs.get(key) ?? [];
			const [parent] = before;
			const made = makeCommit(last, { tree: root, parents: parent ? [parent.id] : [] });
			world.logs.set(key, [made, ...before]);
			world.roots.set(key, root);
			return made;
		},
	};

	async function called(call: string, signal: AbortSignal): Promise<void> {
		world.calls.push(call);
		const gate = Promise.withResolvers<never>();
		const giveUp = (): void => gate.reject(new DOMException('The operation was aborted', 'AbortError'));
		signal.addEventListener('abort', giveUp, { once: true });
		if (signal.aborted) {
			giveUp();
		}
		try {
			await Promise.race([Promise.resolve(world.before(call)), gate.promise]);
		} finally {
			signal.removeEventListener('abort', giveUp);
		}
	}

	async function* paged<T>(call: string, all: () => readonly T[], signal: AbortSignal): Pages<T> {
		for (let from = 0; ; from += world.pageSize) {
			await called(`${call} ${from}`, signal);
			const items = all().slice(from, from + world.pageSize);
			const seen = Math.min(all().length, from + world.pageSize);
			const isMore = seen < all().length;
			const page: Page<T> = {
				items,
				seen,
				completeness: isMore ? { kind: 'more', total: undefined } : { kind: 'complete' },
			};
			yield page;
			if (!isMore) {
				return;
			}
		}
	}

	function logOf(ref: RepositoryRef, from: string): readonly Commit[] {
		const key = `${refText(ref)} ${from}`;
		const named = world.logs.get(key);
		const all =
			named ?? [...world.logs.values()].find((commits) => commits.some(({ id }) => id.startsWith(from))) ?? [];
		const commits = named ?? all.slice(all.findIndex(({ id }) => id.startsWith(from)));
		const root = world.roots.get(key);
		return root === undefined ? commits : commits.map((each, at) => (at === 0 ? { ...each, tree: root } : each));
	}

	/** Maps names and ids of commits to the tree at a path. */
	function treeAt(ref: RepositoryRef, { ref: revision, path }: TreePath): Tree | undefined {
		const key = `${refText(ref)} ${revision}`;
		const named = [...world.logs.keys()].find((each) => world.logs.get(each)?.[0]?.id === revision) ?? key;
		const root = world.roots.get(key) ?? world.roots.get(named) ?? logOf(ref, revision)[0]?.tree;
		const steps = path === '' ? [] : path.split('/');
		return steps.reduce<Tree | undefined>(
			(tree, step) => {
				const entry = tree?.entries.find(({ name, type }) => name === step && type === 'tree');
				return world.trees.get(entry?.id ?? '');
			},
			world.trees.get(root ?? ''),
		);
	}

	const refuse = (): Promise<never> => Promise.reject(new ForgeError({ kind: 'notAllowed' }));
	const routes: BlobRoutes = {
		async at(ref, at, signal) {
			await called(`blob ${refText(ref)} ${at.ref} ${at.path}`, signal);
			const folder = treeAt(ref, { ref: at.ref, path: folderOf(at.path) });
			const entry = folder?.entries.find(({ name, type }) => name === nameOf(at.path) && type === 'blob');
			return found(world.blobs.get(entry?.id ?? ''));
		},
		async byId(_, id, signal) {
			await called(`blobById ${id}`, signal);
			return found(world.blobs.get(id));
		},
		async byOtherId(_, id, signal) {
			await called(`blobByOtherId ${id}`, signal);
			return found(world.blobs.get(id));
		},
	};
	const api: RepositoryApi = {
		repositories: (owner, signal) =>
			paged(
				'repositories',
				() => world.repositories.filter((each) => (each.owner?.canonicalName ?? me) === (owner ?? me)),
				signal,
			),
		async repository(ref, signal) {
			await called(`repository ${refText(ref)}`, signal);
			return found(
				world.repositories.find(({ owner, name }) => (owner?.canonicalName ?? me) === ref.owner && name === ref.name),
			);
		},
		create: refuse,
		update: refuse,
		remove: refuse,
		references: (ref, signal) =>
			paged(`references ${refText(ref)}`, () => world.references.get(refText(ref)) ?? [], signal),
		log: (ref, from, signal) =>
			paged(`log ${refText(ref)} ${from ?? '(default)'}`, () => logOf(ref, from ?? 'HEAD'), signal),
		async tree(ref, at, signal) {
			const path = at?.path ?? '';
			await called(`tree ${refText(ref)} ${at?.ref ?? '(default)'}${path && ` ${path}`}`, signal);
			return found(treeAt(ref, at ?? { ref: 'HEAD', path: '' }));
		},
		async treeById(_, id, signal) {
			await called(`treeById ${id}`, signal);
			return found(world.trees.get(id));
		},
		blob: (ref, at, signal) => routes.at(ref, at, signal),
		...blobWays(routes, me, factsInMemory()),
		async defaultBranch(ref, signal) {
			await called(`defaultBranch ${refText(ref)}`, signal);
			return found(world.heads.get(refText(ref)));
		},
	};
	return { world, api, routes };
}

function found<T>(value: T | undefined): T {
	if (value === undefined) {
		throw new ForgeError({ kind: 'notFound' });
	}
	return value;
}

function isEntry(content: Folder[string]): content is TreeEntry {
	return typeof content === 'object' && 'mode' in content && typeof content['mode'] === 'number';
}

/** A store that keeps nothing. */
export const noKeptObjects: KeptObjects = {
	read: () => Promise.resolve(undefined),
	among: () => Promise.resolve(new Set()),
	keep: () => undefined,
};

/** An object store in memory, for several windows. */
export function objectsInMemory(): KeptObjects & { readonly kept: Map<string, Uint8Array> } {
	const kept = new Map<string, Uint8Array>();
	const isKept = (id: string): boolean => kept.has(`blob ${id}`) || kept.has(`tree ${id}`);
	return {
		kept,
		read: (kind, id) => Promise.resolve(kept.get(`${kind} ${id}`)),
		among: (ids) => Promise.resolve(new Set([...ids].filter(isKept))),
		keep: (kind, id, { bytes }) => void kept.set(`${kind} ${id}`, bytes() ?? new Uint8Array()),
	};
}

function idOfObject(kind: ObjectKind, bytes: Uint8Array): string {
	return createHash('sha1').update(`${kind} ${bytes.length}\0`).update(bytes).digest('hex');
}

/** A store over the fake; its walks need no speed. */
export function fakeStore({ api }: FakeRepositories, changes: Partial<RepositorySources> = {}): RepositoryStore {
	return new RepositoryStore({
		journal: journalInMemory(),
		api,
		me: '~alice',
		followed: keptNames(),
		objects: noKeptObjects,
		pinned: keptInMemory(),
		beginWalk: () => Promise.resolve({ dispose: () => undefined }),
		...changes,
	});
}

/** One account with the store `repositories`; it has nothing else. */
export function repositoryConnection(repositories: RepositoryStore, me = '~alice'): Connection {
	const inbox = openInbox(keptInMemory(), new Emitter<void>().event, fakeClock());
	return standFor<Connection>({ key: `${me.slice(1)}.sample`, instance: sampleInstance, me, repositories, inbox });
}

/** Accounts that the test adds and removes. */
export function repositoryConnections(...first: readonly Connection[]): Connections & {
	replace(...connections: readonly Connection[]): void;
} {
	let all = first;
	const changed = new Emitter<void>();
	return {
		all: () => all,
		byKey: (key) => all.find((connection) => connection.key === key),
		onDidChange: changed.event,
		replace(...connections) {
			all = connections;
			changed.fire(undefined);
		},
	};
}

/** `~alice/quill`: branches `main` and `feature/x`, a tag, and a tree with all kinds of entries at `main`. */
export function quillWorld(): FakeRepositories {
	const fake = fakeRepositories();
	const { world } = fake;
	world.repositories.push(makeRepository('quill', { visibility: 'private' }));
	world.heads.set('~alice/quill', 'main');
	world.references.set('~alice/quill', [
		{ name: 'refs/heads/feature/x', target: idOf(2) },
		{ name: 'refs/heads/main', target: idOf(1) },
		{ name: 'refs/tags/v1.0', target: idOf(3) },
	]);
	const root = world.grow({
		'README.md': '# Quill\n',
		src: { 'main.c': 'int main;\n', deep: { 'näme with blank.txt': 'ü\r\n' } },
		'logo.bin': new Uint8Array([0, 255, 1, 254, 13, 10]),
		link: { name: '', id: world.write('/etc/passwd'), type: 'blob', mode: 0o120000 },
		vendored: { name: '', id: idOf(77), type: 'commit', mode: 0o160000 },
	});
	for (const revision of ['main', 'HEAD', idOf(1)]) {
		world.roots.set(`~alice/quill ${revision}`, root);
	}
	const commits = Array.from({ length: 120 }, (_, at) => makeCommit(120 - at));
	world.logs.set('~alice/quill main', commits);
	world.logs.set('~alice/quill HEAD', commits);
	return fake;
}
