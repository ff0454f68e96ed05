import { randomBytes, randomUUID } from 'node:crypto';
import type { Area, Context, Route, ServiceName } from './shared/area.ts';
import { open } from './shared/area.ts';
import { type Areas, createAreas, type WorldPlan } from './areas.ts';
import { json } from './shared/answers.ts';
import type { Dialect } from './shared/dialect.ts';
import type { DoorParts } from './graphql/door.ts';
import type { FailureOf } from './graphql/engine.ts';
import type { GraphqlContent } from './graphqlRoutes.ts';
import { type Client, createClients, outOfBand } from './identity/clients.ts';
import { createTokens, type Tokens } from './identity/tokens.ts';
import type { TokenWriter } from './identity/tokenText.ts';
import { createRouter } from './server/router.ts';
import type { SmtpParts } from './mail/smtpSession.ts';
import type { AreaServing } from './server/areaServer.ts';
import { createUsers } from './identity/users.ts';
import type { Signer } from './webhooks/signer.ts';
import { createWebhookEngine } from './webhooks/webhookEngine.ts';

/** State that outlives a reset. */
export interface WorldParts {
	readonly dialect: Dialect;
	readonly origins: Context['origins'];
	/** Outlives the process. */
	readonly cacheDir: string;
	readonly tempDir: string;
	readonly signer: Signer;
	readonly clientSecret: string;
	readonly redirectPort: number;
	readonly writeToken: TokenWriter;
	/** Personal token by user name. */
	readonly sampleTokens: Readonly<Record<string, { readonly token: string; readonly expiresMs: number }>>;
	/** Fields of GraphQL services that fail; none in the shipped forge. */
	readonly failureOf: FailureOf;
	readonly plan: WorldPlan;
}

/** One life of the forge, from start or reset to the next reset. */
export interface World {
	readonly clientId: string;
	readonly oobClientId: string;
	readonly areas: Areas;
	readonly smtp: SmtpParts | undefined;
	serving(service: ServiceName): AreaServing;
	/** Resolves after all webhook deliveries. */
	idle(): Promise<void>;
	/** All users' webhooks, as `family target address`. */
	webhooks(): readonly string[];
	dispose(): Promise<void>;
}

const mailDomain = 'forge.test';
const fieldClientId = 'bbbb000000000001';
const oobClientId = 'bbbb000000000002';
const documentClientId = 'f0e1d2c3-0001-4000-8000-00000000d35c';

export async function createWorld(parts: WorldParts): Promise<World> {
	const { dialect, clientSecret: secret, plan } = parts;
	const startedMs = Date.now();
	const nowMs = (): number => Math.max(Date.now(), plan.endMs + Date.now() - startedMs);
	const users = createUsers(mailDomain, plan.people);
	const tokens = createTokens({ dialect, nowMs, write: parts.writeToken });
	for (const [name, { token, expiresMs }] of Object.entries(parts.sampleTokens)) {
		tokens.adopt(name, token, expiresMs);
	}
	const clientId = dialect.exchangeFlow ? fieldClientId : documentClientId;
	const redirectUri = `http://127.0.0.1:${parts.redirectPort}/callback`;
	const newClientId = (): string => (dialect.graphql === null ? randomBytes(8).toString('hex') : randomUUID());
	const known: readonly Client[] = [
		{ id: clientId, secret, name: 'Forge Desk', redirectUri },
		...(dialect.exchangeFlow
			? [{ id: oobClientId, secret, name: 'Forge Desk (by hand)', redirectUri: outOfBand }]
			: []),
	];
	const clients = createClients(known, newClientId);
	const webhooks = createWebhookEngine({ dialect, signer: parts.signer, nowMs });
	const context: Context = {
		dialect,
		users,
		webhooks,
		origins: parts.origins,
		mailDomain,
		cacheDir: parts.cacheDir,
		tempDir: parts.tempDir,
		nowMs,
	};
	const areas = await createAreas(context, tokens, clients);
	const tale = await plan.tell(areas, context);
	const seenTokens: Tokens = {
		...tokens,
		check(area, token) {
			const grant = tokens.check(area, token);
			if (grant !== undefined) {
				tale?.asked(grant.userName);
			}
			return grant;
		},
	};
	const graphql = await graphqlOf(
		areas,
		{ context, tokens: seenTokens },
		{ failureOf: parts.failureOf, projects: plan.projects },
	);
	const serve = (service: ServiceName, routes: readonly Route[]): AreaServing => {
		const rest = [...routes, open('GET', '/api/version', () => json(200, { version: '0.61.3' }))];
		const kept = rest.filter(({ path }) => dialect.rest || !path.startsWith('/api/'));
		return { router: createRouter([...kept, ...(graphql[service] ?? [])]), context, tokens: seenTokens };
	};
	const serving = {
		meta: serve('meta', areas.meta.routes),
		todo: serve('todo', areas.todo.routes),
		git: serve('git', areas.git.routes),
		lists: serve('lists', areas.lists.routes),
		hub: serve('hub', []),
	};
	const all: readonly Area[] = [areas.meta, areas.todo, areas.git, areas.lists];
	return {
		clientId,
		oobClientId,
		areas,
		smtp: areas.lists.smtp,
		serving: (service) => serving[service],
		idle: async () => await webhooks.idle(),
		webhooks: () => webhooks.all().map(({ family, target, url }) => `${family} ${target} ${url}`),
		async dispose() {
			tale?.dispose();
			webhooks.dispose();
			await Promise.all(all.map(async (area) => await area.dispose?.()));
		},
	};
}

/** Loads the GraphQL services on demand: the other dialects start sooner without them. */
async function graphqlOf(
	areas: Areas,
	door: DoorParts,
	content: GraphqlContent,
): Promise<Readonly<Partial<Record<ServiceName, readonly Route[]>>>> {
	const age = door.context.dialect.graphql;
	if (age === null) {
		return {};
	}
	const { graphqlRoutes } = await import('./graphqlRoutes.ts');
	return graphqlRoutes(areas, age, door, content);
}
