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
import { openSmtpDoor, type SmtpDoor, type SmtpParts } from './mail/smtpDoor.ts';
import type { Options } from './options.ts';
import { createAreaServer, type AreaServing, type Crashed, type Exchange, createRouter } from './server/areaServer.ts';
import { listen, reservePort, type ReservedPort } from './server/listen.ts';
import { openSnapshot } from './server/snapshot.ts';
import { json } from './shared/answers.ts';
import { createState, type State } from './shared/state.ts';
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
	/** The folder with the unreadable files of an earlier process; null without. */
	readonly setAside: string | null;
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
	/** The system time; tests replace it. */
	readonly clockMs: () => number;
}

const areaNames: readonly AreaName[] = ['meta', 'todo', 'git', 'lists'];
const sampleUsers = ['alice', 'bob', 'carol', 'dave', 'erin'] as const;

/** Another program, or another process of this forge, holds a port. */
export class PortTaken extends Error {
	readonly port: number;
	/** Ready line of the earlier process. */
	readonly ready: Ready | null;

	constructor(port: number, ready: Ready | null) {
		super(`The port ${port} is taken`);
		this.port = port;
		this.ready = ready;
	}
}

/** Starts all servers of a forge. With a folder in the options it restores the state of an earlier process. */
export async function startSampleForge(
	options: Options,
	{ exchange, crashed, plan, failureOf, deliver, clockMs }: Surroundings,
) {
	const dialect = dialectOf(options);
	const name = randomUUID();
	const snapshot = openSnapshot(options.stateDir, name);
	const state = createState(snapshot.parts);
	const tempDir = await mkdtemp(join(tmpdir(), 'forge-desk-'));
	let world: World | undefined;
	const servers: Server[] = [];
	let door: SmtpDoor | undefined;
	const redirect = await redirectPlace(options, state.isNew);
	const endMs = Math.max(plan.endMs, snapshot.endMs);
	const expiresMs = Math.max(clockMs(), endMs) + tokenLifeMs(dialect);
	const writeToken = createTokenWriter(dialect, state);
	const writePersonal = (userName: string): string => writeToken({ userName, clientId: null, scopes: '*', expiresMs });
	const kept = state.part('forge', {
		ports: portsFrom(options.firstPort),
		redirectPort: redirect.port,
		clientSecret: randomBytes(16).toString('hex'),
		/** Personal tokens. */
		tokens: Object.fromEntries(sampleUsers.map((userName) => [userName, writePersonal(userName)])),
		expiresMs,
		/** With the name of the first start: two first starts at once have two folders. */
		repositories: `repositories-${name}`,
	});
	const signer = createSigner(state);
	const save = (): void => {
		if (world !== undefined) {
			snapshot.save(state.parts, world.nowMs());
		}
	};
	const ready = (): Ready => readyLine(dialect, kept, signer, snapshot.setAside);
	const openAt = async (server: Server, area: ServiceName): Promise<void> => {
		servers.push(server);
		kept.ports[area] = await listen(server, kept.ports[area]);
	};
	const stop = async (): Promise<void> => {
		snapshot.close();
		servers.forEach((server) => server.close());
		const doorClosed = door?.close();
		// A window that loses its connection starts the next process on the same ports.
		servers.forEach((server) => server.closeAllConnections());
		redirect.release();
		await doorClosed;
		await world?.dispose();
		await rm(tempDir, { recursive: true, force: true });
	};
	try {
		const services: readonly ServiceName[] = dialect.graphql === '2026' ? [...areaNames, 'hub'] : areaNames;
		const keeping: Exchange = async (asked, answer) =>
			await exchange(asked, async () => {
				const answered = await answer();
				save();
				return answered;
			});
		await Promise.all(
			services.map(
				async (area) =>
					await openAt(
						createAreaServer(area, () => world?.serving(area), keeping, crashed),
						area,
					),
			),
		);
		const mailDoor = await openSmtpDoor(() => world && keptMails(world.smtp, save), kept.ports.smtp);
		door = mailDoor;
		kept.ports.smtp = mailDoor.port;
		const surroundings = { plan, failureOf, deliver, clockMs };
		const lasting: LastingState = { dialect, kept, endMs, tempDir, signer, writeToken, ...surroundings };
		if (!state.isNew) {
			await snapshot.tidy(kept.repositories);
		}
		const first = await createWorld(lasting, state, snapshot.folderOf(kept.repositories));
		world = first;
		save();
		/** Replaces the world. Completes the new one before the swap, so no request meets a partial one. */
		const reset = async (): Promise<World> => {
			const fresh = await createWorld(lasting, createState(), undefined);
			const old = world;
			world = fresh;
			mailDoor.hangUp();
			await old?.dispose();
			return fresh;
		};
		return { ready: ready(), world: first, reset, stop };
	} catch (error) {
		await stop();
		const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
		throw isTaken && 'port' in error ? new PortTaken(Number(error.port), state.isNew ? null : ready()) : error;
	}
}

/** Writes each mail to disk before the sender gets the reply. */
function keptMails(parts: SmtpParts, save: () => void): SmtpParts {
	return {
		...parts,
		deliver(recipients, mail, sender) {
			const reason = parts.deliver(recipients, mail, sender);
			save();
			return reason;
		},
	};
}

const originAt = (port: number): string => `http://127.0.0.1:${port}`;

/** The ports of a first start; 0 leaves one to the system. */
function portsFrom(first: number): Record<ServiceName | 'smtp', number> {
	const at = (index: number): number => (first === 0 ? 0 : first + index);
	return { meta: at(0), todo: at(1), git: at(2), lists: at(3), smtp: at(5), hub: at(6) };
}

/** Reserves a free port unless the options name one. */
async function redirectPlace({ redirectPort }: Options, isNew: boolean): Promise<ReservedPort> {
	return redirectPort === 0 && isNew ? reservePort() : { port: redirectPort, release: () => undefined };
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

function readyLine(
	dialect: Dialect,
	{ ports, clientSecret, redirectPort, tokens }: Lasting,
	{ publicKey }: Signer,
	setAside: string | null,
): Ready {
	const exchange = dialect.exchangeFlow;
	const withSecret = exchange || dialect.graphql !== null;
	return {
		ready: true,
		dialect: dialect.name,
		areas: originsOf(ports),
		hub: dialect.graphql === '2026' ? originAt(ports.hub) : null,
		smtp: { host: '127.0.0.1', port: ports.smtp, domain: mailDomain },
		client: {
			id: clientIdOf(dialect),
			secret: withSecret ? clientSecret : null,
			redirectPort: withSecret ? redirectPort : null,
		},
		oobClient: exchange ? { id: oobClientId, secret: clientSecret } : null,
		webhookKey: publicKey,
		tokens,
		setAside,
	};
}

function originsOf({ meta, todo, git, lists }: Lasting['ports']): Context['origins'] {
	return { meta: originAt(meta), todo: originAt(todo), git: originAt(git), lists: originAt(lists) };
}

function clientIdOf({ exchangeFlow }: Dialect): string {
	return exchangeFlow ? fieldClientId : documentClientId;
}

/** State of all worlds of a forge. */
interface Lasting {
	readonly ports: Readonly<Record<ServiceName | 'smtp', number>>;
	readonly clientSecret: string;
	readonly redirectPort: number;
	/** By user name. */
	readonly tokens: Readonly<Record<string, string>>;
	readonly expiresMs: number;
}

/** State that outlives a reset. */
interface LastingState {
	readonly dialect: Dialect;
	readonly kept: Lasting;
	readonly endMs: number;
	readonly tempDir: string;
	readonly signer: Signer;
	readonly writeToken: TokenWriter;
	/** Fields of GraphQL services that fail; none in the shipped forge. */
	readonly failureOf: FailureOf;
	readonly plan: WorldPlan;
	readonly deliver: Deliver;
	readonly clockMs: () => number;
}

/** One life of the forge, from start or reset to the next reset. */
export type World = Awaited<ReturnType<typeof createWorld>>;

async function createWorld(lasting: LastingState, state: State, repositoriesDir: string | undefined) {
	const { dialect, kept, endMs, plan, clockMs } = lasting;
	const { clientSecret: secret } = kept;
	const startedMs = clockMs();
	const nowMs = (): number => Math.max(clockMs(), endMs + clockMs() - startedMs);
	const users = createUsers(mailDomain, plan.people, state);
	const tokens = createTokens(dialect, nowMs, lasting.writeToken, state);
	for (const [userName, token] of state.isNew ? Object.entries(kept.tokens) : []) {
		tokens.adopt(userName, token, kept.expiresMs);
	}
	const clientId = clientIdOf(dialect);
	const redirectUri = `${originAt(kept.redirectPort)}/callback`;
	const newClientId = (): string => (dialect.graphql === null ? randomBytes(8).toString('hex') : randomUUID());
	const known: readonly Client[] = [
		{ id: clientId, secret, name: 'Forge Desk', redirectUri },
		...(dialect.exchangeFlow
			? [{ id: oobClientId, secret, name: 'Forge Desk (by hand)', redirectUri: outOfBand }]
			: []),
	];
	const clients = createClients(known, newClientId, state);
	const webhooks = createWebhookEngine(dialect, lasting.signer, nowMs, lasting.deliver, state);
	const context: Context = {
		dialect,
		users,
		webhooks,
		origins: originsOf(kept.ports),
		mailDomain,
		state,
		tempDir: lasting.tempDir,
		repositoriesDir,
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
		nowMs,
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
