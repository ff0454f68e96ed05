import type { Areas } from './areas.ts';
import type { AreaName, Context, Route } from './shared/area.ts';
import { type DoorParts, graphqlDoor } from './graphql/door.ts';
import type { GraphqlEngine } from './graphql/engine.ts';
import { metaService } from './graphql/meta/metaService.ts';
import { todoService } from './graphql/todo/todoService.ts';
import type { Tokens } from './identity/tokens.ts';

/** What each area adds in the dialect `graphql`. Repositories and lists have no service yet. */
export function graphqlRoutes(
	{ meta, todo }: Areas,
	context: Context,
	tokens: Tokens,
	engine: GraphqlEngine | undefined,
): Readonly<Record<AreaName, readonly Route[]>> {
	const age = context.dialect.graphql;
	if (age === null || engine === undefined) {
		return { meta: [], todo: [], git: [], lists: [] };
	}
	const parts: DoorParts = { context, tokens };
	return {
		meta: graphqlDoor(parts, metaService(meta.room, engine, age)),
		todo: graphqlDoor(parts, todoService(todo.room, engine, age)),
		git: [],
		lists: [],
	};
}
