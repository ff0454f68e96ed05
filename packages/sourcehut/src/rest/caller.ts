import { checkedPath } from '../answers/streamedFile.ts';
import { pages, type PagedList, type RawPage } from '../answers/pages.ts';
import type { Pages } from '../port/page.ts';
import { forgeErrorOf, isWebPage, webPageOf } from '../answers/failures.ts';
import { factsInMemory, type LearntFacts } from '../port/learntFacts.ts';
import type { OwnerName } from '../port/user.ts';
import type { HttpMethod } from '../http/httpClient.ts';
import { type Call, type Endpoint, pathOf, queryOf } from './endpoint.ts';
import { problemOf } from './problems.ts';
import { spellingOf } from './restProtocol.ts';
import { neededToken, newerToken } from '../port/tokenFor.ts';
import { checkNul, ForgeError } from '../port/forgeError.ts';
import type { ForgeLink } from '../answers/forgeLink.ts';
import { originOf } from '../port/instance.ts';

/** Calls endpoints of one forge for one account. Throws `ForgeError`, or the signal's reason. */
export interface Caller {
	readonly me: OwnerName;
	/** Learnt capabilities of the server. */
	readonly learnt: LearntFacts;
	readonly call: <Route extends string, Answer>(
		endpoint: Endpoint<Route, Answer>,
		call: Call<Route>,
	) => Promise<Answer>;
}

export function caller(link: ForgeLink): Caller {
	const { instance, me, http, clock, workerJson, learnt = factsInMemory() } = link;
	const { names: scopeNames } = spellingOf(instance);

	async function call<Route extends string, Answer>(
		endpoint: Endpoint<Route, Answer>,
		{ query, body, signal, ...target }: Call<Route>,
	): Promise<Answer> {
		const { area, reader } = endpoint;
		checkNul(body ?? {});
		const origin = originOf(instance, area);
		const path = checkedPath(origin, pathOf(endpoint, target, me) + queryOf(query));
		const wish = { area, scope: endpoint.asksFor?.scope ?? endpoint.scope ?? undefined };

		async function send(token: string): Promise<Answer> {
			try {
				const answer = await http.send({
					method: methods.find((method) => endpoint.route.startsWith(`${method} `)) ?? 'GET',
					origin,
					path,
					authorization: `Bearer ${token}`,
					accept: reader.accept,
					// Servers accept JSON only with exactly this type, without a charset (docs/protocol.md#request-bodies).
					...(body === undefined ? {} : { body: { contentType: 'application/json', text: JSON.stringify(body) } }),
					limitBytes: reader.limitBytes,
					signal,
				});
				if (answer.status < 200 || answer.status >= 300) {
					throw problemOf(answer, {
						area,
						origin,
						nowMs: clock.nowMs(),
						scopeNames,
						token,
					});
				}
				if (isWebPage(answer) && reader.isData?.(answer) !== true) {
					throw new ForgeError(webPageOf(origin));
				}
				const long = reader.readLong?.(answer, { workerJson, signal });
				return long === undefined ? reader.read(answer) : await long;
			} catch (error) {
				throw forgeErrorOf(error);
			}
		}

		const needed = neededToken(link, wish, signal);
		// Awaiting a ready token would delay the request behind the caller's work on the previous page.
		const token = typeof needed === 'string' ? needed : await needed;
		return await send(token).catch(async (error: unknown) => send(await newerToken(link, wish, token, error, signal)));
	}

	return { me, learnt, call };
}

const methods: readonly HttpMethod[] = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];

/** Pages through a list endpoint. The cursor is a query value, never a URL. */
export function paged<Route extends string, T>(
	caller: Caller,
	endpoint: Endpoint<Route, RawPage<T>>,
	call: Call<Route>,
	list: NoInfer<Omit<PagedList<T>, 'fetch'>>,
): Pages<T> {
	return pages(
		{
			...list,
			fetch: (start, signal) =>
				caller.call(
					endpoint,
					start === undefined ? { ...call, signal } : { ...call, query: { ...call.query, start }, signal },
				),
		},
		call.signal,
	);
}

/**
 * Throws for a foreign resource on a route without an owner: the server would take the account's resource of the same
 * name.
 */
export function ownOnly(me: OwnerName, owner: OwnerName): void {
	if (owner !== me) {
		throw new ForgeError({ kind: 'notAllowed' });
	}
}
