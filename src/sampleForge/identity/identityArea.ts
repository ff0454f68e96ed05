import type { Area, Context, OpenRoute } from '../shared/area.ts';
import type { Clients } from './clients.ts';
import { codeFlow } from './codeFlow.ts';
import { exchangeFlow } from './exchangeFlow.ts';
import type { IdentityRoom } from './identityRoom.ts';
import { loginPages } from './loginPages.ts';
import { profileRoutes } from './profileRoutes.ts';
import { secretFlow } from './secretFlow.ts';
import { createSessions } from './sessions.ts';
import { tokenPages } from './tokenPages.ts';
import type { Tokens } from './tokens.ts';

/** Identity service with its shared state. */
export interface IdentityArea extends Area {
	readonly room: IdentityRoom;
}

/** The identity service: sign-in page, consent, tokens, profile (docs/protocol.md#identity). */
export function createIdentityArea(context: Context, tokens: Tokens, clients: Clients): IdentityArea {
	const room: IdentityRoom = { context, tokens, clients, sessions: createSessions(context.users) };
	return {
		room,
		routes: [
			...flowOf(room),
			...loginPages(context.users, room.sessions),
			...tokenPages(room),
			...profileRoutes(context),
		],
	};
}

function flowOf(room: IdentityRoom): readonly OpenRoute[] {
	const { dialect } = room.context;
	if (dialect.graphql !== null) {
		return secretFlow(room);
	}
	return dialect.exchangeFlow ? exchangeFlow(room) : codeFlow(room);
}
