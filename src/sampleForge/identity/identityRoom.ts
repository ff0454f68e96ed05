import type { Context } from '../shared/area.ts';
import type { Clients } from './clients.ts';
import type { Sessions } from './sessions.ts';
import type { Tokens } from './tokens.ts';

/** Shared state of the identity service's pages. */
export interface IdentityRoom {
	readonly context: Context;
	readonly tokens: Tokens;
	readonly clients: Clients;
	readonly sessions: Sessions;
}
