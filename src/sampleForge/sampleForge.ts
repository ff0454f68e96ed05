import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Areas, createAreas, type WorldPlan } from './areas/areas.ts';
import type { FailureOf } from './graphql/engine.ts';
import { type Client, createClients, outOfBand } from './identity/identityRoom.ts';
import { createTokenWriter, type TokenWriter, tokenLifeMs, createTokens, type Tokens } from './identity/tokens.ts';
import { createUsers } from './identity/users.ts';
import { openSmtpDoor, type SmtpDoor } from './mail/smtpDoor.ts';
import type { Options } from './options.ts';
import { createAreaServer, type AreaServing, type Crashed, type Exchange, createRouter } from './server/areaServer.ts';
import { listen, reservePort, type ReservedPort } from './server/listen.ts';
import { json } from './shared/answers.ts';
import {
	type AreaName,
	type ServiceName,
	type Context,
	type Route,
	open,
	type Dialect,
	documentDialect,
	fieldDialect,
	graphqlDialect,
} from './shared/area.ts';
import type { Deliver } from './webhooks/deliver.ts';
import { createSigner, type Signer } from './webhooks/webhookStore.ts';
import { createWebhookEngine } from './webhooks/webhookEngine.ts';

const mailDomain = 'forge.test';

const fieldClientId = 'bbbb000000000001';

const oobClientId = 'bbbb000000000002';

const documentClientId = 'f0e1d2c3-0001-4000-8000-00000000d35c';

/** The ready line on standard output. */
export interface Ready {
	readonly ready: true;
	readonly dialect: string;
	readonly areas: Readonly<Record<AreaName, string>>;
	/** Null without a project service. */
	readonly hub: string | null;
	/** It takes the mails of `domain` and its subdomains. */
	readonly smtp: { readonly host: string; readonly port: number; readonly domain: string };
	/** The registered client. `secret` and `redirectPort` are null if the flow has none. */
	readonly client: { readonly id: string; readonly secret: string | null; readonly redirectPort: number | null };
	/** A second client for the out-of-band flow, with the code on a page. Null outside the exchange flow. */
	readonly oobClient: { readonly id: string; readonly secret: string } | null;
	/** Raw Ed25519 key, base64. */
	readonly webhookKey: string;
	/** One personal token per user. */
	readonly tokens: Readonly<Record<string, string>>;
}

/** Environment of the forge: minimal in the shipped program, larger in tests. */
export interface Surroundings {
	readonly exchange: Exchange;
	readonly crashed: Crashed;
	readonly plan: WorldPlan;
	/** Fields of GraphQL services that fail; none in the shipped forge. */
	readonly failureOf: FailureOf;
	/** Sends webhooks. */
	readonly deliver: Deliver;
}

const areaNames: readonly AreaName[] = ['meta', 'todo', 'git', 'lists'];
const sampleUsers = ['alice', 'bob', 'carol', 'dave', 'erin'] as const;

/** Starts all servers of a forge. */
export async function startSampleForge(
	options: Options,
	{ exchange, crashed, plan, failureOf, deliver }: Surroundings,
) {
	const dialect = dialectOf(options);
	const tempDir = await mkdtemp(join(tmpdir(), 'forge-desk-'));
	let world: World | undefined;
	const servers: Server[] = [];
	let door: SmtpDoor | undefined;
	const redirect = await redirectPlace(options);
	const openAt = async (server: Server, index: number): Promise<string> => {
		servers.push(server);
		const port = await listen(server, options.firstPort === 0 ? 0 : options.firstPort + index);
		return `http://127.0.0.1:${port}`;
	};
	const stop = async (): Promise<void> => {
		for (const server of servers) {
			server.close();
			server.closeAllConnections();
		}
		redirect.release();
		await door?.close();
		await world?.dispose();
		await rm(tempDir, { recursive: true, force: true });
	};
	try {
		const openService = async (area: ServiceName, index: number): Promise<string> => {
			return await openAt(
				createAreaServer(area, () => world?.serving(area), exchange, crashed),
				index,
			);
		};
		const origins = await Promise.all(areaNames.map(openService));
		const hub = dialect.graphql === '2026' ? await openService('hub', 6) : null;
		const [meta = '', todo = '', git = '', lists = ''] = origins;
		const writeToken = createTokenWriter(dialect);
		const expiresMs = Math.max(Date.now(), plan.endMs) + tokenLifeMs(dialect);
		const lasting: LastingState = {
			dialect,
			origins: { meta, todo, git, lists },
			tempDir,
			signer: createSigner(),
			clientSecret: randomBytes(16).toString('hex'),
			redirectPort: redirect.port,
			writeToken,
			sampleTokens: Object.fromEntries(
				sampleUsers.map((userName) => {
					const token = writeToken({ userName, clientId: null, scopes: '*', expiresMs });
					return [userName, { token, expiresMs }];
				}),
			),
			plan,
			failureOf,
			deliver,
		};
		const first = await createWorld(lasting);
		world = first;
		const mailDoor = await openSmtpDoor(() => world?.smtp, options.firstPort === 0 ? 0 : options.firstPort + 5);
		door = mailDoor;
		/** Replaces the world. Completes the new one before the swap, so no request meets a partial one. */
		const reset = async (): Promise<World> => {
			const fresh = await createWorld(lasting);
			const old = world;
			world = fresh;
			mailDoor.hangUp();
			await old?.dispose();
			return fresh;
		};
		const ready: Ready = { ...readyLine(lasting, first, mailDoor), hub };
		return { ready, world: first, reset, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Reserves a free port unless the options name one. */
async function redirectPlace({ redirectPort }: Options): Promise<ReservedPort> {
	return redirectPort === 0 ? reservePort() : { port: redirectPort, release: () => undefined };
}

function dialectOf({ dialect, graphqlAge }: Options): Dialect {
	switch (dialect) {
		case 'field': {
			return fieldDialect;
		}
		case 'document': {
			return documentDialect;
		}
		case 'graphql': {
			return graphqlDialect(graphqlAge);
		}
	}
}

function readyLine(lasting: LastingState, { clientId, oobClientId }: World, door: SmtpDoor): Omit<Ready, 'hub'> {
	const exchange = lasting.dialect.exchangeFlow;
	const withSecret = exchange || lasting.dialect.graphql !== null;
	return {
		ready: true,
		dialect: lasting.dialect.name,
		areas: lasting.origins,
		smtp: { host: door.host, port: door.port, domain: mailDomain },
		client: {
			id: clientId,
			secret: withSecret ? lasting.clientSecret : null,
			redirectPort: withSecret ? lasting.redirectPort : null,
		},
		oobClient: exchange ? { id: oobClientId, secret: lasting.clientSecret } : null,
		webhookKey: lasting.signer.publicKey,
		tokens: Object.fromEntries(Object.entries(lasting.sampleTokens).map(([name, { token }]) => [name, token])),
	};
}

/** State that outlives a reset. */
interface LastingState {
	readonly dialect: Dialect;
	readonly origins: Context['origins'];
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
	readonly deliver: Deliver;
}

/** One life of the forge, from start or reset to the next reset. */
export type World = Awaited<ReturnType<typeof createWorld>>;

async function createWorld(lasting: LastingState) {
	const { dialect, clientSecret: secret, plan } = lasting;
	const startedMs = Date.now();
	const nowMs = (): number => Math.max(Date.now(), plan.endMs + Date.now() - startedMs);
	const users = createUsers(mailDomain, plan.people);
	const tokens = createTokens(dialect, nowMs, lasting.writeToken);
	for (const [name, { token, expiresMs }] of Object.entries(lasting.sampleTokens)) {
		tokens.adopt(name, token, expiresMs);
	}
	const clientId = dialect.exchangeFlow ? fieldClientId : documentClientId;
	const redirectUri = `http://127.0.0.1:${lasting.redirectPort}/callback`;
	const newClientId = (): string => (dialect.graphql === null ? randomBytes(8).toString('hex') : randomUUID());
	const known: readonly Client[] = [
		{ id: clientId, secret, name: 'Forge Desk', redirectUri },
		...(dialect.exchangeFlow
			? [{ id: oobClientId, secret, name: 'Forge Desk (by hand)', redirectUri: outOfBand }]
			: []),
	];
	const clients = createClients(known, newClientId);
	const webhooks = createWebhookEngine(dialect, lasting.signer, nowMs, lasting.deliver);
	const context: Context = {
		dialect,
		users,
		webhooks,
		origins: lasting.origins,
		mailDomain,
		tempDir: lasting.tempDir,
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
	const graphql = await graphqlOf(areas, seenTokens, plan, lasting.failureOf);
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
	return {
		clientId,
		oobClientId,
		areas,
		smtp: areas.lists.smtp,
		serving: (service: ServiceName) => serving[service],
		/** Resolves after all webhook deliveries. */
		idle: async () => await webhooks.idle(),
		/** All users' webhooks, as `family target address`. */
		webhooks: () => webhooks.all().map(({ family, target, url }) => `${family} ${target} ${url}`),
		async dispose() {
			tale?.dispose();
			webhooks.dispose();
			await areas.git.dispose();
		},
	};
}

/** Loads the GraphQL services on demand: the other dialects start sooner without them. */
async function graphqlOf(
	areas: Areas,
	tokens: Tokens,
	{ projects }: WorldPlan,
	failureOf: FailureOf,
): Promise<Readonly<Partial<Record<ServiceName, readonly Route[]>>>> {
	const age = areas.meta.room.context.dialect.graphql;
	if (age === null) {
		return {};
	}
	const { graphqlRoutes } = await import('./graphqlRoutes.ts');
	return graphqlRoutes(areas, age, tokens, projects, failureOf);
}
