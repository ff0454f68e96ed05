import { createHash } from 'node:crypto';
import { modes, readTag, type Commit, type GitObject, type Signed, type TreeEntry } from '../../git/gitObjects.ts';
import { firstCommits, follow, peel, type Ref } from '../../git/objectSource.ts';
import { type RefMove, type RepositoryRoom, isListed, mayRead, mayWrite } from '../../repositories/repositoryRoom.ts';
import type { Repository, AccessMode, Artifact } from '../../repositories/repositoryStore.ts';
import type { User, GraphqlAge } from '../../shared/area.ts';
import { check, need } from '../../shared/checks.ts';
import { type Cursors, type PageWish, pageSize } from '../cursors.ts';
import type { Caller } from '../door.ts';
import { FieldError } from '../engine.ts';
import type { HookKind } from '../hooks.ts';
import { orNull, showNamed, showUser, ridOf, time } from '../shapes.ts';

/** One request to the repository service. */
export interface GitAsking extends Caller {
	readonly room: RepositoryRoom;
	readonly age: GraphqlAge;
	readonly cursors: Cursors;
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

interface Named {
	readonly name: string;
}

/** Servers cut text after this many bytes; only `size` reveals it. */
const mostTextBytes = 131_072;

/** Objects of the repository service. They check no access, except that `named` is null for an invisible repository. */
export function gitShapes(asking: GitAsking) {
	const { room, user, cursors, age, formerNames, opened } = asking;

	const account = (of: User): object => ({
		...showUser(of),
		repository: ({ name }: Named) => named(of, name),
		repositories: (wish: RepositoriesWish) => repositoriesOf(of, wish),
	});

	/** Finds a repository by its name. A former name throws an error with the new one. */
	const named = (owner: User, name: string): object | null => {
		const current = room.store.find(owner, name);
		if (current !== undefined) {
			return mayRead(current, user) ? repository(current) : null;
		}
		const renamed = formerNames.get(`~${owner.name}/${name}`);
		if (renamed === undefined || !room.store.all.includes(renamed) || !mayRead(renamed, user)) {
			return null;
		}
		const redirect = [`~${renamed.owner.name}`, renamed.name];
		throw new FieldError('Repository has moved', { code: 'ERR_REDIRECT', redirect });
	};

	/** Newest change first. The filter's `count` sets the page size, and cursors keep it. */
	const repositoriesOf = (owner: User, wish: RepositoriesWish): object => {
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
			results: page.map(repository),
			cursor: following === undefined ? null : cursors.write(following.id, count),
		};
	};

	const repository = (of: Repository): object => ({
		__typename: 'Repository',
		id: of.id,
		rid: ridOf('repository', of.id, of.createdMs),
		created: time(of.createdMs),
		updated: time(of.updatedMs),
		owner: () => account(of.owner),
		name: of.name,
		description: of.description,
		visibility: of.visibility.toUpperCase(),
		readme: of.readme,
		access: mayWrite(of, user) ? 'RW' : 'RO',
		acls() {
			check(of.owner === user, () => new FieldError('Access denied', { code: 'ERR_ACCESS_DENIED' }));
			return { results: [...of.access].map(([name, mode]) => acl(of, name, mode)), cursor: null };
		},
		...opening(of),
	});

	/**
	 * Fields that open the repository on disk. Two in one document crash the service, aliases or not
	 * (docs/protocol.md#one-opening-field).
	 */
	const opening = (of: Repository): object => {
		const { source } = of;
		const fields: Readonly<Record<string, (wish: never) => Promise<unknown>>> = {
			objects: async ({ ids }: { readonly ids?: readonly string[] | null }) =>
				await Promise.all((ids ?? []).map(async (id) => await object(of, id))),
			object: async ({ id }: { readonly id: string }) => await object(of, id),
			references: async (wish: PageWish) =>
				cursors.pageOfNames(await referencesOf(of), (each) => reference(of, each), wish),
			reference: async ({ name }: Named) => showNamed(await referencesOf(of), name, (each) => reference(of, each)),
			async HEAD() {
				return showNamed(await source.refs(), await source.head(), (each) => reference(of, each));
			},
			log: async (wish: PageWish & { readonly from?: string | null }) => await log(of, wish),
			/** The tree entry at a path of a revision; null for a missing path and for the root. */
			path: async ({ revspec, path }: { readonly revspec: string; readonly path: string }) =>
				await entryAt(of, (await commitOf(of, revspec)).tree, path),
			revparse_single: async ({ revspec }: { readonly revspec: string }) =>
				await object(of, (await commitOf(of, revspec)).id),
		};
		const counting =
			(read: (wish: never) => Promise<unknown>) =>
			(wish: never): Promise<unknown> => {
				opened.push(of.id);
				return read(wish);
			};
		return Object.fromEntries(Object.entries(fields).map(([name, read]) => [name, counting(read)]));
	};

	const acl = (of: Repository, name: string, mode: AccessMode): object => {
		const holder = need(room.context.users.byName(name), () => new Error(`Nobody is called ${name}`));
		return {
			id: aclId(of, holder),
			created: time(of.createdMs),
			repository: () => repository(of),
			entity: () => account(holder),
			mode: mode.toUpperCase(),
		};
	};

	/** Commits from a revision or from the cursor. */
	const log = async (of: Repository, wish: PageWish & { readonly from?: string | null }): Promise<object> => {
		const start = await commitOf(of, cursors.read(wish)?.next ?? wish.from ?? 'HEAD');
		const commits = await firstCommits(of.source, start.id, pageSize + 1);
		const following = commits[pageSize];
		return {
			results: commits.slice(0, pageSize).map((each) => commit(of, each)),
			cursor: following === undefined ? null : cursors.write(following.id),
		};
	};

	/** An object by id. Zeros fill a short id. */
	const object = async (of: Repository, wanted: string): Promise<object> => {
		const id = wanted.padEnd(40, '0');
		const known = /^[0-9a-f]{40}$/.test(id) ? await of.source.resolve(id) : undefined;
		const isThere = known?.kind === 'object' && known.id === id;
		check(isThere, () => new FieldError(`lookup object ${id}: object not found`));
		const content = await of.source.read(id);
		switch (content.type) {
			case 'commit': {
				return commit(of, await of.source.commit(id));
			}
			case 'tree': {
				return tree(of, id);
			}
			case 'blob': {
				return blob(of, id, content);
			}
			case 'tag': {
				return tag(of, id, content);
			}
		}
	};

	const commit = (of: Repository, made: Commit): object => ({
		...head('Commit', 'COMMIT', of, made.id),
		author: showSigned(made.author),
		committer: showSigned(made.committer),
		message: made.message,
		tree: () => tree(of, made.tree),
		parents: async () =>
			await Promise.all(made.parents.map(async (parent) => commit(of, await of.source.commit(parent)))),
		async diff() {
			// Servers answer the reverse diff (docs/protocol.md#graphql-repositories).
			const how = ['diff-tree', '-p', '-R', '--root', '--no-commit-id', made.id];
			return (await room.git.run(['--git-dir', `${room.root}/${of.folder}`, ...how])).toString('utf8');
		},
		trailers: made.message
			.trimEnd()
			.split('\n\n')
			.slice(1)
			.slice(-1)
			.flatMap((paragraph) => [...paragraph.matchAll(/^([A-Za-z-]+): (.+)$/gm)])
			.map(([, name, value]) => ({ name, value })),
	});

	const tree = (of: Repository, id: string): object => ({
		...head('Tree', 'TREE', of, id),
		entries: async (wish: PageWish) => cursors.pageOfNames(await of.source.tree(id), (each) => entry(of, each), wish),
		entry: async ({ path }: { readonly path?: string | null }) => await entryAt(of, id, path ?? ''),
	});

	const entryAt = async (of: Repository, within: string, path: string): Promise<object | null> => {
		const steps = path.split('/');
		const at = steps.includes('') ? undefined : await follow(of.source, within, steps);
		return at === undefined ? null : entry(of, { ...at, name: steps.at(-1) ?? '' });
	};

	const entry = (of: Repository, { id, name, mode }: TreeEntry): object => ({
		id,
		name,
		mode,
		object() {
			// A submodule's commit is in another repository.
			check(mode !== modes.submodule, () => new FieldError('object not found'));
			return object(of, id);
		},
	});

	const blob = (of: Repository, id: string, { bytes }: GitObject): object => {
		const isText = isUtf8(bytes);
		const start = bytes.subarray(0, mostTextBytes);
		return {
			...head(isText ? 'TextBlob' : 'BinaryBlob', 'BLOB', of, id),
			raw: bytes.toString('base64'),
			size: bytes.length,
			content: `${room.context.origins.git}/query/blob/${of.id}/${id}`,
			...(isText ? { text: start.toString('utf8') } : { base64: start.toString('base64') }),
		};
	};

	const tag = (of: Repository, id: string, { bytes }: GitObject): object => {
		const { target, name, message } = readTag(bytes);
		const [, by = '', email = '', seconds = '0'] = /^tagger (.*) <([^>]*)> (\d+)/m.exec(bytes.toString('utf8')) ?? [];
		return {
			...head('Tag', 'TAG', of, id),
			target: () => object(of, target),
			name,
			tagger: { name: by, email, time: time(Number(seconds) * 1000) },
			message,
		};
	};

	const reference = (of: Repository, { name, target }: Ref): object => {
		const uploaded = of.artifacts.filter(({ ref }) => ref === name);
		return {
			name,
			target,
			follow: async () => (/^[0-9a-f]{40}$/.test(target) ? await object(of, target) : null),
			artifact: ({ filename }: { readonly filename: string }) =>
				orNull(
					uploaded.find((each) => each.filename === filename),
					(each) => artifact(of, each),
				),
			async artifacts() {
				// docs/protocol.md#head-that-leads-nowhere
				const tip = await of.source.resolve(name === 'HEAD' ? target : name);
				check(tip.kind === 'object', () => new FieldError('reference not found'));
				// Only annotated tags have files; otherwise servers repeat the first cursor.
				const isAnnotated = tip.type === 'tag' || uploaded.length > 0;
				const results = uploaded.map((each) => artifact(of, each));
				return { results, cursor: isAnnotated ? null : cursors.write('') };
			},
		};
	};

	const artifact = (of: Repository, file: Artifact): object => {
		const { ref, filename, createdMs, content } = file;
		const checksum = checksumOf(file);
		const folder =
			age === '2026'
				? `/query/artifact/${checksum}`
				: `/~${of.owner.name}/${of.name}/refs/${encodeURIComponent(ref.replace('refs/tags/', ''))}`;
		return {
			id: of.id * 1000 + of.artifacts.indexOf(file) + 1,
			created: time(createdMs),
			filename,
			checksum,
			size: content.length,
			url: `${room.context.origins.git}${folder}/${encodeURIComponent(filename)}`,
		};
	};

	const move = (of: Repository, { name, old, new: next }: RefMove): object => {
		const shown = async (id: string | null): Promise<object | null> => (id === null ? null : await object(of, id));
		return {
			// docs/protocol.md#graphql-pushes
			ref: old === null || next === null ? null : reference(of, { name, target: next }),
			old: async () => await shown(old),
			new: async () => await shown(next),
			log: null,
			diff: null,
		};
	};

	return { account, repositoriesOf, repository, acl, move };
}

export function aclId(repository: Repository, user: User): number {
	return repository.id * 1000 + user.id;
}

/** The commit of a revision, also for a tag or a commit's tree. */
async function commitOf({ source }: Repository, revision: string): Promise<Commit> {
	const known = await source.resolve(revision.replace(/\^\{tree\}$/, ''));
	const target = known.kind === 'object' ? await peel(source, known) : undefined;
	check(target?.type === 'commit', () => new FieldError('reference not found'));
	return await source.commit(target.id);
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
async function referencesOf({ source }: Repository): Promise<readonly Ref[]> {
	return [{ name: 'HEAD', target: await source.head() }, ...(await source.refs())];
}

export function checksumOf(artifact: Artifact): string {
	return `sha256:${createHash('sha256').update(artifact.content).digest('hex')}`;
}
