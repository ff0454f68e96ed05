import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AreaName, ServiceName } from './shared/area.ts';
import { openSmtpDoor, type SmtpDoor } from './mail/smtpDoor.ts';
import { type AreaServerParts, createAreaServer } from './server/areaServer.ts';
import { listen } from './server/listen.ts';
import { reservePort, type ReservedPort } from './server/reservePort.ts';
import { createSigner } from './webhooks/signer.ts';
import { type Dialect, documentDialect, fieldDialect, graphqlDialect } from './shared/dialect.ts';
import { tokenLifeMs } from './identity/tokens.ts';
import { createTokenWriter } from './identity/tokenText.ts';
import type { Options } from './options.ts';
import { createWorld, type World, type WorldParts } from './world.ts';

/** The ready line on standard output. */
export interface Ready {
	readonly ready: true;
	readonly dialect: string;
	readonly areas: Readonly<Record<AreaName, string>>;
	/** Null without a project service. */
	readonly hub: string | null;
	readonly smtp: { readonly host: string; readonly port: number };
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
export type Surroundings = Pick<AreaServerParts, 'exchange' | 'crashed'> & Pick<WorldParts, 'plan' | 'failureOf'>;

export interface SampleForge {
	readonly ready: Ready;
	/** The first world. */
	readonly world: World;
	/** Replaces the world and resolves to the new one. */
	reset(): Promise<World>;
	stop(): Promise<void>;
}

const areaNames: readonly AreaName[] = ['meta', 'todo', 'git', 'lists'];
const sampleUsers = ['alice', 'bob', 'carol', 'dave', 'erin'] as const;

/** Starts all servers of a forge. */
export async function startSampleForge(
	options: Options,
	{ exchange, crashed, plan, failureOf }: Surroundings,
): Promise<SampleForge> {
	const dialect = dialectOf(options);
	const tempDir = await mkdtemp(join(tmpdir(), 'forge-desk-'));
	await mkdir(options.cacheDir, { recursive: true });
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
			const serving = (): ReturnType<World['serving']> | undefined => world?.serving(area);
			return await openAt(createAreaServer({ area, serving, exchange, crashed }), index);
		};
		const origins = await Promise.all(areaNames.map(openService));
		const hub = dialect.graphql === '2026' ? await openService('hub', 6) : null;
		const [meta = '', todo = '', git = '', lists = ''] = origins;
		const writeToken = createTokenWriter(dialect);
		const expiresMs = Math.max(Date.now(), plan.endMs) + tokenLifeMs(dialect);
		const parts: WorldParts = {
			dialect,
			origins: { meta, todo, git, lists },
			cacheDir: options.cacheDir,
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
		};
		const first = await createWorld(parts);
		world = first;
		const mailDoor = await openSmtpDoor(() => world?.smtp, options.firstPort === 0 ? 0 : options.firstPort + 5);
		door = mailDoor;
		// Completes the new world before the swap, so no request meets a partial one.
		const reset = async (): Promise<World> => {
			const fresh = await createWorld(parts);
			const old = world;
			world = fresh;
			mailDoor.hangUp();
			await old?.dispose();
			return fresh;
		};
		return { ready: { ...readyLine(parts, first, mailDoor), hub }, world: first, reset, stop };
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

function readyLine(parts: WorldParts, { clientId, oobClientId }: World, door: SmtpDoor): Omit<Ready, 'hub'> {
	const exchange = parts.dialect.exchangeFlow;
	const withSecret = exchange || parts.dialect.graphql !== null;
	return {
		ready: true,
		dialect: parts.dialect.name,
		areas: parts.origins,
		smtp: { host: door.host, port: door.port },
		client: {
			id: clientId,
			secret: withSecret ? parts.clientSecret : null,
			redirectPort: withSecret ? parts.redirectPort : null,
		},
		oobClient: exchange ? { id: oobClientId, secret: parts.clientSecret } : null,
		webhookKey: parts.signer.publicKey,
		tokens: Object.fromEntries(Object.entries(parts.sampleTokens).map(([name, { token }]) => [name, token])),
	};
}
