import type { RepositoryRoom } from '../../repositories/repositoryRoom.ts';
import type { Repository } from '../../repositories/repositoryStore.ts';
import { mayRead } from '../../repositories/repositoryAccess.ts';
import type { GraphqlAge } from '../../shared/dialect.ts';
import type { Caller } from '../caller.ts';
import { createCursors } from '../cursors.ts';
import type { GraphqlService } from '../door.ts';
import { FieldError, type OpenSchema } from '../engine.ts';
import { findByName, version } from '../people.ts';
import { isRid, ridOf } from '../scalars.ts';
import { createHookTelling } from '../hookTelling.ts';
import { gitFile } from './gitFiles.ts';
import { createGitHooks } from './gitHookBooks.ts';
import { createGitHookSending, hookMutations, hookRoots } from './gitHooks.ts';
import { gitSchema } from './gitSchema.ts';
import type { GitAsking } from './gitAsking.ts';
import { createPlaceCursors } from './placeCursors.ts';
import { repositoryMutations } from './repositoryMutations.ts';
import { describeRepository, pageOfRepositories, showUser, type RepositoriesWish } from './repositoryShapes.ts';

/** The repository service, over the same store as REST. */
export function gitService(room: RepositoryRoom, openSchema: OpenSchema, age: GraphqlAge): GraphqlService {
	const schema = openSchema(gitSchema(age));
	const nowMs = (): number => room.context.nowMs();
	const common = {
		room,
		age,
		cursors: createPlaceCursors(nowMs),
		formerNames: new Map<string, Repository>(),
		hooks: createGitHooks(schema, createCursors(nowMs)),
	};
	const askingOf = ({ user, grant }: Caller): GitAsking & Caller => ({ ...common, user, grant, opened: [] });
	const telling = createHookTelling({
		context: room.context,
		schema,
		area: 'git',
		askingOf,
		query: (asking: GitAsking & Caller) => rootsFor(asking).query,
	});
	room.hooks.listen(createGitHookSending(common.hooks, telling));
	return {
		area: 'git',
		schema,
		roots: (caller) => rootsFor(askingOf(caller)),
		files: ({ path }, { user }) => gitFile(room, path, user),
	};
}

function rootsFor(asking: GitAsking & Caller): ReturnType<GraphqlService['roots']> {
	const { room, user, opened } = asking;
	return {
		hasCrashed: () => new Set(opened).size < opened.length,
		query: {
			version: { ...version, features: { artifacts: true } },
			me: () => showUser(asking, user),
			user({ username }: { readonly username: string }) {
				const found = findByName(room.context, 'git', username);
				return found === undefined ? null : showUser(asking, found);
			},
			repository({ rid }: { readonly rid: string }) {
				if (!isRid(rid)) {
					throw new FieldError('Invalid RID');
				}
				const found = room.store.all.find(({ id, createdMs }) => ridOf('repository', id, createdMs) === rid);
				return found === undefined || !mayRead(found, user) ? null : describeRepository(asking, found);
			},
			repositories: (wish: RepositoriesWish) => pageOfRepositories(asking, user, wish),
			...hookRoots(asking),
		},
		mutation: () => ({ ...repositoryMutations(asking), ...hookMutations(asking) }),
	};
}
