import { checkedPath } from '../answers/checkedPath.ts';
import { forgeErrorOf, redirectOf } from '../answers/failures.ts';
import { ForgeError } from '../forge/forgeError.ts';
import type { Area, ForgeInstance } from '../forge/instance.ts';
import type { HttpBody, HttpClient, HttpMethod } from '../http/httpClient.ts';

/** A call outside the three content areas: the identity service's own ways, which know nothing of scopes. */
export interface PlainRequest {
	readonly instance: Pick<ForgeInstance, 'areas'>;
	readonly area: Area;
	readonly method: HttpMethod;
	/** Path and query, percent-encoded, from its first slash on; it cannot lead to another origin. */
	readonly path: string;
	readonly body?: HttpBody;
	/** Others by their names; not for GET and HEAD. */
	readonly headers?: Readonly<Record<string, string>>;
	readonly token?: string;
	readonly signal: AbortSignal;
}

/** What a plain call brought, whatever its status, redirects left out. */
export interface PlainAnswer {
	readonly status: number;
	/** As sent; empty when there was none. */
	readonly contentType: string;
	readonly text: string;
}

const limitBytes = 1024 * 1024;

/** Sends calls that are no endpoint of the tables. Throws `ForgeError` for what never arrived and for redirects. */
export function plainCaller(http: HttpClient): (request: PlainRequest) => Promise<PlainAnswer> {
	return async ({ instance, area, method, path, body, headers, token, signal }) => {
		const origin = instance.areas[area];
		try {
			const answer = await http.send({
				method,
				origin,
				path: checkedPath(origin, path),
				...(body === undefined ? {} : { body }),
				...(headers === undefined ? {} : { headers }),
				...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
				accept: 'application/json',
				limitBytes,
				signal,
			});
			if (answer.status >= 300 && answer.status < 400) {
				throw new ForgeError(redirectOf(answer, origin, token));
			}
			return {
				status: answer.status,
				contentType: answer.contentType,
				text: new TextDecoder().decode(answer.body),
			};
		} catch (error) {
			throw forgeErrorOf(error);
		}
	};
}
