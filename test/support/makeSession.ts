import { everywhere } from 'sourcehut/port/instance.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import { readScopes } from 'sourcehut/port/scope.ts';
import { accountKey, type Session } from '../../src/editor/accounts/session.ts';
import { Token } from 'sourcehut/identity/token.ts';

/** A forge with the older sign-in flow of observed servers. */
export function makeInstance(changes: Partial<ForgeInstance> = {}): ForgeInstance {
	return {
		id: 'meta.forge.example',
		name: 'Example',
		areas: {
			meta: 'https://meta.forge.example',
			todo: 'https://todo.forge.example',
			git: 'https://git.forge.example',
			lists: 'https://lists.forge.example',
		},
		protocols: everywhere('rest'),
		signIn: { kind: 'exchange', clientId: 'bbbb000000000001', redirectPort: 15_998 },
		scopeSpelling: {
			prefixes: { todo: 'todo.forge.example/', git: 'git.forge.example/', lists: 'lists.forge.example/' },
			names: { emails: 'email' },
		},
		webhookKey: undefined,
		isSample: false,
		...changes,
	};
}

/** Alice's session on that forge. */
export function makeSession(changes: Partial<Session> = {}): Session {
	const instance = makeInstance();
	return {
		id: accountKey(instance.id, changes.accountName ?? '~alice'),
		instanceId: instance.id,
		accountName: '~alice',
		token: new Token('0123456789abcdef0123456789abcdef'),
		scopes: readScopes,
		createdMs: 1,
		expiresMs: undefined,
		origins: instance.areas,
		refusedBy: [],
		inMemoryOnly: false,
		...changes,
	};
}
