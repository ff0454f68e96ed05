import type { Caller } from '../caller.ts';
import type { User } from '../../shared/area.ts';
import type { RefMove, RepositoryListener } from '../../repositories/repositoryHooks.ts';
import { mayRead } from '../../repositories/repositoryAccess.ts';
import type { Repository } from '../../repositories/repositoryStore.ts';
import type { PageWish } from '../cursors.ts';
import { FieldError } from '../engine.ts';
import { addHook, checkHook, hookFields, type HookShown, type HookWish, noHook, removeHook } from '../hooks.ts';
import type { TellHooks } from '../hookTelling.ts';
import type { GitAsking } from './gitAsking.ts';
import { type GitHooks, takenEvents } from './gitHookBooks.ts';
import { showObject, showReference } from './objectShapes.ts';
import { describeRepository, showUser } from './repositoryShapes.ts';

/** Caller of the repository service. */
type HookAsking = GitAsking & Caller;

function shownHooks(asking: HookAsking): {
	readonly user: HookShown<User>;
	readonly repository: HookShown<Repository>;
} {
	const common = { cursors: asking.hooks.cursors, caller: asking, of: () => ({}) };
	return {
		user: { ...common, typename: 'UserWebhookSubscription' },
		repository: { ...common, typename: 'GitWebhookSubscription' },
	};
}

/** Root fields for webhooks. */
export function hookRoots(asking: HookAsking): object {
	const { room, user, hooks } = asking;
	const shown = shownHooks(asking);
	const own = hookFields(shown.user, hooks.user, user);
	const of = (repository: Repository): ReturnType<typeof hookFields> =>
		hookFields(shown.repository, hooks.repository, repository);
	return {
		userWebhooks: own.webhooks,
		userWebhook: own.webhook,
		gitWebhooks: ({ repositoryID, cursor }: PageWish & { readonly repositoryID: number }) =>
			of(findRepository(asking, repositoryID)).webhooks({ cursor: cursor ?? null }),
		gitWebhook: (wanted: { readonly id: number }) =>
			room.store.all.map((each) => of(each).webhook(wanted)).find((each) => each !== null) ?? null,
		webhook() {
			throw new FieldError('webhook is for the queries of webhooks alone');
		},
	};
}

function findRepository({ room, user }: GitAsking, id: number): Repository {
	const found = room.store.all.find((each) => each.id === id);
	if (found === undefined || !mayRead(found, user)) {
		throw new FieldError('Repository not found', { code: 'ERR_NOT_FOUND' });
	}
	return found;
}

/** Creates and deletes webhooks, also on public repositories of others. */
export function hookMutations(asking: HookAsking): object {
	const { room, user, grant, hooks } = asking;
	const shown = shownHooks(asking);
	const check = (kind: keyof typeof takenEvents, wish: HookWish): void =>
		checkHook({ context: room.context, schema: hooks.schema, grant, area: 'git' }, takenEvents[kind], wish);
	const missing = (): FieldError => new FieldError('Not found', { code: 'ERR_NOT_FOUND' }, false);
	return {
		createUserWebhook({ config }: { readonly config: HookWish }) {
			check('user', config);
			return addHook(shown.user, hooks.user, { config, of: user });
		},
		createGitWebhook({ config }: { readonly config: HookWish & { readonly repositoryID: number } }) {
			check('repository', config);
			return addHook(shown.repository, hooks.repository, { config, of: findRepository(asking, config.repositoryID) });
		},
		deleteUserWebhook: ({ id }: { readonly id: number }) =>
			removeHook(shown.user, hooks.user, { id, missing: noHook('user webhook', id) }),
		deleteGitWebhook: ({ id }: { readonly id: number }) =>
			removeHook(shown.repository, hooks.repository, { id, missing: missing() }),
	};
}

const words = { 'repo:create': 'REPO_CREATED', 'repo:update': 'REPO_UPDATE', 'repo:delete': 'REPO_DELETED' } as const;

/** Sends events of the repository service to webhooks. No webhook can stop a push. */
export function createGitHookSending(hooks: GitHooks, tell: TellHooks<HookAsking>): RepositoryListener {
	return {
		changed(what, repository) {
			const told = { event: words[what], typename: 'RepositoryEvent' };
			tell(hooks.user.listening(repository.owner, told.event), told, (asking) => ({
				repository: describeRepository(asking, repository),
			}));
		},
		pushed(repository, pusher, moves) {
			const told = { event: 'GIT_POST_RECEIVE', typename: 'GitEvent' };
			tell(hooks.repository.listening(repository, told.event), told, (asking) => ({
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
