import type { Clock } from '@forge-desk/base/clock.ts';
import type { FarJson } from '@forge-desk/base/farJson.ts';
import type { Forge, WebhookApi } from './port/forge.ts';
import type { DescribeForge, ForgeProtocol } from './port/forgeProtocol.ts';
import { contentAreas, protocolOf, type ContentArea, type ForgeInstance, type Protocol } from './port/instance.ts';
import type { GitReads } from './port/gitReads.ts';
import { namingMissing } from './port/namedMissing.ts';
import { areaOfFamily, type WebhookFamily } from './port/webhook.ts';
import { bodyRoom, type BodyRoom } from './http/bodyRoom.ts';
import type { HttpClient } from './http/httpClient.ts';

import { undiciClient } from './http/undiciClient.ts';
import type { TransportSettings } from './http/undiciDispatchers.ts';
import { graphqlForge } from './graphql/graphqlForge.ts';
import { graphqlProtocol } from './graphql/graphqlProtocol.ts';
import { findHub, findProtocol } from './graphql/door/findProtocol.ts';
import { plainCaller, type PlainAnswer, type PlainRequest } from './rest/plainCaller.ts';
import { restForge } from './rest/restForge.ts';
import { restProtocol } from './rest/restProtocol.ts';
import type { TokenFor } from './port/tokenFor.ts';
import type { ForgeLink } from './answers/forgeLink.ts';

/*
 * Everything that needs the network library. Loaded on first use and never at activation: others import its types
 * only, and its one function by `await import(...)`.
 */

export type { PlainAnswer, PlainRequest, TokenFor, TransportSettings };

/** Dependencies of the network. */
export interface NetOptions {
	readonly transport: TransportSettings;
	readonly clock: Clock;
	/** From 0 up to 1, for jitter. */
	readonly random: () => number;
	/** Parses large answers. Without it, this thread does. */
	readonly farJson?: FarJson;
	/** Git of this machine, for data that APIs lose. Without it, such data is marked as incomplete. */
	readonly git?: GitReads;
}

/** The account of a forge, the source of its tokens, and cached facts about the server. */
export interface ForgeAccount extends Pick<ForgeLink, 'instance' | 'me' | 'tokenFor' | 'tokenRejected' | 'learnt'> {
	/** Called when an answer looks like one of another protocol, or shows a missing feature. */
	readonly absent?: (area: ContentArea) => void;
}

/** Facts of a forge by protocol, before any request. */
const describe: Readonly<Record<Protocol, DescribeForge>> = { rest: restProtocol, graphql: graphqlProtocol };

/** A forge whose services use different protocols. A member is absent if the service's protocol lacks it. */
function connect(options: ForgeLink & ForgeAccount): Forge {
	const heard = { ...options, http: hearingOfAbsence(options) };
	const rest = restForge(heard);
	const spoken = { rest, graphql: graphqlForge(heard) };
	// It has only the newer protocol, and refuses tokens of the older one.
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

/** Webhooks of every family, each through its own service. */
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

/** The same client. Also reports areas without anything at an address of the API. */
function hearingOfAbsence({ http, instance, absent }: ForgeLink & ForgeAccount): HttpClient {
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

/** One set of connections, shared by all forges and accounts. Changed settings need a new one. */
export type Net = ReturnType<typeof openNet>;

/** Opens the network; nothing is sent yet. */
export function openNet({ transport, clock, random, farJson, git }: NetOptions) {
	const room = bodyRoom();
	const http = undiciClient({ transport, clock, random, room });
	const counted = farJson && countedIn(room, farJson);
	return {
		/** Costs nothing until its first call. */
		connectForge: (options: ForgeAccount) => connect({ ...options, http, clock, farJson: counted, git }),
		/** Facts of a forge by its protocol. Sends nothing. */
		protocol: protocolOfTokens,
		/** Detects an area's protocol, without a token. `undefined`: unclear answer. Throws ForgeError without an answer. */
		findProtocol: ({ areas }: Pick<ForgeInstance, 'areas'>, area: ContentArea, signal: AbortSignal) =>
			findProtocol(http, areas[area], signal),
		/** The first of these addresses with a projects service. Sends no token. */
		findHub: (origins: readonly string[], signal: AbortSignal) => findHub(http, origins, signal),
		/** Throws ForgeError for lost requests and redirects. Any other status is an answer. */
		request: plainCaller(http),
		/** Raises the calls in flight at one area, for a walk that the user started, until disposed. */
		beginWalk: (instance: ForgeInstance, area: ContentArea) => http.beginWalk(instance.areas[area]),
		close: () => http.close(),
	};
}

/**
 * Users have one token for a whole forge, of the kind that most of its services take. Services of another age may take
 * the other kind; only a trial shows it.
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

/** Unparsed answers in the queue take memory like those in flight. */
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
