import assert from 'node:assert/strict';
import type { ListApi } from 'sourcehut/port/forge.ts';
import { everywhere } from 'sourcehut/port/instance.ts';
import { graphqlCaller } from 'sourcehut/graphql/transport/graphqlCaller.ts';
import { graphqlLists } from 'sourcehut/graphql/lists/graphqlLists.ts';
import type { HttpAnswer, HttpClient, HttpRequest } from 'sourcehut/http/httpClient.ts';
import type { Tokens } from 'sample-forge/identity/tokens.ts';
import { testPeople } from '../../packages/sample-forge/testing/worlds/testPeople.ts';
import { createUsers } from 'sample-forge/identity/users.ts';
import { createState } from 'sample-forge/shared/state.ts';
import { createListAccess, type MailRoom } from 'sample-forge/lists/mailRoom.ts';
import { createMailStore, type MailStore } from 'sample-forge/lists/mailStore.ts';
import { createRouter } from 'sample-forge/server/areaServer.ts';
import {
	type Answer,
	type Call,
	type Context,
	type Grant,
	type User,
	graphqlDialect,
} from 'sample-forge/shared/area.ts';
import { fakeClock } from './fakeClock.ts';
import { sampleInstance } from './fakeConnection.ts';
import { graphqlDoor } from 'sample-forge/graphql/door.ts';
import { listsService } from 'sample-forge/graphql/lists/listsService.ts';
import { standFor } from './standFor.ts';

const token = 'A'.repeat(40);

/** The list service of the sample forge with a connected client, without a separate process or a network. */
export interface ListsInProcess {
	readonly store: MailStore;
	readonly alice: User;
	readonly bob: User;
	/** Alice's client. */
	readonly lists: ListApi;
}

export function listsInProcess(nowMs: number): ListsInProcess {
	const dialect = graphqlDialect('2026');
	const users = createUsers('forge.test', testPeople);
	const [alice, bob] = [users.byName('alice'), users.byName('bob')];
	if (alice === undefined || bob === undefined) {
		throw new Error('Nobody is there');
	}
	const origin = sampleInstance.areas.lists;
	const context = standFor<Context>({
		dialect,
		users,
		origins: { lists: origin },
		mailDomain: 'x',
		state: createState(),
		nowMs: () => nowMs,
	});
	const store = createMailStore(users, true);
	const hooks = standFor<MailRoom['hooks']>({ listen: () => undefined });
	const room = standFor<MailRoom>({ context, store, hooks, access: createListAccess(context, store) });
	const grant = standFor<Grant>({ userName: 'alice', clientId: null, scopes: '*' });
	const tokens = standFor<Tokens>({ check: () => grant });
	const router = createRouter(
		graphqlDoor(
			context,
			tokens,
			listsService(room, '2026', () => undefined),
		),
	);
	const http = standFor<HttpClient>({
		async send({ method, path, body, authorization = '' }: HttpRequest): Promise<HttpAnswer> {
			const { route } = router.match(method === 'POST' ? 'POST' : 'GET', path);
			if (route?.kind !== 'open') {
				throw new Error(`Nothing is at ${path}`);
			}
			const call = standFor<Call>({
				area: 'lists',
				method,
				path,
				query: new URLSearchParams(),
				headers: { authorization, 'content-type': body?.contentType },
				body: { bytes: new TextEncoder().encode(body?.text) },
			});
			return received(await route.handle(call));
		},
	});
	const clock = fakeClock();
	const options = {
		instance: { ...sampleInstance, protocols: everywhere('graphql') },
		me: '~alice',
		tokenFor: () => token,
		http,
		clock,
		problemOf: () => assert.fail('nothing is refused here'),
	} as const;
	return { store, alice, bob, lists: graphqlLists(graphqlCaller(options), options) };
}

function received({ status, headers, body }: Answer): HttpAnswer {
	if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
		throw new TypeError('Only text and bytes are answered here');
	}
	return {
		status,
		contentType: String(headers['Content-Type']),
		location: undefined,
		retryAfterMs: undefined,
		body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
	};
}
