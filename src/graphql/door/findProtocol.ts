import { isObject } from '../../answers/decoding.ts';
import { forgeErrorOf } from '../../answers/failures.ts';
import type { Protocol } from '../../forge/instance.ts';
import type { HttpAnswer, HttpClient } from '../../http/httpClient.ts';

const limitBytes = 256 * 1024;
/** It stands before the first thing that somebody waits for. */
const deadlineMs = 15_000;

/**
 * Asks a service what it speaks, by the one address of GraphQL that needs no token (docs/protocol.md#finding-the-protocol).
 * `undefined` where the answer tells nothing: a server in trouble, a redirect, a page for people. Throws `ForgeError` where none came.
 */
export async function findProtocol(
	http: Pick<HttpClient, 'send'>,
	origin: string,
	signal: AbortSignal,
): Promise<Protocol | undefined> {
	try {
		return protocolIn(await askOpenly(http, origin, signal));
	} catch (error) {
		throw forgeErrorOf(error);
	}
}

/**
 * The first of these addresses at which a service of projects answers, which is asked the same. What does not answer, or is
 * something else, is none.
 */
export async function findHub(
	http: Pick<HttpClient, 'send'>,
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

function askOpenly(http: Pick<HttpClient, 'send'>, origin: string, signal: AbortSignal): Promise<HttpAnswer> {
	const path = '/query/api-meta.json';
	return http.send({ method: 'GET', origin, path, accept: 'application/json', limitBytes, deadlineMs, signal });
}

/**
 * A server without GraphQL has nothing at that address. Anything else, such as a page of a proxy that holds back programs,
 * tells nothing of the server behind it, and may be different a minute later.
 */
function protocolIn(answer: HttpAnswer): Protocol | undefined {
	if ([404, 405, 410].includes(answer.status)) {
		return 'rest';
	}
	return scopesIn(answer) === undefined ? undefined : 'graphql';
}

function scopesIn({ status, body }: HttpAnswer): readonly unknown[] | undefined {
	try {
		const said: unknown = status === 200 ? JSON.parse(new TextDecoder().decode(body)) : undefined;
		return isObject(said) && Array.isArray(said['scopes']) ? said['scopes'] : undefined;
	} catch {
		return undefined;
	}
}
