import type { Areas } from './areas.ts';
import type { OpenRoute, ServiceName } from './shared/area.ts';
import type { GraphqlAge } from './shared/dialect.ts';
import { type DoorParts, graphqlDoor } from './graphql/door.ts';
import type { FailureOf } from './graphql/engine.ts';
import { gitService } from './graphql/git/gitService.ts';
import { hubService } from './graphql/hub/hubService.ts';
import { listsService } from './graphql/lists/listsService.ts';
import { metaService } from './graphql/meta/metaService.ts';
import { todoService } from './graphql/todo/todoService.ts';
import type { ToldProject } from './worlds/projects.ts';

export interface GraphqlContent {
	/** Fields that fail; none in the shipped forge. */
	readonly failureOf: FailureOf;
	readonly projects: readonly ToldProject[];
}

/** Routes of each GraphQL service, over the areas' data. */
export function graphqlRoutes(
	areas: Areas,
	age: GraphqlAge,
	parts: DoorParts,
	{ failureOf, projects }: GraphqlContent,
): Readonly<Partial<Record<ServiceName, readonly OpenRoute[]>>> {
	const { meta, todo, lists, git } = areas;
	const rooms = { todo: todo.room, git: git.room, lists: lists.room };
	return {
		meta: graphqlDoor(parts, metaService(meta.room, age, failureOf)),
		git: graphqlDoor(parts, gitService(git.room, age, failureOf)),
		lists: graphqlDoor(parts, listsService(lists.room, age, failureOf)),
		todo: graphqlDoor(parts, todoService(todo.room, age, failureOf)),
		...(age === '2026' ? { hub: graphqlDoor(parts, hubService(rooms, projects, failureOf)) } : {}),
	};
}
