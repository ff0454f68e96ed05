import type { Clock } from '@forge-desk/base/clock.ts';
import type { WorkerJson } from '@forge-desk/base/workerJson.ts';
import type { Forge, WebhookApi } from './port/forge.ts';
import type { DescribeForge, ForgeProtocol } from './port/forgeProtocol.ts';
import { absentAreas } from './port/absentAreas.ts';
import {
	areasOf,
	contentAreas,
	originOf,
	protocolOf,
	type ContentArea,
	type ForgeInstance,
	type Protocol,
} from './port/instance.ts';
import type { GitReads } from './port/gitReads.ts';
import { ForgeError } from './port/forgeError.ts';
import { namingMissing } from './port/namedMissing.ts';
import { areaOfFamily, type WebhookFamily } from './port/webhook.ts';
import { bodyRoom } from './http/bodyRoom.ts';
import type { HttpClient, HttpStream, StreamRequest } from './http/httpClient.ts';
import { undiciClient } from './http/undiciClient.ts';
import type { TransportSettings, Way } from './http/undiciDispatchers.ts';
import { graphqlForge } from './graphql/graphqlForge.ts';
import { graphqlProtocol } from './graphql/graphqlProtocol.ts';
import { findHub, findProtocol, lookAtService } from './graphql/transport/findProtocol.ts';
import { plainCaller, type PlainAnswer, type PlainRequest } from './rest/plainCaller.ts';
import { restForge } from './rest/restForge.ts';
import { restProtocol } from './rest/restProtocol.ts';
import type { TokenFor } from './port/tokenFor.ts';
import type { ForgeLink } from './answers/forgeLink.ts';
import { forgeErrorOf } from './answers/failures.ts';

/*
 * Everything that needs the network library. Loaded on first use and never at activation: others import its types
 * only, and its one function by `await import(...)`.
 */

export type { PlainAnswer, PlainRequest, TokenFor, TransportSettings, Way };

/** Dependencies of the network. */
export interface NetOptions {
	readonly transport: TransportSettings;
	readonly clock: Clock;
	/** From 0 up to 1, for jitter. */
	readonly random: () => number;
	/** Parses large answers. Without it, this thread does. */
	readonly workerJson?: WorkerJson;
	/** Git of this machine, for data that APIs lose. Without it, such data is marked as incomplete. */
	readonly git?: GitReads;
}

/** The account of a forge, the source of its tokens, and cached facts about the server. */
export interface ForgeAccount extends Pick<ForgeLink, 'instance' | 'me' | 'tokenFor' | 'tokenRejected' | 'learnt'> {
	/** Called when an answer looks like one of another protocol, or shows a missing feature. */
	readonly absent?: (area: ContentArea) => void;
}

/** A protocol. Members for areas that its software lacks are absent. */
export interface ProtocolMaker {
	readonly describe: DescribeForge;
	readonly connect: (link: ForgeLink) => Pick<Forge, 'users'> & Partial<Omit<Forge, 'me' | 'users'>>;
}

export const protocols: Readonly<Record<Protocol, ProtocolMaker>> = {
	rest: { describe: restProtocol, connect: (link) => restForge(hearingOfAbsence(link)) },
	graphql: { describe: graphqlProtocol, connect: (link) => graphqlForge(hearingOfAbsence(link)) },
};

/** A forge whose services use different protocols. A member is absent if the service's protocol lacks it. */
function connect(options: ForgeLink & ForgeAccount): Forge {
	const { instance, me } = options;
	const spoken = new Map<Protocol, ReturnType<ProtocolMaker['connect']>>();
	const at = (area: ContentArea): ReturnType<ProtocolMaker['connect']> => {
		const protocol = protocolOf(instance, area);
		const forge = spoken.get(protocol) ?? protocols[protocol].connect(options);
		spoken.set(protocol, forge);
		return forge;
	};
	const of = (area: ContentArea): ReturnType<ProtocolMaker['connect']> | undefined =>
		instance.areas[area] === undefined ? undefined : at(area);
	const webhooksAt = (family: WebhookFamily): WebhookApi => of(areaOfFamily(family))?.webhooks ?? absentAreas.webhooks;
	// The service of projects refuses tokens of other protocols.
	const projects = of('git')?.projects;
	return {
		me,
		users: namingMissing({
			async user(area, name, signal) {
				const there = of(area);
				if (there === undefined) {
					throw new ForgeError({ kind: 'notFound' });
				}
				return there.users.user(area, name, signal);
			},
			version: async (area, signal) => (await at(area).users.version?.(area, signal)) ?? 'unknown',
		}),
		trackers: namingMissing(of('todo')?.trackers ?? absentAreas.trackers),
		lists: namingMissing(of('lists')?.lists ?? absentAreas.lists),
		repositories: namingMissing(of('git')?.repositories ?? absentAreas.repositories),
		...(projects ? { projects: namingMissing(projects) } : {}),
		webhooks: namingMissing<WebhookApi>({
			webhooks: (family, signal) => webhooksAt(family).webhooks(family, signal),
			webhook: (family, id, signal) => webhooksAt(family).webhook(family, id, signal),
			create: (family, webhook, signal) => webhooksAt(family).create(family, webhook, signal),
			remove: (family, id, signal) => webhooksAt(family).remove(family, id, signal),
			deliveries: (family, id, signal) => webhooksAt(family).deliveries(family, id, signal),
			offers: (family) => webhooksAt(family).offers(family),
			readDelivery: (family, event, body) => webhooksAt(family).readDelivery(family, event, body),
		}),
	};
}

/** The same link. Also reports areas without anything at an address of the API. */
function hearingOfAbsence(link: ForgeLink & Pick<ForgeAccount, 'absent'>): ForgeLink {
	const { http, instance, absent } = link;
	if (absent === undefined) {
		return link;
	}
	const send: HttpClient['send'] = (request) => {
		const sent = http.send(request);
		void sent.then(
			({ status }) => {
				const area = contentAreas.find((each) => instance.areas[each] === request.origin);
				if (area !== undefined && /^\/(?:api\/|query$)/.test(request.path) && [404, 405, 410].includes(status)) {
					absent(area);
				}
			},
			() => undefined,
		);
		return sent;
	};
	return { ...link, http: { ...http, send } };
}

/** One set of connections, shared by all forges and accounts. Changed settings need a new one. */
export type Net = ReturnType<typeof openNet>;

/** Opens the network; nothing is sent yet. */
export function openNet({ transport, clock, random, workerJson, git }: NetOptions) {
	const room = bodyRoom();
	const http = undiciClient({ transport, clock, random, room });
	const counted: WorkerJson | undefined = workerJson && {
		// Unparsed answers in the queue take memory like those in flight.
		async *read(body, signal) {
			const held = room.hold(body.byteLength);
			try {
				yield* workerJson.read(body, signal);
			} finally {
				held.dispose();
			}
		},
	};
	return {
		/** Costs nothing until its first call. */
		connectForge: (options: ForgeAccount) => connect({ ...options, http, clock, workerJson: counted, git }),
		/** Facts of a forge by its protocol. Sends nothing. */
		protocol: describe,
		/** Detects an area's protocol, without a token. `undefined`: unclear answer. Throws ForgeError without an answer. */
		findProtocol: (instance: Pick<ForgeInstance, 'areas'>, area: ContentArea, signal: AbortSignal) =>
			findProtocol(http, originOf(instance, area), signal),
		/** Asks a service once, without a token. Throws ForgeError without an answer. */
		lookAtService: (origin: string, signal: AbortSignal) => lookAtService(http, origin, signal),
		/** The first of these addresses with a projects service. Sends no token. */
		findHub: (origins: readonly string[], signal: AbortSignal) => findHub(http, origins, signal),
		/** Throws ForgeError for lost requests and redirects. Any other status is an answer. */
		request: plainCaller(http),
		/** Streams an answer, without a token. Throws ForgeError, also while the body is read. */
		stream: async (request: StreamRequest): Promise<HttpStream> => {
			const stream = await http.stream(request).catch(thrownAsForgeError);
			return { ...stream, chunks: readable(stream.chunks) };
		},
		/** Raises the calls in flight at one area, for a walk that the user started, until disposed. */
		beginWalk: (instance: ForgeInstance, area: ContentArea) => http.beginWalk(originOf(instance, area)),
		close: () => http.close(),
	};
}

async function* readable(chunks: HttpStream['chunks']): AsyncGenerator<Uint8Array, void, undefined> {
	try {
		yield* chunks;
	} catch (error) {
		thrownAsForgeError(error);
	}
}

function thrownAsForgeError(error: unknown): never {
	throw forgeErrorOf(error);
}

/**
 * Users have one token for a whole forge, of the kind that most of its services take. Services of another age may take
 * the other kind; only a trial shows it.
 */
function describe(instance: ForgeInstance): ForgeProtocol {
	const spoken = areasOf(instance).map((area) => protocolOf(instance, area));
	const countOf = (protocol: Protocol): number => spoken.filter((each) => each === protocol).length;
	const [most = 'rest'] = spoken.toSorted((one, other) => countOf(other) - countOf(one));
	const described = protocols[most].describe(instance);
	return countOf(most) === spoken.length
		? described
		: {
				...described,
				readToken(token) {
					const reading = described.readToken(token);
					return reading.kind === 'told' ? reading : { kind: 'untold' };
				},
			};
}
