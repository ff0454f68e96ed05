import type { Context } from '../shared/area.ts';
import type { Clients } from '../identity/identityRoom.ts';
import { createIdentityArea } from '../identity/identityArea.ts';
import type { PersonPlan } from '../identity/users.ts';
import type { Tokens } from '../identity/tokens.ts';
import { createMailArea } from '../lists/mailArea.ts';
import { createRepositoryArea } from '../repositories/repositoryArea.ts';
import { createTicketArea } from '../tickets/ticketArea.ts';

/** The four areas of the forge with their shared state. */
export type Areas = Awaited<ReturnType<typeof createAreas>>;

/** Creates the empty areas. */
export async function createAreas(context: Context, tokens: Tokens, clients: Clients) {
	return {
		meta: createIdentityArea(context, tokens, clients),
		todo: createTicketArea(context),
		git: await createRepositoryArea(context, tokens),
		lists: createMailArea(context),
	};
}

/** A project with the names of its parts. */
export interface ToldProject {
	readonly owner: string;
	readonly name: string;
	readonly description?: string;
	readonly isPrivate?: boolean;
	readonly repositories: readonly string[];
	readonly trackers: readonly string[];
	readonly lists: readonly string[];
}

/** The content of a forge. */
export interface WorldPlan {
	readonly people: readonly PersonPlan[];
	readonly projects: readonly ToldProject[];
	/** End of the history. Later actions are newer, regardless of the machine's clock. */
	readonly endMs: number;
	/** Fills the empty areas. */
	tell(areas: Areas, context: Context): Promise<Tale | undefined>;
}

/** The part of a world that happens while the forge runs. */
export interface Tale {
	/** Call for each request with a valid token. */
	asked(userName: string): void;
	dispose(): void;
}
