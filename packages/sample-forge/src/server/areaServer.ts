import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { unescape } from 'node:querystring';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { permits, spellScope } from '../identity/scopes.ts';
import type { Tokens } from '../identity/tokens.ts';
import { errorPage, invalid, problems, ProcessEnds, Refusal } from '../shared/answers.ts';
import type { Answer, Method, Route, ServiceName, Call, Context, ApiCall, Scope } from '../shared/area.ts';
import { emptyBody, readBody } from '../shared/body.ts';
import { check, holdsNul } from '../shared/checks.ts';
import { createClosedServer } from './closedServer.ts';

/** Writes an answer; for HEAD without its body. Rejects when the connection breaks. */
export async function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
	writeHead(response, answer);
	if (request.method === 'HEAD') {
		response.end();
		return;
	}
	if (answer.body instanceof Readable) {
		await pipeline(answer.body, response);
		return;
	}
	response.end(answer.body);
}

/** Status and headers of an answer. */
export function writeHead(response: ServerResponse, answer: Answer): void {
	response.statusCode = answer.status;
	for (const [name, value] of Object.entries(answer.headers)) {
		response.setHeader(name, value);
	}
	if (!(answer.body instanceof Readable) && answer.status !== 204) {
		response.setHeader('Content-Length', Buffer.byteLength(answer.body));
	}
}

/** A route for one request, with its path parts. */
export interface Match {
	readonly route: Route;
	readonly params: Readonly<Record<string, string>>;
}

/** Nothing at this path (`allow` empty), or nothing for this method. */
export interface NoMatch {
	readonly route: undefined;
	readonly allow: readonly Method[];
}

export type Router = ReturnType<typeof createRouter>;

/**
 * The most specific pattern wins: literal segments before named ones, those before `:rest*`, from the left. Decodes the
 * path before splitting, like observed servers, so `%2F` separates segments too.
 */
export function createRouter(routes: readonly Route[]) {
	const compiled = routes.map((route) => ({ route, pattern: splitPath(route.path) }));
	compiled.sort((a, b) => compareSpecificity(a.pattern, b.pattern));
	return {
		/** `rawPath` as sent, without the query. */
		match(method: Method, rawPath: string): Match | NoMatch {
			const segments = splitPath(unescape(rawPath));
			const allow = new Set<Method>();
			for (const { route, pattern } of compiled) {
				const params = matchPattern(pattern, segments);
				if (params !== undefined) {
					if (route.method === method) {
						return { route, params };
					}
					allow.add(route.method);
				}
			}
			return { route: undefined, allow: [...allow].toSorted() };
		},
	};
}

function splitPath(path: string): readonly string[] {
	return path.split('/').filter((segment) => segment !== '');
}

function compareSpecificity(a: readonly string[], b: readonly string[]): number {
	for (let at = 0; at < Math.max(a.length, b.length); at++) {
		const difference = rank(a[at]) - rank(b[at]);
		if (difference !== 0) {
			return difference;
		}
	}
	return 0;
}

function rank(segment: string | undefined): number {
	if (segment === undefined) {
		return 4;
	}
	if (segment.startsWith('~:')) {
		return 1;
	}
	if (!segment.startsWith(':')) {
		return 0;
	}
	return segment.endsWith('*') ? 3 : 2;
}

function fits(part: string, segment: string): boolean {
	return part.startsWith('~:') ? segment.startsWith('~') : part.startsWith(':') || part === segment;
}

function matchPattern(
	pattern: readonly string[],
	segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
	const params: Record<string, string> = {};
	for (const [at, part] of pattern.entries()) {
		if (part.startsWith(':') && part.endsWith('*')) {
			params[part.slice(1, -1)] = segments.slice(at).join('/');
			return segments.length > at ? params : undefined;
		}
		const segment = segments[at];
		const name = /^~?:(.+)$/.exec(part)?.[1];
		if (segment === undefined || !fits(part, segment)) {
			return undefined;
		}
		if (name !== undefined) {
			params[name] = segment;
		}
	}
	return pattern.length === segments.length ? params : undefined;
}

/** Per-request state of an area's server, replaced by a reset. */
export interface AreaServing {
	readonly router: Router;
	readonly context: Context;
	readonly tokens: Tokens;
}

/** Called for unexpected errors: a bug in the sample forge, or a deliberate crash. */
export type Crashed = (request: IncomingMessage, error: unknown) => void;

/** A request with its handler. */
export interface Asked {
	readonly area: ServiceName;
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
}

/** Handles a request completely. It took effect when `answer` resolves, which never rejects. */
export type Exchange = (asked: Asked, answer: () => Promise<Answer>) => Promise<void>;

/** The http server of one origin. No request, however malformed, ends the process. */
export function createAreaServer(
	area: ServiceName,
	serving: () => AreaServing | undefined,
	exchange: Exchange,
	crashed: Crashed,
): Server {
	const answerOf = async (now: AreaServing | undefined, request: IncomingMessage): Promise<Answer> => {
		if (now === undefined) {
			return { status: 503, headers: { 'Retry-After': '1' }, body: '' };
		}
		try {
			return await handle(area, now, request);
		} catch (error) {
			if (error instanceof Refusal) {
				return error.answer;
			}
			// Errors of requests that a reset interrupted are expected.
			if (request.complete && serving() === now) {
				crashed(request, error);
			}
			if (error instanceof ProcessEnds) {
				if (error.answer !== undefined) {
					return error.answer;
				}
				request.socket.resetAndDestroy();
			}
			return now.context.dialect.htmlRefusals
				? errorPage(500)
				: problems(500, [{ reason: '500 internal server error' }]);
		}
	};
	const server = createClosedServer((request, response) => {
		response.on('error', () => undefined);
		// A reset meanwhile leaves the request in the world that it came to.
		const now = serving();
		exchange({ area, request, response }, () => answerOf(now, request)).catch(() => response.destroy());
	});
	server.on('clientError', (_error, socket) => {
		if (socket.writable) {
			socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
		} else {
			socket.destroy();
		}
	});
	return server;
}

async function handle(area: ServiceName, serving: AreaServing, request: IncomingMessage): Promise<Answer> {
	const { context } = serving;
	const url = parseUrl(request.url ?? '/');
	const asked = request.method === 'HEAD' ? 'GET' : request.method;
	const method = isMethod(asked) ? asked : undefined;
	const match = serving.router.match(method ?? 'GET', url.path);
	if (match.route === undefined || method === undefined) {
		return noRoute(context, url.path, match.route === undefined ? match.allow : [match.route.method]);
	}
	const { route, params } = match;
	const isUnread = method === 'GET' || (route.kind === 'open' && route.streamed === true);
	const body = isUnread ? emptyBody : await readBody(request, context.dialect);
	const call: Call = { area, method, ...url, params, headers: request.headers, body, request };
	const isOpen = route.kind === 'open';
	check(isOpen || !holdsNul(body.fields), () => new Refusal(errorPage(500)));
	return isOpen ? await route.handle(call) : await route.handle(authorize(context, serving.tokens, call, route.scope));
}

function noRoute(context: Context, path: string, allow: readonly Method[]): Answer {
	const html = context.dialect.htmlRefusals || !path.startsWith('/api/');
	if (allow.length === 0) {
		return path.startsWith('/api/') ? invalid('404 not found', undefined, 404).answer : errorPage(404);
	}
	const headers = { Allow: [...allow, ...(allow.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ') };
	const answer = html ? errorPage(405) : problems(405, [{ reason: '405 method not allowed' }]);
	return { ...answer, headers: { ...answer.headers, ...headers } };
}

/** Manual split: an invalid URL still needs an answer, and paths must stay unnormalized. */
function parseUrl(target: string): { readonly path: string; readonly query: URLSearchParams } {
	const at = target.indexOf('?');
	const path = at < 0 ? target : target.slice(0, at);
	return { path, query: new URLSearchParams(at < 0 ? '' : target.slice(at + 1)) };
}

function isMethod(text: string | undefined): text is Method {
	return text === 'GET' || text === 'POST' || text === 'PUT' || text === 'DELETE';
}

/**
 * Checks the token of a call and its scope (docs/protocol.md#tokens-on-requests). Throws the refusal that the dialect
 * gives.
 */
function authorize(context: Context, tokens: Tokens, call: Call, scope: Scope | null): ApiCall {
	const token = readToken(call.headers.authorization);
	const grant = tokens.check(call.area, token);
	const user = grant === undefined ? undefined : context.users.byName(grant.userName);
	if (grant === undefined || user === undefined) {
		const status = call.area === 'meta' ? 401 : context.dialect.badTokenStatus;
		throw invalid('Invalid or expired OAuth token', undefined, status);
	}
	if (scope !== null && !permits(context.dialect, grant.scopes, scope)) {
		throw missingScope(context, scope);
	}
	if (scope !== null && user.barred !== null) {
		throw invalid(user.barred, undefined, 403);
	}
	user.seenIn.add(call.area);
	return { ...call, user, grant };
}

/** The 403 that names the missing scope. */
function missingScope(context: Context, scope: Scope): Refusal {
	const needed = spellScope(context.dialect, scope);
	return invalid(`Your OAuth token is not permitted to use this endpoint (needs ${needed})`, undefined, 403);
}

/** The token of an Authorization header: exactly two parts, one space, scheme `token` or `Bearer` in this very case. */
function readToken(header: string | undefined): string {
	const parts = (header ?? '').split(' ');
	const [scheme, token = ''] = parts;
	if ((scheme !== 'Bearer' && scheme !== 'token') || parts.length === 1) {
		throw invalid('No authorization supplied (expected an OAuth token)', undefined, 401);
	}
	check(parts.length <= 2, () => invalid('Invalid authorization supplied', undefined, 401));
	return token;
}
