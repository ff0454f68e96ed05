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
		const path = '/query/api-meta.json';
		const answer = await http.send({
			method: 'GET',
			origin,
			path,
			accept: 'application/json',
			limitBytes,
			deadlineMs,
			signal,
		});
		return protocolIn(answer);
	} catch (error) {
		throw forgeErrorOf(error);
	}
}

/**
 * A server without GraphQL has nothing at that address. Anything else, such as a page of a proxy that holds back programs,
 * tells nothing of the server behind it, and may be different a minute later.
 */
function protocolIn({ status, body }: HttpAnswer): Protocol | undefined {
	if (status === 404 || status === 405 || status === 410) {
		return 'rest';
	}
	return status === 200 && tellsScopes(body) ? 'graphql' : undefined;
}

function tellsScopes(body: Uint8Array): boolean {
	try {
		const said: unknown = JSON.parse(new TextDecoder().decode(body));
		return isObject(said) && Array.isArray(said['scopes']);
	} catch {
		return false;
	}
}
