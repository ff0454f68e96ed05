import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { modes, type Commit, type TreeEntry, readTag } from '../git/gitObjects.ts';
import { createGitProgram, type GitProgram } from '../git/gitProgram.ts';
import { type ObjectSource, type Ref, createObjectSource, peel } from '../git/objectSource.ts';
import type { Tokens } from '../identity/tokens.ts';
import { ownerOf, showShortUser, showUser } from '../identity/users.ts';
import { forbidden, notFound, asciiJson, stamp } from '../shared/answers.ts';
import { type ApiCall, type Context, type User, param, type Answer, userTarget, type Dialect } from '../shared/area.ts';
import {
	type Repository,
	type RepositoryStore,
	type Artifact,
	createRepositoryStore,
	type NewRepository,
} from './repositoryStore.ts';
import { check, need } from '../shared/checks.ts';

/**
 * Finds the repository that a path names. Missing: 404. Private and not shared with the caller: 403
 * (docs/protocol.md#refusals).
 */
export function findRepository(context: Context, store: RepositoryStore, call: ApiCall): Repository {
	const repository = need(store.find(ownerOf(context, call), param(call, 'name')), notFound);
	check(mayRead(repository, call.user), () => forbidden(context.dialect));
	return repository;
}

/** `undefined` as user: anybody, without an account. */
export function mayRead(repository: Repository, user: User | undefined): boolean {
	if (repository.visibility !== 'private' || repository.owner === user) {
		return true;
	}
	return user !== undefined && repository.access.has(user.name);
}

export function mayWrite(repository: Repository, user: User): boolean {
	return repository.owner === user || repository.access.get(user.name) === 'rw';
}

/** True if the owner's list shows it to a user: public and shared repositories, and all to the owner. */
export function isListed(repository: Repository, user: User): boolean {
	return repository.owner === user || repository.visibility === 'public' || repository.access.has(user.name);
}

const looksAtBytes = 8000;

/** Raw file. Binary if its first 8000 bytes contain NUL (docs/protocol.md#files). */
export function blobAnswer(dialect: Dialect, bytes: Buffer, name: string): Answer {
	const headers = bytes.subarray(0, looksAtBytes).includes(0)
		? { 'Content-Type': dialect.binaryContentType, 'Content-Disposition': `attachment; ${fileName(name)}` }
		: { 'Content-Type': 'text/plain; charset=utf-8' };
	return { status: 200, headers, body: bytes };
}

function fileName(name: string): string {
	if (/^[\w.+-]+$/.test(name)) {
		return `filename=${name}`;
	}
	const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(/['()*]/g, (letter) => {
		return `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
	});
	return `filename*=UTF-8''${encoded}`;
}

/** Resources of the repository area in one dialect, with the observed field order. */
export type RepositoryShapes = ReturnType<typeof createRepositoryShapes>;

export function createRepositoryShapes({ dialect, origins }: Context) {
	const showEntry = ({ name, id, mode }: TreeEntry): object => ({ name, id, type: entryType(mode), mode });
	const entryType = (mode: number): string =>
		mode === modes.tree ? 'tree' : mode === modes.submodule && dialect.submoduleTypeCommit ? 'commit' : 'blob';
	return {
		repository: ({ id, createdMs, updatedMs, name, owner, description, visibility }: Repository) =>
			dialect.observedRepository
				? {
						id,
						created: stamp(createdMs),
						updated: stamp(updatedMs),
						name,
						owner: showShortUser(owner),
						description,
						visibility,
					}
				: { id, created: stamp(createdMs), subject: name, name, description, visibility },
		reference: (repository: Repository, { name, target }: Ref) => ({
			target,
			name,
			...(dialect.referencesHaveArtifacts ? { artifacts: showArtifacts(repository, name, origins.git) } : {}),
		}),
		async commit(source: ObjectSource, commit: Commit) {
			return {
				id: commit.id,
				short_id: await source.shortId(commit.id),
				author: { email: commit.author.email, name: commit.author.name },
				committer: { email: commit.committer.email, name: commit.committer.name },
				timestamp: stamp(commit.author.timeS * 1000),
				message: commit.message,
				tree: commit.tree,
				parents: commit.parents,
				signature: showSignature(commit),
			};
		},
		/** JSON text, cached with the repository. */
		async tree({ source, treeAnswers }: Repository, id: string) {
			const known = treeAnswers.get(id);
			if (known !== undefined) {
				return known;
			}
			const [entries, short_id] = await Promise.all([source.tree(id), source.shortId(id)]);
			const text = asciiJson({ id, short_id, entries: entries.map(showEntry) });
			treeAnswers.set(id, text);
			return text;
		},
	};
}

function showSignature({ signature }: Commit): object | null {
	return signature === null
		? null
		: { signature: Buffer.from(signature.text).toString('base64'), data: signature.payload.toString('base64') };
}

function showArtifacts(repository: Repository, ref: string, origin: string): readonly object[] {
	return repository.artifacts
		.filter((artifact) => artifact.ref === ref)
		.map(({ filename, createdMs, content }) => ({
			created: stamp(createdMs),
			checksum: `sha256:${createHash('sha256').update(content).digest('hex')}`,
			size: content.length,
			filename,
			url: `${origin}${artifactPath(repository, { ref, filename })}`,
		}));
}

/** Where the web offers a file of a tag. */
function artifactPath({ owner, name }: Repository, { ref, filename }: Pick<Artifact, 'ref' | 'filename'>): string {
	return `/~${owner.name}/${name}/refs/${encodeURIComponent(ref.replace('refs/tags/', ''))}/${encodeURIComponent(filename)}`;
}

/** Listener for repository events. */
export interface RepositoryListener {
	changed(event: 'repo:create' | 'repo:update' | 'repo:delete', repository: Repository): void;
	pushed(repository: Repository, pusher: User, moves: readonly RefMove[]): void;
}

/** Notifies webhooks (docs/protocol.md#push-events) and listeners of repository events. */
export interface RepositoryHooks extends Pick<RepositoryListener, 'changed'> {
	listen(listener: RepositoryListener): void;
	/** Resolves to the answers of `sync` receivers. The commits must still exist. */
	pushed(repository: Repository, pusher: User, moves: readonly RefMove[]): Promise<readonly string[]>;
}

/** A reference before and after a push; null if it did not exist. */
export interface RefMove {
	readonly name: string;
	readonly old: string | null;
	readonly new: string | null;
}

export const repositoryTarget = ({ id }: Repository): string => `repository:${id}`;

function createRepositoryHooks({ dialect, webhooks }: Context, shapes: RepositoryShapes): RepositoryHooks {
	const showMove = async (source: ObjectSource, move: RefMove): Promise<object> => {
		const [tag, before, after] = await Promise.all([
			annotatedTag(source, move.new),
			showCommit(source, move.old),
			showCommit(source, move.new),
		]);
		return { ...(tag === undefined ? {} : { annotated_tag: tag }), name: move.name, old: before, new: after };
	};
	const showCommit = async (source: ObjectSource, id: string | null): Promise<object | null> => {
		const found = id === null ? undefined : await source.resolve(id);
		if (found?.kind !== 'object') {
			return null;
		}
		const target = await peel(source, found);
		return target.type === 'commit' ? await shapes.commit(source, await source.commit(target.id)) : null;
	};
	const listeners: RepositoryListener[] = [];
	return {
		listen: (listener) => void listeners.push(listener),
		changed(event, repository) {
			const payload = event === 'repo:delete' ? { id: repository.id } : shapes.repository(repository);
			webhooks.emit({ family: 'gitUser', target: userTarget(repository.owner), event, payload });
			listeners.forEach((listener) => listener.changed(event, repository));
		},
		async pushed(repository, pusher, moves) {
			listeners.forEach((listener) => listener.pushed(repository, pusher, moves));
			const refs = await Promise.all(moves.map(async (move) => await showMove(repository.source, move)));
			const payload = {
				push: randomUUID(),
				pusher: dialect.observedEvents ? showShortUser(pusher) : showUser(pusher),
				refs,
			};
			const target = repositoryTarget(repository);
			return await webhooks.emitSync({ family: 'gitRepository', target, event: 'repo:post-update', payload });
		},
	};
}

async function annotatedTag(source: ObjectSource, id: string | null): Promise<object | undefined> {
	const found = id === null ? undefined : await source.resolve(id);
	if (found?.kind !== 'object' || found.type !== 'tag') {
		return undefined;
	}
	const { name, message } = readTag((await source.read(found.id)).bytes);
	return { name, message };
}

/** Differences between two lists of references. */
export function movesBetween(before: readonly Ref[], after: readonly Ref[]): readonly RefMove[] {
	const old = new Map(before.map(({ name, target }) => [name, target]));
	const now = new Map(after.map(({ name, target }) => [name, target]));
	return [...new Set([...old.keys(), ...now.keys()])]
		.toSorted()
		.map((name) => ({ name, old: old.get(name) ?? null, new: now.get(name) ?? null }))
		.filter((move) => move.old !== move.new);
}

/** Shared state of the repository area's routes. */
export type RepositoryRoom = Awaited<ReturnType<typeof openRepositoryRoom>>;

export async function openRepositoryRoom(context: Context, tokens: Tokens) {
	const life = new AbortController();
	const home = await mkdtemp(join(context.tempDir, 'git-'));
	const root = context.repositoriesDir ?? join(home, 'repositories');
	await mkdir(root, { recursive: true });
	const git = createGitProgram(home, life.signal);
	const store = createRepositoryStore(context.state);
	const sourceIn = (folder: string): ObjectSource => createObjectSource(git, join(root, folder));
	await tidy(root, store.all);
	for (const repository of store.all) {
		store.open(repository, sourceIn(repository.folder));
		// A killed process may have begun it.
		await createEmpty(git, join(root, repository.folder));
	}
	const shapes = createRepositoryShapes(context);
	return {
		context,
		tokens,
		git,
		/** Folder of the repositories. */
		root,
		store,
		shapes,
		hooks: createRepositoryHooks(context, shapes),
		/** Makes an empty repository on disk. */
		create: async (made: NewRepository): Promise<Repository> => {
			const id = store.nextId();
			const folder = folderOf(id);
			// Register before writing, so that nobody takes the name meanwhile.
			const repository = store.add(id, made, { folder, source: sourceIn(folder) });
			await createEmpty(git, join(root, folder));
			return repository;
		},
		dispose: async () => {
			await Promise.all(store.all.map(async ({ source }) => await source.dispose()));
			life.abort();
			await rm(home, { recursive: true, force: true });
		},
	};
}

/** Removes the repositories that no answer named, and the locks of pushes that ended with their process. */
async function tidy(root: string, repositories: readonly Repository[]): Promise<void> {
	const known = new Set(repositories.map(({ folder }) => folder));
	for (const path of await readdir(root, { recursive: true })) {
		const [folder = '', ...rest] = path.split(sep);
		if (!known.has(folder) || (rest[0] !== 'objects' && path.endsWith('.lock'))) {
			await rm(join(root, path), { recursive: true, force: true });
		}
	}
}

/** Folder of a repository inside a folder of repositories; survives a renaming. */
export function folderOf(id: number): string {
	return `${id}.git`;
}

/** The settings that every repository of the forge has. */
export const repositorySettings = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
[gc]
	auto = 0
[receive]
	autogc = false
	denyDeleteCurrent = refuse
`;

/** Makes an empty repository. */
export async function createEmpty(git: GitProgram, path: string): Promise<void> {
	await git.run(['init', '--quiet', '--bare', '--template=', '--initial-branch=master', path]);
	await writeFile(join(path, 'config'), repositorySettings);
}
