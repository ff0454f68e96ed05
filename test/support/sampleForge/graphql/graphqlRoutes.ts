import type { Areas } from '../../../../src/sampleForge/areas.ts';
import type { Context } from '../../../../src/sampleForge/shared/area.ts';
import { type DoorParts, graphqlDoor } from './door.ts';
import type { GraphqlEngine } from './engine.ts';
import { gitService } from './git/gitService.ts';
import { hubService } from './hub/hubService.ts';
import { listsService } from './lists/listsService.ts';
import { metaService } from './meta/metaService.ts';
import { todoService } from './todo/todoService.ts';
import type { SpeakGraphql } from '../../../../src/sampleForge/world.ts';
import type { Tokens } from '../../../../src/sampleForge/identity/tokens.ts';

/** What each service adds in the dialect `graphql`. */
export function graphqlRoutes(
	areas: Areas,
	context: Context,
	tokens: Tokens,
	engine: GraphqlEngine,
): ReturnType<SpeakGraphql> {
	const age = context.dialect.graphql;
	if (age === null) {
		return {};
	}
	const { meta, todo, lists, git } = areas;
	const parts: DoorParts = { context, tokens };
	return {
		meta: graphqlDoor(parts, metaService(meta.room, engine, age)),
		git: graphqlDoor(parts, gitService(git.room, engine, age)),
		lists: graphqlDoor(parts, listsService(lists.room, engine, age)),
		todo: graphqlDoor(parts, todoService(todo.room, engine, age)),
		...(age === '2026' ? { hub: graphqlDoor(parts, hubService(areas, context, engine)) } : {}),
	};
}
