import { checkedPath } from '../answers/streamedFile.ts';
import { forgeErrorOf, redirectOf } from '../answers/failures.ts';
import { ForgeError } from '../port/forgeError.ts';
import { originOf, type Area, type ForgeInstance } from '../port/instance.ts';
import type { HttpBody, HttpClient, HttpMethod } from '../http/httpClient.ts';

/** A call outside the three content areas, to the identity service; it needs no scope. */
export interface PlainRequest {
	readonly instance: Pick<ForgeInstance, 'areas'>;
	readonly area: Area;
	readonly method: HttpMethod;
	/** Path and query, percent-encoded, with a leading slash. It can't change the origin. */
	readonly path: string;
	readonly body?: HttpBody;
	/** Additional headers; not for GET and HEAD. */
	readonly headers?: Readonly<Record<string, string>>;
	readonly token?: string;
	readonly signal: AbortSignal;
}

/** A response with any status except redirects. */
export interface PlainAnswer {
	readonly status: number;
	/** Unparsed; may be empty. */
	readonly contentType: string;
	readonly text: string;
}

const limitBytes = 1024 * 1024;

/** Sends calls outside the endpoint tables. Throws `ForgeError` for network failures and redirects. */
export function plainCaller(http: HttpClient): (request: PlainRequest) => Promise<PlainAnswer> {
	return async ({ instance, area, method, path, body, headers, token, signal }) => {
		const origin = originOf(instance, area);
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
