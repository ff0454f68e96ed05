import { unescape } from 'node:querystring';
import type { Method, Route } from '../shared/area.ts';

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
