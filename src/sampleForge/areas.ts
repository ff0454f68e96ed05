import type { Area, AreaName, Context } from './area.ts';
import type { Clients } from './identity/clients.ts';
import { createIdentityArea } from './identity/identityArea.ts';
import type { Tokens } from './identity/tokens.ts';
import { createMailArea } from './mail/mailArea.ts';
import { createRepositoryArea } from './repositories.ts';
import { createTicketArea } from './tickets/ticketArea.ts';

/** The four areas of the forge, made side by side. Each owns its part of the world. */
export async function createAreas(
	context: Context,
	tokens: Tokens,
	clients: Clients,
): Promise<Readonly<Record<AreaName, Area>>> {
	const [git, lists] = await Promise.all([createRepositoryArea(context, tokens), createMailArea(context)]);
	return {
		meta: createIdentityArea(context, tokens, clients),
		todo: createTicketArea(context),
		git,
		lists,
	};
}
