import type { Area, Context } from '../area.ts';
import type { Clients } from './clients.ts';
import { codeFlow } from './codeFlow.ts';
import { exchangeFlow } from './exchangeFlow.ts';
import { identityControl } from './identityControl.ts';
import { loginPages } from './loginPages.ts';
import { profileRoutes } from './profileRoutes.ts';
import { createSessions } from './sessions.ts';
import { tokenPages } from './tokenPages.ts';
import type { Tokens } from './tokens.ts';
import type { IdentityRoom } from './identityRoom.ts';

/** The identity service: sign-in page, consent, tokens, profile (docs/protocol.md#identity). */
export function createIdentityArea(context: Context, tokens: Tokens, clients: Clients): Area {
	const room: IdentityRoom = { context, tokens, clients, sessions: createSessions(context.users) };
	const flow = context.dialect.exchangeFlow ? exchangeFlow(room) : codeFlow(room);
	return {
		routes: [...flow, ...loginPages(context.users, room.sessions), ...tokenPages(room), ...profileRoutes(context)],
		control: identityControl(room),
	};
}
