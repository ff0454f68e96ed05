import { isObject } from '../../answers/decoding.ts';
import { forgeErrorOf, isWebPage, plainText } from '../../answers/failures.ts';
import type { Protocol } from '../../port/instance.ts';
import type { ServiceLook } from '../../port/serviceLook.ts';
import type { HttpAnswer, HttpClient } from '../../http/httpClient.ts';

const limitBytes = 256 * 1024;
/** This request delays the first one that the user waits for. */
const deadlineMs = 15_000;

/**
 * Probes a service for GraphQL, at the only GraphQL address without authentication
 * (docs/protocol.md#finding-the-protocol). `undefined` if the response is inconclusive: a server error, a redirect or a
 * web page. Throws `ForgeError` if none arrived.
 */
export async function findProtocol(
	http: HttpClient,
	origin: string,
	signal: AbortSignal,
): Promise<Protocol | undefined> {
	try {
		return protocolIn(await askOpenly(http, origin, signal));
	} catch (error) {
		throw forgeErrorOf(error);
	}
}

/** The same probe with all facts of its answer, without a retry. Throws `ForgeError` if none arrived. */
export async function lookAtService(http: HttpClient, origin: string, signal: AbortSignal): Promise<ServiceLook> {
	try {
		const answer = await askOpenly(http, origin, signal, { isOnce: true });
		const { status, location, sentMs } = answer;
		const target = location === undefined ? null : URL.parse(location, origin);
		return {
			status,
			protocol: protocolIn(answer),
			isWebPage: isWebPage(answer),
			said: isWebPage(answer) ? '' : plainText(sentenceIn(answer.body), undefined),
			toHost: status >= 300 && status < 400 ? target?.host : undefined,
			sentMs,
		};
	} catch (error) {
		throw forgeErrorOf(error);
	}
}

/** A sentence of an error body, in the words of any generation of servers. */
function sentenceIn(body: Uint8Array): string {
	const text = new TextDecoder().decode(body);
	try {
		const said: unknown = JSON.parse(text);
		const errors = isObject(said) ? said['errors'] : undefined;
		const first: unknown = Array.isArray(errors) ? errors[0] : said;
		const told = isObject(first)
			? [first['reason'], first['message'], first['error_description'], first['error']]
			: [said];
		return told.find((each) => typeof each === 'string') ?? '';
	} catch {
		return text;
	}
}

/** Other answers, such as a proxy's bot check, say nothing about the server and may change within a minute. */
function protocolIn(answer: HttpAnswer): Protocol | undefined {
	return [404, 405, 410].includes(answer.status) ? 'rest' : scopesIn(answer) === undefined ? undefined : 'graphql';
}

/** The first origin with a project service, by the same probe. Ignores origins that fail. */
export async function findHub(
	http: HttpClient,
	origins: readonly string[],
	signal: AbortSignal,
): Promise<string | undefined> {
	const asked = await Promise.allSettled(origins.map((origin) => askOpenly(http, origin, signal)));
	signal.throwIfAborted();
	return origins.find((_, at) => {
		const answered = asked[at];
		return answered?.status === 'fulfilled' && scopesIn(answered.value)?.includes('PROJECTS') === true;
	});
}

function askOpenly(
	http: HttpClient,
	origin: string,
	signal: AbortSignal,
	how: { readonly isOnce?: true } = {},
): Promise<HttpAnswer> {
	const path = '/query/api-meta.json';
	return http.send({ method: 'GET', origin, path, accept: 'application/json', limitBytes, deadlineMs, ...how, signal });
}

function scopesIn({ status, body }: HttpAnswer): readonly unknown[] | undefined {
	try {
		const said: unknown = status === 200 ? JSON.parse(new TextDecoder().decode(body)) : undefined;
		return isObject(said) && Array.isArray(said['scopes']) ? said['scopes'] : undefined;
	} catch {
		return undefined;
	}
}
