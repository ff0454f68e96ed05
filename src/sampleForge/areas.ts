import type { Context } from './shared/area.ts';
import type { Clients } from './identity/clients.ts';
import { createIdentityArea, type IdentityArea } from './identity/identityArea.ts';
import type { Tokens } from './identity/tokens.ts';
import { createMailArea, type MailArea } from './lists/mailArea.ts';
import { createRepositoryArea, type RepositoryArea } from './repositories/repositoryArea.ts';
import { createTicketArea, type TicketArea } from './tickets/ticketArea.ts';
import type { ThreadPlan } from './worlds/lists/discussions.ts';
import type { OddNames } from './worlds/repositories/gitWorld.ts';
import { tellMailWorld } from './worlds/lists/mailWorld.ts';
import { tellRepositories } from './worlds/repositories/tellRepositories.ts';
import { tellTicketWorld, type OddTickets } from './worlds/tickets/ticketWorld.ts';

/** The four areas of the forge with their shared state. */
export interface Areas {
	readonly meta: IdentityArea;
	readonly todo: TicketArea;
	readonly git: RepositoryArea;
	readonly lists: MailArea;
}

/**
 * Names and texts that broke other programs. Only tests add them: package scanners take them for attacks, so the
 * shipped forge has none.
 */
export interface OddThings {
	readonly tickets: OddTickets;
	readonly threads: readonly ThreadPlan[];
	readonly names: OddNames;
}

/** Creates the areas and fills each with its part of the sample world. */
export async function createAreas(
	context: Context,
	tokens: Tokens,
	clients: Clients,
	odd: OddThings | undefined,
): Promise<Areas> {
	const areas: Areas = {
		meta: createIdentityArea(context, tokens, clients),
		todo: createTicketArea(context),
		git: await createRepositoryArea(context, tokens),
		lists: createMailArea(context),
	};
	tellTicketWorld(areas.todo.room.store, context.users, odd?.tickets ?? []);
	await Promise.all([
		tellRepositories(areas.git.room, odd?.names),
		tellMailWorld(areas.lists.room.store, context, odd?.threads ?? []),
	]);
	return areas;
}
