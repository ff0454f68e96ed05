import type { Context } from '../shared/area.ts';
import type { Clients } from './clients.ts';
import { createSessions } from './sessions.ts';
import type { Tokens } from './tokens.ts';

/** Shared state of the identity service's pages. */
export type IdentityRoom = ReturnType<typeof openIdentityRoom>;

export function openIdentityRoom(context: Context, tokens: Tokens, clients: Clients) {
	return { context, tokens, clients, sessions: createSessions(context.users) };
}
