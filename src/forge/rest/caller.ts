import { checkedPath } from '../answers/checkedPath.ts';
import { pages, type PagedList } from '../answers/pages.ts';
import type { RawPage } from '../answers/pagingWay.ts';
import type { Pages } from '../port/page.ts';
import { forgeErrorOf } from '../answers/failures.ts';
import type { Clock } from '../../base/clock.ts';
import type { FarJson } from '../../base/farJson.ts';
import type { ForgeInstance } from '../port/instance.ts';
import { factsInMemory, type LearntFacts } from '../port/learntFacts.ts';
import type { OwnerName } from '../port/user.ts';
import type { HttpAnswer, HttpClient, HttpMethod } from '../../machine/http/httpClient.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { pathOf, queryOf } from './path.ts';
import { problemOf } from './problems.ts';
import { spellingOf } from './restProtocol.ts';
import { neededToken, newerToken, type TokenFor, type TokenRejected } from '../port/tokenFor.ts';

/** Calls endpoints of one forge for one account. Throws `ForgeError`, or the signal's reason. */
export interface Caller {
	readonly me: OwnerName;
	/** Learnt capabilities of the server. */
	readonly learnt: LearntFacts;
	readonly call: <Route extends string, Answer>(
		endpoint: Endpoint<Route, Answer>,
		call: Call<Route>,
	) => Promise<Answer>;
	/** Prepares repeated calls with varying queries. The first call checks the path. */
	readonly prepare: <Route extends string, Answer>(
		endpoint: Endpoint<Route, Answer>,
		target: Pick<Call<Route>, 'params' | 'owner'>,
	) => PreparedCall<Answer>;
}

/** A call with a fixed, checked path. */
export type PreparedCall<Answer> = (details: CallDetails) => Promise<Answer>;

type CallDetails = Pick<Call<string>, 'query' | 'body' | 'signal'>;

export interface CallerOptions {
	readonly instance: ForgeInstance;
	readonly me: OwnerName;
	readonly tokenFor: TokenFor;
	/** Without it, requests are never retried. */
	readonly tokenRejected?: TokenRejected | undefined;
	readonly http: HttpClient;
	readonly clock: Clock;
	/** Parses large responses. Without it, they block this process. */
	readonly farJson?: FarJson | undefined;
	/** Facts from earlier responses. Without it, they are learnt again. */
	readonly learnt?: LearntFacts | undefined;
}

export function caller(options: CallerOptions): Caller {
	const { instance, me, http, clock, farJson, learnt = factsInMemory() } = options;
	const { names: scopeNames } = spellingOf(instance);

	function prepare<Route extends string, Answer>(
		endpoint: Endpoint<Route, Answer>,
		target: Pick<Call<Route>, 'params' | 'owner'>,
	): PreparedCall<Answer> {
		const { area, reader } = endpoint;
		const origin = instance.areas[area];
		const method = methodOf(endpoint.route);
		const wish = { area, scope: endpoint.asksFor?.scope ?? endpoint.scope ?? undefined };
		let path: string | undefined;

		async function send({ query, body, signal }: CallDetails, path: string, token: string): Promise<Answer> {
			try {
				const answer = await http.send({
					method,
					origin,
					path: path + queryOf(query),
					authorization: `Bearer ${token}`,
					accept: reader.accept,
					...(body === undefined ? {} : { body: jsonBody(body) }),
					limitBytes: reader.limitBytes,
					signal,
				});
				if (!isGood(answer)) {
					throw problemOf(answer, {
						area,
						origin,
						nowMs: clock.nowMs(),
						scopeNames,
						token,
					});
				}
				const long = reader.readLong?.(answer, { farJson, signal });
				return long === undefined ? reader.read(answer) : await long;
			} catch (error) {
				throw forgeErrorOf(error);
			}
		}

		return async (details) => {
			const to = (path ??= checkedPath(origin, pathOf(endpoint, target, me)));
			const needed = neededToken(options, wish, details.signal);
			// Awaiting a ready token would delay the request behind the caller's work on the previous page.
			const token = typeof needed === 'string' ? needed : await needed;
			return await send(details, to, token).catch(async (error: unknown) => {
				const newer = await newerToken(options, { wish, token, error }, details.signal);
				return await send(details, to, newer);
			});
		};
	}

	return { me, learnt, prepare, call: (endpoint, call) => prepare(endpoint, call)(call) };
}

function isGood({ status }: HttpAnswer): boolean {
	return status >= 200 && status < 300;
}

/** Servers accept JSON only with exactly this type, without a charset (docs/protocol.md#request-bodies). */
function jsonBody(body: object): { readonly contentType: string; readonly text: string } {
	return { contentType: 'application/json', text: JSON.stringify(body) };
}

const methods: readonly HttpMethod[] = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];

function methodOf(route: string): HttpMethod {
	return methods.find((method) => route.startsWith(`${method} `)) ?? 'GET';
}

/** Pages through a list endpoint. The cursor is a query value, never a URL. */
export function paged<Route extends string, T>(
	caller: Caller,
	endpoint: Endpoint<Route, RawPage<T>>,
	call: Call<Route>,
	list: NoInfer<Omit<PagedList<T>, 'fetch'>>,
): Pages<T> {
	const { query } = call;
	const prepared = caller.prepare(endpoint, call);
	return pages(
		{
			...list,
			fetch: (start, signal) =>
				prepared(start === undefined ? { ...(query && { query }), signal } : { query: { ...query, start }, signal }),
		},
		call.signal,
	);
}
