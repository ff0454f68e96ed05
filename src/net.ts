import type { Clock } from './base/clock.ts';
import type { FarJson } from './base/farJson.ts';
import type { Disposable } from './base/lifecycle.ts';
import type { Forge, WebhookApi } from './forge/port/forge.ts';
import type { DescribeForge, ForgeProtocol } from './forge/port/forgeProtocol.ts';
import { contentAreas, protocolOf } from './forge/port/instance.ts';
import type { ContentArea, ForgeInstance, Protocol } from './forge/port/instance.ts';
import type { GitReads } from './forge/port/gitReads.ts';
import { namingMissing } from './forge/port/namedMissing.ts';
import type { LearntFacts } from './forge/port/learntFacts.ts';
import type { OwnerName } from './forge/port/user.ts';
import { areaOfFamily, type WebhookFamily } from './forge/port/webhook.ts';
import { bodyRoom, type BodyRoom } from './machine/http/bodyRoom.ts';
import type { HttpClient } from './machine/http/httpClient.ts';
import type { TransportSettings } from './machine/http/transportSettings.ts';
import { undiciClient } from './machine/http/undiciClient.ts';
import { graphqlForge } from './forge/graphql/graphqlForge.ts';
import { graphqlProtocol } from './forge/graphql/graphqlProtocol.ts';
import { findHub, findProtocol } from './forge/graphql/door/findProtocol.ts';
import { plainCaller } from './forge/rest/plainCaller.ts';
import type { PlainAnswer, PlainRequest } from './forge/rest/plainCaller.ts';
import { restForge } from './forge/rest/restForge.ts';
import { restProtocol } from './forge/rest/restProtocol.ts';
import type { TokenFor, TokenRejected } from './forge/port/tokenFor.ts';

/*
 * Everything that needs the network library. Loaded on first use and never at activation: others import its types
 * only, and its one function by `await import(...)`.
 */

export type { PlainAnswer, PlainRequest, TokenFor, TransportSettings };

/** What the network needs from around it. */
export interface NetOptions {
	readonly transport: TransportSettings;
	readonly clock: Clock;
	/** From 0 up to 1, for jitter. */
	readonly random: () => number;
	/** Where large answers are parsed; left out, they are parsed here. */
	readonly farJson?: FarJson;
	/** Git of this machine, for what APIs lose; left out, what may not be all is told to be so. */
	readonly git?: GitReads;
}

/** Whose forge it is and where the tokens come from. */
export interface ConnectOptions {
	readonly instance: ForgeInstance;
	/** `~name` of the account. */
	readonly me: OwnerName;
	readonly tokenFor: TokenFor;
	/** Left out, nothing is sent again. */
	readonly tokenRejected?: TokenRejected;
	/** What earlier answers have shown of the server; left out, it is learnt anew. */
	readonly learnt?: LearntFacts;
	/** Told that an area answered as one does that speaks another protocol, or as one that lacks a single thing. */
	readonly absent?: (area: ContentArea) => void;
}

/** One set of connections, shared by all forges and accounts. Changed settings need a new one. */
export interface Net {
	/** Costs nothing until its first call. */
	connectForge(options: ConnectOptions): Forge;
	/** What a forge's protocol says of it. Sends nothing. */
	protocol(instance: ForgeInstance): ForgeProtocol;
	/** Asks an area what it speaks, without a token. `undefined`: its answer does not tell. Throws ForgeError where none came. */
	findProtocol(
		instance: Pick<ForgeInstance, 'areas'>,
		area: ContentArea,
		signal: AbortSignal,
	): Promise<Protocol | undefined>;
	/** The first of these addresses at which a service of projects answers; asked without a token. */
	findHub(origins: readonly string[], signal: AbortSignal): Promise<string | undefined>;
	/** Throws ForgeError for what never arrived and for redirects; any other status is an answer. */
	request(request: PlainRequest): Promise<PlainAnswer>;
	/** Raises the calls in flight at one area, for a walk that the user started, until disposed. */
	beginWalk(instance: ForgeInstance, area: ContentArea): Disposable;
	close(): Promise<void>;
}

/** What a protocol works with: whose forge it is, and how requests leave. */
type ProtocolOptions = ConnectOptions & {
	readonly http: HttpClient;
	readonly clock: Clock;
	readonly farJson: FarJson | undefined;
	readonly git: GitReads | undefined;
};

/** What each protocol says of a forge before anything is sent. */
const describe: Readonly<Record<Protocol, DescribeForge>> = { rest: restProtocol, graphql: graphqlProtocol };

/** A forge whose services speak one protocol or the other. Where a member is lacking, it is so in the service's protocol. */
function connect(options: ProtocolOptions): Forge {
	const heard = { ...options, http: hearingOfAbsence(options) };
	const rest = restForge(heard);
	const spoken = { rest, graphql: graphqlForge(heard) };
	// It speaks the newer protocol alone, and takes no tokens of the older one.
	const projects = protocolOf(options.instance, 'git') === 'graphql' ? spoken.graphql.projects : undefined;
	const at = (area: ContentArea): (typeof spoken)[Protocol] => spoken[protocolOf(options.instance, area)];
	return {
		me: rest.me,
		users: namingMissing({
			user: (area, name, signal) => at(area).users.user(area, name, signal),
			version: (area, signal) => at(area).users.version(area, signal),
		}),
		trackers: namingMissing(at('todo').trackers),
		lists: namingMissing(at('lists').lists),
		repositories: namingMissing(at('git').repositories),
		...(projects ? { projects: namingMissing(projects) } : {}),
		webhooks: namingMissing(webhooksOf((family) => at(areaOfFamily(family)).webhooks)),
	};
}

/** Webhooks of every family, each spoken of with the service that has them. */
function webhooksOf(at: (family: WebhookFamily) => WebhookApi): WebhookApi {
	return {
		webhooks: (family, signal) => at(family).webhooks(family, signal),
		webhook: (family, id, signal) => at(family).webhook(family, id, signal),
		create: (family, webhook, signal) => at(family).create(family, webhook, signal),
		remove: (family, id, signal) => at(family).remove(family, id, signal),
		deliveries: (family, id, signal) => at(family).deliveries(family, id, signal),
		offers: (family) => at(family).offers(family),
		readDelivery: (family, event, body) => at(family).readDelivery(family, event, body),
	};
}

/** The same client, by which it is told where an area answers that there is nothing at an address of the API. */
function hearingOfAbsence({ http, instance, absent }: ProtocolOptions): HttpClient {
	return absent === undefined
		? http
		: {
				...http,
				send(request) {
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
				},
			};
}

/** Opens the network; nothing is sent yet. */
export function openNet({ transport, clock, random, farJson, git }: NetOptions): Net {
	const room = bodyRoom();
	const http = undiciClient({ transport, clock, random, room });
	const counted = farJson && countedIn(room, farJson);
	return {
		connectForge: (options) => connect({ ...options, http, clock, farJson: counted, git }),
		protocol: protocolOfTokens,
		findProtocol: ({ areas }, area, signal) => findProtocol(http, areas[area], signal),
		findHub: (origins, signal) => findHub(http, origins, signal),
		request: plainCaller(http),
		beginWalk: (instance, area) => http.beginWalk(instance.areas[area]),
		close: () => http.close(),
	};
}

/**
 * People have one token for a whole forge: one that most of its services take. Where they are of different age, some may
 * take one of the other kind, which only trying it shows.
 */
function protocolOfTokens(instance: ForgeInstance): ForgeProtocol {
	const newer = contentAreas.filter((area) => protocolOf(instance, area) === 'graphql').length;
	const described = describe[newer * 2 > contentAreas.length ? 'graphql' : 'rest'](instance);
	return newer === 0 || newer === contentAreas.length ? described : { ...described, readToken: toldAtMost(described) };
}

function toldAtMost({ readToken }: ForgeProtocol): ForgeProtocol['readToken'] {
	return (token) => {
		const reading = readToken(token);
		return reading.kind === 'told' ? reading : { kind: 'untold' };
	};
}

/** Answers that wait for their turn to be parsed take memory as those on their way do. */
function countedIn(room: BodyRoom, farJson: FarJson): FarJson {
	return {
		async *read(body, signal) {
			const held = room.hold(body.byteLength);
			try {
				yield* farJson.read(body, signal);
			} finally {
				held.dispose();
			}
		},
	};
}
