import type { Areas, ToldProject } from './areas/areas.ts';
import { graphqlDoor, type GraphqlService } from './graphql/door.ts';
import type { FailureOf } from './graphql/engine.ts';
import { gitService } from './graphql/git/gitService.ts';
import { hubService } from './graphql/hub/hubService.ts';
import { listsService } from './graphql/lists/listsService.ts';
import { metaService } from './graphql/meta/metaService.ts';
import { todoService } from './graphql/todo/todoService.ts';
import type { Tokens } from './identity/tokens.ts';
import type { OpenRoute, ServiceName, GraphqlAge } from './shared/area.ts';

/** Routes of each GraphQL service, over the areas' data. `failureOf`: fields that fail; none in the shipped forge. */
export function graphqlRoutes(
	areas: Areas,
	age: GraphqlAge,
	tokens: Tokens,
	projects: readonly ToldProject[],
	failureOf: FailureOf,
): Readonly<Partial<Record<ServiceName, readonly OpenRoute[]>>> {
	const { meta, todo, lists, git } = areas;
	const door = (service: GraphqlService): readonly OpenRoute[] => graphqlDoor(meta.room.context, tokens, service);
	return {
		meta: door(metaService(meta.room, age, failureOf)),
		git: door(gitService(git.room, age, failureOf)),
		lists: door(listsService(lists.room, age, failureOf)),
		todo: door(todoService(todo.room, age, failureOf)),
		...(age === '2026' ? { hub: door(hubService(areas, projects, failureOf)) } : {}),
	};
}
