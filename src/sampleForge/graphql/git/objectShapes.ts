import { createHash } from 'node:crypto';
import { modes, readTag, type Commit, type GitObject, type Signed, type TreeEntry } from '../../git/gitObjects.ts';
import { firstCommits, follow, peel } from '../../git/objectSource.ts';
import { type RepositoryRoom, isListed, mayRead, mayWrite } from '../../repositories/repositoryRoom.ts';
import type { Repository, AccessMode, Artifact } from '../../repositories/repositoryStore.ts';
import type { User, GraphqlAge } from '../../shared/area.ts';
import { type PlaceCursors, type PageWish, pageOfNames, pageSize } from '../cursors.ts';
import type { Caller } from '../door.ts';
import { FieldError } from '../engine.ts';
import type { HookKind } from '../hooks.ts';
import { showUser as showAccount, ridOf, time } from '../shapes.ts';

/** One request to the repository service. */
export interface GitAsking extends Caller {
	readonly room: RepositoryRoom;
	readonly age: GraphqlAge;
	readonly cursors: PlaceCursors;
	/** Repositories by former name, `~owner/name`. */
	readonly formerNames: Map<string, Repository>;
	readonly hooks: GitHooks;
	/** Repository id of each opening field so far. */
	readonly opened: number[];
}

/** Webhooks of the repository service, by kind. */
export interface GitHooks {
	readonly user: HookKind<GitAsking, User>;
	readonly repository: HookKind<GitAsking, Repository>;
}

/** Arguments of repository lists. */
export interface RepositoriesWish extends PageWish {
	readonly filter?: { readonly count?: number | null; readonly search?: string | null } | null;
}

export function showUser(asking: GitAsking, user: User): object {
	return {
		...showAccount(user),
		repository: ({ name }: { readonly name: string }) => showNamed(asking, user, name),
		repositories: (wish: RepositoriesWish) => pageOfRepositories(asking, user, wish),
	};
}

/** Finds a repository by its name. A former name throws an error with the new one. */
function showNamed(asking: GitAsking, owner: User, name: string): object | null {
	const { room, user, formerNames } = asking;
	const found = room.store.find(owner, name);
	if (found !== undefined) {
		return mayRead(found, user) ? describeRepository(asking, found) : null;
	}
	const renamed = formerNames.get(`~${owner.name}/${name}`);
	if (renamed === undefined || !room.store.all.includes(renamed) || !mayRead(renamed, user)) {
		return null;
	}
	const redirect = [`~${renamed.owner.name}`, renamed.name];
	throw new FieldError('Repository has moved', { code: 'ERR_REDIRECT', redirect });
}

/** Newest change first. The filter's `count` sets the page size, and cursors keep it. */
export function pageOfRepositories(asking: GitAsking, owner: User, wish: RepositoriesWish): object {
	const { room, user, cursors } = asking;
	const place = cursors.read(wish);
	const count = place?.count ?? wish.filter?.count ?? 20;
	const search = (wish.filter?.search ?? '').toLowerCase();
	const rows = room.store.all
		.filter((each) => each.owner === owner && isListed(each, user))
		.filter(({ name, description }) => `${name}\n${description ?? ''}`.toLowerCase().includes(search))
		.toSorted((one, other) => other.updatedMs - one.updatedMs || other.id - one.id);
	const from = place === undefined ? 0 : rows.findIndex(({ id }) => String(id) === place.next);
	const page = from < 0 ? [] : rows.slice(from, from + count);
	const following = from < 0 ? undefined : rows[from + count];
	return {
		results: page.map((each) => describeRepository(asking, each)),
		cursor: following === undefined ? null : cursors.write({ count, next: String(following.id) }),
	};
}

/** Call only for visible repositories. */
export function describeRepository(asking: GitAsking, repository: Repository): object {
	const { user } = asking;
	return {
		__typename: 'Repository',
		id: repository.id,
		rid: ridOf('repository', repository.id, repository.createdMs),
		created: time(repository.createdMs),
		updated: time(repository.updatedMs),
		owner: () => showUser(asking, repository.owner),
		name: repository.name,
		description: repository.description,
		visibility: repository.visibility.toUpperCase(),
		readme: repository.readme,
		access: mayWrite(repository, user) ? 'RW' : 'RO',
		acls() {
			if (repository.owner !== user) {
				throw new FieldError('Access denied', { code: 'ERR_ACCESS_DENIED' });
			}
			const results = [...repository.access].map(([name, mode]) => showAcl(asking, repository, name, mode));
			return { results, cursor: null };
		},
		...opening(asking, repository),
	};
}

/**
 * Fields that open the repository on disk. Two in one document crash the service, aliases or not
 * (docs/protocol.md#one-opening-field).
 */
function opening(asking: GitAsking, repository: Repository): object {
	const { cursors, opened } = asking;
	const { source } = repository;
	const fields: Readonly<Record<string, (wish: never) => Promise<unknown>>> = {
		objects: async ({ ids }: { readonly ids?: readonly string[] | null }) =>
			await Promise.all((ids ?? []).map(async (id) => await showObject(asking, repository, id))),
		object: async ({ id }: { readonly id: string }) => await showObject(asking, repository, id),
		references: async (wish: PageWish) => {
			const rows = await referencesOf(repository);
			return pageOfNames(cursors, { rows, show: (row) => showReference(asking, repository, row) }, wish);
		},
		reference: async ({ name }: { readonly name: string }) => {
			const found = (await referencesOf(repository)).find((each) => each.name === name);
			return found === undefined ? null : showReference(asking, repository, found);
		},
		async HEAD() {
			const name = await source.head();
			const found = (await source.refs()).find((each) => each.name === name);
			return found === undefined ? null : showReference(asking, repository, found);
		},
		log: async (wish: PageWish & { readonly from?: string | null }) => await showLog(asking, repository, wish),
		path: async (wish: { readonly revspec: string; readonly path: string }) => await showPath(asking, repository, wish),
		revparse_single: async ({ revspec }: { readonly revspec: string }) =>
			await showObject(asking, repository, (await commitOf(repository, revspec)).id),
	};
	return Object.fromEntries(
		Object.entries(fields).map(([name, read]) => [
			name,
			(wish: never) => {
				opened.push(repository.id);
				return read(wish);
			},
		]),
	);
}

export function aclId(repository: Repository, user: User): number {
	return repository.id * 1000 + user.id;
}

export function showAcl(asking: GitAsking, repository: Repository, name: string, mode: AccessMode): object {
	const user = asking.room.context.users.byName(name);
	if (user === undefined) {
		throw new Error(`Nobody is called ${name}`);
	}
	return {
		id: aclId(repository, user),
		created: time(repository.createdMs),
		repository: () => describeRepository(asking, repository),
		entity: () => showUser(asking, user),
		mode: mode.toUpperCase(),
	};
}

/** Servers cut text after this many bytes; only `size` reveals it. */
const mostTextBytes = 131_072;

/** Commits from a revision or from the cursor. */
async function showLog(
	asking: GitAsking,
	repository: Repository,
	{ from, cursor }: PageWish & { readonly from?: string | null },
): Promise<object> {
	const place = asking.cursors.read({ cursor: cursor ?? null });
	const start = await commitOf(repository, place?.next ?? from ?? 'HEAD');
	const commits = await firstCommits(repository.source, start.id, pageSize + 1);
	const following = commits[pageSize];
	return {
		results: commits.slice(0, pageSize).map((commit) => showCommit(asking, repository, commit)),
		cursor: following === undefined ? null : asking.cursors.write({ count: pageSize, next: following.id }),
	};
}

/** The commit of a revision, also for a tag or a commit's tree. */
async function commitOf({ source }: Repository, revision: string): Promise<Commit> {
	const found = await source.resolve(revision.replace(/\^\{tree\}$/, ''));
	const target = found.kind === 'object' ? await peel(source, found) : undefined;
	if (target?.type !== 'commit') {
		throw new FieldError('reference not found');
	}
	return await source.commit(target.id);
}

/** The tree entry at a path of a revision; null for a missing path and for the root. */
async function showPath(
	asking: GitAsking,
	repository: Repository,
	{ revspec, path }: { readonly revspec: string; readonly path: string },
): Promise<object | null> {
	const { tree } = await commitOf(repository, revspec);
	return await showEntryAt(asking, repository, tree, path);
}

/** An object by id. Zeros fill a short id. */
export async function showObject(asking: GitAsking, repository: Repository, wanted: string): Promise<object> {
	const id = wanted.padEnd(40, '0');
	const found = /^[0-9a-f]{40}$/.test(id) ? await repository.source.resolve(id) : undefined;
	if (found?.kind !== 'object' || found.id !== id) {
		throw new FieldError(`lookup object ${id}: object not found`);
	}
	const object = await repository.source.read(id);
	switch (object.type) {
		case 'commit': {
			return showCommit(asking, repository, await repository.source.commit(id));
		}
		case 'tree': {
			return showTree(asking, repository, id);
		}
		case 'blob': {
			return showBlob(asking, repository, id, object);
		}
		case 'tag': {
			return showTag(asking, repository, id, object);
		}
	}
}

function showCommit(asking: GitAsking, repository: Repository, commit: Commit): object {
	const { source, folder } = repository;
	const { git, root } = asking.room;
	return {
		...head('Commit', 'COMMIT', repository, commit.id),
		author: showSigned(commit.author),
		committer: showSigned(commit.committer),
		message: commit.message,
		tree: () => showTree(asking, repository, commit.tree),
		parents: async () =>
			await Promise.all(commit.parents.map(async (id) => showCommit(asking, repository, await source.commit(id)))),
		// Servers answer the reverse diff (docs/protocol.md#graphql-repositories).
		diff: async () =>
			(
				await git.run([
					'--git-dir',
					`${root}/${folder}`,
					'diff-tree',
					'-p',
					'-R',
					'--root',
					'--no-commit-id',
					commit.id,
				])
			).toString('utf8'),
		trailers: commit.message
			.trimEnd()
			.split('\n\n')
			.slice(1)
			.slice(-1)
			.flatMap((paragraph) => [...paragraph.matchAll(/^([A-Za-z-]+): (.+)$/gm)])
			.map(([, name, value]) => ({ name, value })),
	};
}

function showTree(asking: GitAsking, repository: Repository, id: string): object {
	const { source } = repository;
	return {
		...head('Tree', 'TREE', repository, id),
		entries: async (wish: PageWish) => {
			const rows = await source.tree(id);
			return pageOfNames(asking.cursors, { rows, show: (row) => showEntry(asking, repository, row) }, wish);
		},
		entry: async ({ path }: { readonly path?: string | null }) => await showEntryAt(asking, repository, id, path ?? ''),
	};
}

async function showEntryAt(
	asking: GitAsking,
	repository: Repository,
	tree: string,
	path: string,
): Promise<object | null> {
	const steps = path.split('/');
	const entry = steps.includes('') ? undefined : await follow(repository.source, tree, steps);
	return entry === undefined ? null : showEntry(asking, repository, { ...entry, name: steps.at(-1) ?? '' });
}

function showEntry(asking: GitAsking, repository: Repository, { id, name, mode }: TreeEntry): object {
	return {
		id,
		name,
		mode,
		object() {
			// A submodule's commit is in another repository.
			if (mode === modes.submodule) {
				throw new FieldError('object not found');
			}
			return showObject(asking, repository, id);
		},
	};
}

function showBlob(asking: GitAsking, repository: Repository, id: string, { bytes }: GitObject): object {
	const isText = isUtf8(bytes);
	return {
		...head(isText ? 'TextBlob' : 'BinaryBlob', 'BLOB', repository, id),
		raw: bytes.toString('base64'),
		size: bytes.length,
		content: `${asking.room.context.origins.git}/query/blob/${repository.id}/${id}`,
		...(isText
			? { text: bytes.subarray(0, mostTextBytes).toString('utf8') }
			: { base64: bytes.subarray(0, mostTextBytes).toString('base64') }),
	};
}

function showTag(asking: GitAsking, repository: Repository, id: string, { bytes }: GitObject): object {
	const { target, name, message } = readTag(bytes);
	const [, by = '', email = '', seconds = '0'] = /^tagger (.*) <([^>]*)> (\d+)/m.exec(bytes.toString('utf8')) ?? [];
	return {
		...head('Tag', 'TAG', repository, id),
		target: () => showObject(asking, repository, target),
		name,
		tagger: { name: by, email, time: time(Number(seconds) * 1000) },
		message,
	};
}

function head(typename: string, type: string, { source }: Repository, id: string): object {
	return { __typename: typename, type, id, shortId: () => source.shortId(id) };
}

function showSigned({ name, email, timeS }: Signed): object {
	return { name, email, time: time(timeS * 1000) };
}

function isUtf8(bytes: Uint8Array): boolean {
	try {
		new TextDecoder('utf-8', { fatal: true }).decode(bytes);
		return true;
	} catch {
		return false;
	}
}

/** References, `HEAD` first. */
async function referencesOf({
	source,
}: Repository): Promise<readonly { readonly name: string; readonly target: string }[]> {
	return [{ name: 'HEAD', target: await source.head() }, ...(await source.refs())];
}

export function showReference(
	asking: GitAsking,
	repository: Repository,
	{ name, target }: { readonly name: string; readonly target: string },
): object {
	const uploaded = repository.artifacts.filter(({ ref }) => ref === name);
	return {
		name,
		target,
		follow: async () => (/^[0-9a-f]{40}$/.test(target) ? await showObject(asking, repository, target) : null),
		artifact: ({ filename }: { readonly filename: string }) => {
			const found = uploaded.find((each) => each.filename === filename);
			return found === undefined ? null : showArtifact(asking, repository, found);
		},
		artifacts: async () => {
			// docs/protocol.md#head-that-leads-nowhere
			const found = await repository.source.resolve(name === 'HEAD' ? target : name);
			if (found.kind !== 'object') {
				throw new FieldError('reference not found');
			}
			// Only annotated tags have files; otherwise servers repeat the first cursor.
			const isAnnotated = found.type === 'tag' || uploaded.length > 0;
			return {
				results: uploaded.map((each) => showArtifact(asking, repository, each)),
				cursor: isAnnotated ? null : asking.cursors.write({ count: pageSize, next: '' }),
			};
		},
	};
}

export function checksumOf(artifact: Artifact): string {
	return `sha256:${createHash('sha256').update(artifact.content).digest('hex')}`;
}

function showArtifact({ room, age }: GitAsking, repository: Repository, artifact: Artifact): object {
	const { owner, name } = repository;
	const { ref, filename, createdMs, content } = artifact;
	const checksum = checksumOf(artifact);
	const path =
		age === '2026'
			? `/query/artifact/${checksum}/${encodeURIComponent(filename)}`
			: `/~${owner.name}/${name}/refs/${encodeURIComponent(ref.replace('refs/tags/', ''))}/${encodeURIComponent(filename)}`;
	return {
		id: repository.id * 1000 + repository.artifacts.indexOf(artifact) + 1,
		created: time(createdMs),
		filename,
		checksum,
		size: content.length,
		url: `${room.context.origins.git}${path}`,
	};
}
