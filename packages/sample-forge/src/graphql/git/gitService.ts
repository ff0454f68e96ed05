import { mayRead, type RepositoryListener, type RepositoryRoom } from '../../repositories/repositoryRoom.ts';
import type { Repository } from '../../repositories/repositoryStore.ts';
import type { Answer, User, GraphqlAge } from '../../shared/area.ts';
import { check, need } from '../../shared/checks.ts';
import type { Caller, GraphqlService } from '../door.ts';
import { createCursors, type PageWish } from '../cursors.ts';
import { type FailureOf, FieldError, openSchema } from '../engine.ts';
import {
	createHookKind,
	createHookTelling,
	type Configured,
	type HookService,
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
import { type GitAsking, type GitHooks, checksumOf, type RepositoriesWish, aclId, gitShapes } from './objectShapes.ts';

const words = { 'repo:create': 'REPO_CREATED', 'repo:update': 'REPO_UPDATE', 'repo:delete': 'REPO_DELETED' } as const;

/** The repository service, over the same store as REST. */
export function gitService(room: RepositoryRoom, age: GraphqlAge, failureOf: FailureOf): GraphqlService {
	const schema = openSchema('git', age, failureOf);
	const cursors = createCursors(room.context, 'git');
	const service = { context: room.context, area: 'git', schema, cursors } as const;
	const { formerNames } = room.context.state.part('former names', { formerNames: new Map<string, Repository>() });
	const common = { room, age, cursors, formerNames, hooks: createGitHooks(service) };
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
	const { room, user, opened, hooks } = asking;
	const { context, store } = room;
	const shapes = gitShapes(asking);
	return {
		hasCrashed: () => new Set(opened).size < opened.length,
		query: {
			version: { ...version, features: { artifacts: true } },
			me: () => shapes.account(user),
			user: ({ username }: { readonly username: string }) =>
				orNull(findByName(context, 'git', username), shapes.account),
			repository({ rid }: { readonly rid: string }) {
				const named = findByRid('repository', store.all, rid);
				return named === undefined || !mayRead(named, user) ? null : shapes.repository(named);
			},
			repositories: (wish: RepositoriesWish) => shapes.repositoriesOf(user, wish),
			...userHookRoots(asking, hooks.user),
			gitWebhooks: ({ repositoryID, ...wish }: PageWish & { readonly repositoryID: number }) =>
				hooks.repository.fields(asking, findRepository(asking, repositoryID)).webhooks(wish),
			gitWebhook: (wanted: { readonly id: number }) =>
				store.all.map((each) => hooks.repository.fields(asking, each).webhook(wanted)).find((each) => each !== null) ??
				null,
		},
		mutation: () => ({
			...repositoryMutations(asking),
			...hooks.user.mutations(asking),
			...hooks.repository.mutations(asking),
		}),
	};
}

/** Bytes of files and artifacts (docs/protocol.md#graphql-files). */
async function gitFile({ store }: RepositoryRoom, path: string, user: User): Promise<Answer | undefined> {
	const readable = store.all.filter((each) => mayRead(each, user));
	const [, repositoryId, blobId] = /^\/query\/blob\/(\d+)\/([^/]+)$/.exec(path) ?? [];
	if (blobId !== undefined) {
		const repository = readable.find(({ id }) => id === Number(repositoryId));
		return repository === undefined ? undefined : await blobAnswer(repository, blobId);
	}
	const [, checksum, filename = ''] = /^\/query\/artifact\/(sha256:[0-9a-f]+)\/([^/]+)$/.exec(path) ?? [];
	const file = readable
		.flatMap(({ artifacts }) => artifacts)
		.find((each) => each.filename === decodeURIComponent(filename) && checksumOf(each) === checksum);
	return file === undefined ? undefined : bytesAnswer(Buffer.from(file.content));
}

async function blobAnswer({ source }: Repository, blobId: string): Promise<Answer> {
	const known = /^[0-9a-f]{40}$/.test(blobId) ? await source.resolve(blobId) : undefined;
	if (known?.kind !== 'object' || known.type !== 'blob') {
		const body = goJson({ errors: [{ message: 'object not found' }] });
		return { status: 400, headers: { 'Content-Type': 'application/json' }, body };
	}
	return bytesAnswer((await source.read(known.id)).bytes);
}

function bytesAnswer(body: Buffer): Answer {
	return { status: 200, headers: { 'Content-Type': 'application/octet-stream' }, body };
}

function createGitHooks(service: HookService): GitHooks {
	const user = createHookKind(service, {
		name: 'UserWebhook',
		events: { REPO_CREATED: 'REPOSITORIES', REPO_UPDATE: 'REPOSITORIES', REPO_DELETED: 'REPOSITORIES' },
		find: (asking: GitAsking) => asking.user,
		gone: (_asking, id) => noHook('user webhook', id),
	});
	return {
		user,
		repository: createHookKind(service, {
			name: 'GitWebhook',
			events: { GIT_PRE_RECEIVE: 'OBJECTS', GIT_POST_RECEIVE: 'OBJECTS' },
			find: (
				asking: GitAsking,
				{ config }: { readonly config: Configured['config'] & { readonly repositoryID: number } },
			) => findRepository(asking, config.repositoryID),
			// Reads the table of people's webhooks.
			ofDelivery: (asking, id) => need(user.ofAnybody(asking, id), () => new FieldError('sql: no rows in result set')),
			gone: () => new FieldError('Not found', { code: 'ERR_NOT_FOUND' }, false),
		}),
	};
}

function findRepository({ room, user }: GitAsking, id: number): Repository {
	const known = room.store.all.find((each) => each.id === id && mayRead(each, user));
	return need(known, notFound);
}

/** Sends events of the repository service to webhooks. No webhook can stop a push. */
function hookSending(hooks: GitHooks, tell: TellHooks<GitAsking>): RepositoryListener {
	return {
		changed(what, repository) {
			tell(words[what], 'RepositoryEvent', [hooks.user.listening(repository.owner)], (asking) => ({
				repository: gitShapes(asking).repository(repository),
			}));
		},
		pushed(repository, pusher, moves) {
			tell('GIT_POST_RECEIVE', 'GitEvent', [hooks.repository.listening(repository)], (asking) => {
				const shapes = gitShapes(asking);
				return {
					repository: () => shapes.repository(repository),
					pusher: () => shapes.account(pusher),
					updates: () => moves.map((move) => shapes.move(repository, move)),
				};
			});
		},
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
	const shapes = gitShapes(asking);
	const own = (id: number): Repository => {
		const known = store.all.find((each) => each.id === id && each.owner === user);
		return need(known, notFound);
	};
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
			const hasHost = cloneUrl === null || (URL.parse(cloneUrl)?.host ?? '') !== '';
			check(hasHost, () => invalid('Invalid clone URL', 'cloneUrl'));
			const plan = { owner: user, name, description, visibility: visibilities[visibility] };
			const repository = await room.create({ ...plan, createdMs: context.nowMs() });
			hooks.changed('repo:create', repository);
			return shapes.repository(repository);
		},
		async updateRepository({ id, input }: { readonly id: number; readonly input: RepoInput }) {
			const { name, description, visibility, readme, HEAD } = input;
			const repository = own(id);
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
			return { ...shapes.repository(repository), readme: null };
		},
		async deleteRepository({ id }: { readonly id: number }) {
			const repository = own(id);
			const described = shapes.repository(repository);
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
			const repository = own(repoId);
			const somebody = context.users.byName(entity.replace(/^~/, ''));
			const isOther = somebody !== undefined && somebody !== user && entity.startsWith('~');
			check(isOther, () => invalid('No such user', 'entity'));
			const access = mode === 'RW' ? 'rw' : 'ro';
			repository.access.set(somebody.name, access);
			return shapes.acl(repository, somebody.name, access);
		},
		deleteACL({ id }: { readonly id: number }) {
			for (const repository of store.all.filter(({ owner }) => owner === user)) {
				for (const [name, mode] of repository.access) {
					const somebody = context.users.byName(name);
					if (somebody !== undefined && aclId(repository, somebody) === id) {
						const shown = shapes.acl(repository, name, mode);
						repository.access.delete(name);
						return shown;
					}
				}
			}
			throw notFound();
		},
	};
}

function notFound(): FieldError {
	return new FieldError('Repository not found', { code: 'ERR_NOT_FOUND' });
}

async function setHead({ room }: GitAsking, { source, folder }: Repository, branch: string): Promise<void> {
	const name = `refs/heads/${branch}`;
	const isBranch = (await source.refs()).some((each) => each.name === name);
	check(isBranch, () => invalid('validation failed', 'HEAD'));
	await room.git.run(['--git-dir', `${room.root}/${folder}`, 'symbolic-ref', 'HEAD', name]);
}

function checkName({ room, user }: GitAsking, name: string, by?: Repository): void {
	const isName = /^[A-Za-z0-9._-]+$/.test(name) && !/^\.{1,2}$|^\.git$|^\.hg$/.test(name);
	check(isName, () => invalid(`Invalid repository name '${name}' (must match ^[A-Za-z0-9._-]+$)`, 'name'));
	const isFree = !room.store.taken(user, name, by);
	check(isFree, () => invalid('A repository by this name already exists.', 'name'));
}
