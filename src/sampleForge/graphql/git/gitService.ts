import {
	mayRead,
	type RefMove,
	type RepositoryListener,
	type RepositoryRoom,
} from '../../repositories/repositoryRoom.ts';
import type { Repository } from '../../repositories/repositoryStore.ts';
import type { Answer, User, GraphqlAge } from '../../shared/area.ts';
import type { Caller, GraphqlService } from '../door.ts';
import { createCursors, type PageWish, createPlaceCursors } from '../cursors.ts';
import { type FailureOf, FieldError, openSchema } from '../engine.ts';
import {
	createHookKind,
	createHookTelling,
	type HookService,
	type HookWish,
	noHook,
	type TellHooks,
	userHookRoots,
} from '../hooks.ts';
import {
	findByName,
	version,
	invalid,
	findByRid,
	orNull,
	visibilities,
	type VisibilityWord,
	goJson,
} from '../shapes.ts';
import {
	type GitAsking,
	type GitHooks,
	checksumOf,
	showObject,
	showReference,
	describeRepository,
	pageOfRepositories,
	showUser,
	type RepositoriesWish,
	aclId,
	showAcl,
} from './objectShapes.ts';

const words = { 'repo:create': 'REPO_CREATED', 'repo:update': 'REPO_UPDATE', 'repo:delete': 'REPO_DELETED' } as const;

/** The repository service, over the same store as REST. */
export function gitService(room: RepositoryRoom, age: GraphqlAge, failureOf: FailureOf): GraphqlService {
	const schema = openSchema('git', age, failureOf);
	const nowMs = (): number => room.context.nowMs();
	const service = { context: room.context, area: 'git', schema, cursors: createCursors(nowMs) } as const;
	const common = {
		room,
		age,
		cursors: createPlaceCursors(nowMs),
		formerNames: new Map<string, Repository>(),
		hooks: createGitHooks(service),
	};
	const askingOf = ({ user, grant }: Caller): GitAsking => ({ ...common, user, grant, opened: [] });
	const tell = createHookTelling(service, askingOf, (asking) => rootsFor(asking).query);
	room.hooks.listen(hookSending(common.hooks, tell));
	return {
		area: 'git',
		schema,
		roots: (caller) => rootsFor(askingOf(caller)),
		files: ({ path }, { user }) => gitFile(room, path, user),
	};
}

function rootsFor(asking: GitAsking): ReturnType<GraphqlService['roots']> {
	const { room, user, opened } = asking;
	return {
		hasCrashed: () => new Set(opened).size < opened.length,
		query: {
			version: { ...version, features: { artifacts: true } },
			me: () => showUser(asking, user),
			user: ({ username }: { readonly username: string }) =>
				orNull(findByName(room.context, 'git', username), (found) => showUser(asking, found)),
			repository({ rid }: { readonly rid: string }) {
				const found = findByRid('repository', room.store.all, rid);
				return found === undefined || !mayRead(found, user) ? null : describeRepository(asking, found);
			},
			repositories: (wish: RepositoriesWish) => pageOfRepositories(asking, user, wish),
			...hookRoots(asking),
		},
		mutation: () => ({ ...repositoryMutations(asking), ...hookMutations(asking) }),
	};
}

/** Bytes of files and artifacts (docs/protocol.md#graphql-files). */
async function gitFile(room: RepositoryRoom, path: string, user: User): Promise<Answer | undefined> {
	const [, repositoryId, blobId] = /^\/query\/blob\/(\d+)\/([^/]+)$/.exec(path) ?? [];
	if (blobId !== undefined) {
		return await blobAnswer(room, { repositoryId: Number(repositoryId), blobId }, user);
	}
	const [, checksum, filename = ''] = /^\/query\/artifact\/(sha256:[0-9a-f]+)\/([^/]+)$/.exec(path) ?? [];
	for (const repository of room.store.all.filter((each) => mayRead(each, user))) {
		const found = repository.artifacts.find(
			(each) => each.filename === decodeURIComponent(filename) && checksumOf(each) === checksum,
		);
		if (found !== undefined) {
			return bytesAnswer(Buffer.from(found.content));
		}
	}
	return undefined;
}

async function blobAnswer(
	{ store }: RepositoryRoom,
	{ repositoryId, blobId }: { readonly repositoryId: number; readonly blobId: string },
	user: User,
): Promise<Answer | undefined> {
	const repository = store.all.find(({ id }) => id === repositoryId);
	if (repository === undefined || !mayRead(repository, user)) {
		return undefined;
	}
	const found = /^[0-9a-f]{40}$/.test(blobId) ? await repository.source.resolve(blobId) : undefined;
	if (found?.kind !== 'object' || found.type !== 'blob') {
		const body = goJson({ errors: [{ message: 'object not found' }] });
		return { status: 400, headers: { 'Content-Type': 'application/json' }, body };
	}
	return bytesAnswer((await repository.source.read(found.id)).bytes);
}

function bytesAnswer(body: Buffer): Answer {
	return { status: 200, headers: { 'Content-Type': 'application/octet-stream' }, body };
}

function createGitHooks(service: HookService): GitHooks {
	return {
		user: createHookKind(service, {
			typename: 'UserWebhookSubscription',
			events: { REPO_CREATED: 'REPOSITORIES', REPO_UPDATE: 'REPOSITORIES', REPO_DELETED: 'REPOSITORIES' },
		}),
		repository: createHookKind(service, {
			typename: 'GitWebhookSubscription',
			events: { GIT_PRE_RECEIVE: 'OBJECTS', GIT_POST_RECEIVE: 'OBJECTS' },
		}),
	};
}

/** Root fields for webhooks. */
function hookRoots(asking: GitAsking): object {
	const { room, hooks } = asking;
	return {
		...userHookRoots(asking, hooks.user),
		gitWebhooks: ({ repositoryID, cursor }: PageWish & { readonly repositoryID: number }) =>
			hooks.repository.fields(asking, findRepository(asking, repositoryID)).webhooks({ cursor: cursor ?? null }),
		gitWebhook: (wanted: { readonly id: number }) =>
			room.store.all
				.map((each) => hooks.repository.fields(asking, each).webhook(wanted))
				.find((each) => each !== null) ?? null,
	};
}

function findRepository({ room, user }: GitAsking, id: number): Repository {
	const found = room.store.all.find((each) => each.id === id);
	if (found === undefined || !mayRead(found, user)) {
		throw notFound();
	}
	return found;
}

/** Creates and deletes webhooks, also on public repositories of others. */
function hookMutations(asking: GitAsking): object {
	const { user, hooks } = asking;
	return {
		createUserWebhook: ({ config }: { readonly config: HookWish }) => hooks.user.create(asking, config, () => user),
		createGitWebhook: ({ config }: { readonly config: HookWish & { readonly repositoryID: number } }) =>
			hooks.repository.create(asking, config, () => findRepository(asking, config.repositoryID)),
		deleteUserWebhook: ({ id }: { readonly id: number }) => hooks.user.remove(asking, id, noHook('user webhook', id)),
		deleteGitWebhook: ({ id }: { readonly id: number }) =>
			hooks.repository.remove(asking, id, new FieldError('Not found', { code: 'ERR_NOT_FOUND' }, false)),
	};
}

/** Sends events of the repository service to webhooks. No webhook can stop a push. */
function hookSending(hooks: GitHooks, tell: TellHooks<GitAsking>): RepositoryListener {
	return {
		changed(what, repository) {
			tell(words[what], 'RepositoryEvent', [hooks.user.listening(repository.owner)], (asking) => ({
				repository: describeRepository(asking, repository),
			}));
		},
		pushed(repository, pusher, moves) {
			tell('GIT_POST_RECEIVE', 'GitEvent', [hooks.repository.listening(repository)], (asking) => ({
				repository: () => describeRepository(asking, repository),
				pusher: () => showUser(asking, pusher),
				updates: () => moves.map((move) => showMove(asking, repository, move)),
			}));
		},
	};
}

function showMove(asking: GitAsking, repository: Repository, { name, old, new: next }: RefMove): object {
	const shown = async (id: string | null): Promise<object | null> =>
		id === null ? null : await showObject(asking, repository, id);
	return {
		ref: showReference(asking, repository, { name, target: next ?? '' }),
		old: async () => await shown(old),
		new: async () => await shown(next),
		log: null,
		diff: null,
	};
}

interface RepoInput {
	readonly name?: string | null;
	readonly description?: string | null;
	readonly visibility?: VisibilityWord | null;
	readonly readme?: string | null;
	readonly HEAD?: string | null;
}

/** Mutations of repositories and their access lists. */
function repositoryMutations(asking: GitAsking): object {
	const { room, user, formerNames } = asking;
	const { store, context, hooks } = room;
	return {
		async createRepository({
			name,
			visibility,
			description = null,
			cloneUrl = null,
		}: {
			readonly name: string;
			readonly visibility: VisibilityWord;
			readonly description?: string | null;
			readonly cloneUrl?: string | null;
		}) {
			checkName(asking, name);
			if (cloneUrl !== null && (URL.parse(cloneUrl)?.host ?? '') === '') {
				throw invalid('Invalid clone URL', 'cloneUrl');
			}
			const createdMs = context.nowMs();
			const repository = await room.create({
				owner: user,
				name,
				description,
				visibility: visibilities[visibility],
				createdMs,
			});
			hooks.changed('repo:create', repository);
			return describeRepository(asking, repository);
		},
		async updateRepository({ id, input }: { readonly id: number; readonly input: RepoInput }) {
			const { name, description, visibility, readme, HEAD } = input;
			const repository = own(asking, id);
			if (typeof name === 'string' && name !== repository.name) {
				checkName(asking, name, repository);
			}
			if (typeof HEAD === 'string') {
				// Throws before any change: an update is atomic.
				await setHead(asking, repository, HEAD);
			}
			if (typeof name === 'string' && name !== repository.name) {
				formerNames.set(`~${user.name}/${repository.name}`, repository);
				repository.name = name;
			}
			repository.description = description === undefined ? repository.description : description;
			repository.visibility = typeof visibility === 'string' ? visibilities[visibility] : repository.visibility;
			repository.readme = readme === undefined ? repository.readme : readme;
			repository.updatedMs = context.nowMs();
			hooks.changed('repo:update', repository);
			// Servers answer null even after setting it.
			return { ...describeRepository(asking, repository), readme: null };
		},
		async deleteRepository({ id }: { readonly id: number }) {
			const repository = own(asking, id);
			const described = describeRepository(asking, repository);
			store.remove(repository);
			hooks.changed('repo:delete', repository);
			await repository.source.dispose();
			return described;
		},
		updateACL({
			repoId,
			mode,
			entity,
		}: {
			readonly repoId: number;
			readonly mode: 'RO' | 'RW';
			readonly entity: string;
		}) {
			const repository = own(asking, repoId);
			const somebody = context.users.byName(entity.replace(/^~/, ''));
			if (somebody === undefined || somebody === user || !entity.startsWith('~')) {
				throw invalid('No such user', 'entity');
			}
			const access = mode === 'RW' ? 'rw' : 'ro';
			repository.access.set(somebody.name, access);
			return showAcl(asking, repository, somebody.name, access);
		},
		deleteACL({ id }: { readonly id: number }) {
			for (const repository of store.all.filter(({ owner }) => owner === user)) {
				for (const [name, mode] of repository.access) {
					const somebody = context.users.byName(name);
					if (somebody !== undefined && aclId(repository, somebody) === id) {
						const shown = showAcl(asking, repository, name, mode);
						repository.access.delete(name);
						return shown;
					}
				}
			}
			throw notFound();
		},
	};
}

function own({ room, user }: GitAsking, id: number): Repository {
	const repository = room.store.all.find((each) => each.id === id && each.owner === user);
	if (repository === undefined) {
		throw notFound();
	}
	return repository;
}

function notFound(): FieldError {
	return new FieldError('Repository not found', { code: 'ERR_NOT_FOUND' });
}

async function setHead({ room }: GitAsking, { source, folder }: Repository, branch: string): Promise<void> {
	const name = `refs/heads/${branch}`;
	if (!(await source.refs()).some((each) => each.name === name)) {
		throw invalid('validation failed', 'HEAD');
	}
	await room.git.run(['--git-dir', `${room.root}/${folder}`, 'symbolic-ref', 'HEAD', name]);
}

function checkName({ room, user }: GitAsking, name: string, by?: Repository): void {
	if (!/^[A-Za-z0-9._-]+$/.test(name) || /^\.{1,2}$|^\.git$|^\.hg$/.test(name)) {
		throw invalid(`Invalid repository name '${name}' (must match ^[A-Za-z0-9._-]+$)`, 'name');
	}
	if (room.store.taken(user, name, by)) {
		throw invalid('A repository by this name already exists.', 'name');
	}
}
