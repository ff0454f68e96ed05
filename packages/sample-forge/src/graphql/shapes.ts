import { findUser } from '../identity/users.ts';
import type { ServiceName, Context, User, GraphqlAge } from '../shared/area.ts';
import { FieldError } from './engine.ts';
import { check } from '../shared/checks.ts';

/** Errors for missing things: words of 2026, then of 2023. */
const missing = {
	tracker: ['Tracker not found', 'No such tracker'],
	ticket: ['Ticket not found', 'No such ticket'],
	label: ['Label not found', 'No such label'],
	user: ['User not found', 'No such user'],
	subscription: ['Subscription not found', 'No such subscription'],
} as const;

/** Error for a missing or invisible argument of a mutation. */
export function notFound(age: GraphqlAge, what: keyof typeof missing): FieldError {
	const [now, before] = missing[what];
	return age === '2026' ? new FieldError(now, { code: 'ERR_NOT_FOUND' }) : new FieldError(before);
}

/** Error of newer services without a name and a path. */
export function nothingFound(age: GraphqlAge, before: string): FieldError {
	return age === '2026' ? new FieldError('Not found', { code: 'ERR_NOT_FOUND' }, false) : new FieldError(before);
}

/** Error for a visible thing without the needed permission. */
export function refuseAccess(age: GraphqlAge): FieldError {
	return age === '2026'
		? new FieldError('Access denied', { code: 'ERR_ACCESS_DENIED' }, false)
		: new FieldError('Access denied');
}

/** Error for invalid input. */
export function invalid(message: string, field?: string): FieldError {
	return new FieldError(message, field === undefined ? {} : { field });
}

/** RFC 3339 with the shortest fraction of a second, none for whole seconds (docs/protocol.md#graphql-values). */
export function time(timeMs: number): string {
	return new Date(timeMs).toISOString().replace(/\.?0*Z$/, 'Z');
}

const letters = '0123456789abcdefghjkmnpqrstvwxyz';

/** Unique id across the forge: a version 7 UUID in 26 characters of base 32. */
export function ridOf(kind: 'tracker' | 'list' | 'repository' | 'project', id: number, createdMs: number): string {
	const kinds = { tracker: 1n, list: 2n, repository: 3n, project: 4n };
	const version = 7n << 76n;
	const variant = 2n << 62n;
	let bits = (BigInt(createdMs) << 80n) | version | (kinds[kind] << 64n) | variant | BigInt(id);
	// 26 characters hold 130 bits; the last two are padding.
	bits <<= 2n;
	return Array.from({ length: 26 }, (_, at) => letters[Number((bits >> BigInt(5 * (25 - at))) & 31n)]).join('');
}

/** Throws for a text that has not the form of such an id. */
export function readRid(text: string): string {
	check(/^[0-9a-hjkmnp-tv-z]{26}$/.test(text), () => new FieldError('Invalid RID'));
	return text;
}

/** The row with this id. */
export function findByRid<T extends { readonly id: number; readonly createdMs: number }>(
	kind: Parameters<typeof ridOf>[0],
	rows: readonly T[],
	text: string,
): T | undefined {
	const rid = readRid(text);
	return rows.find(({ id, createdMs }) => ridOf(kind, id, createdMs) === rid);
}

export const visibilities = { PUBLIC: 'public', UNLISTED: 'unlisted', PRIVATE: 'private' } as const;

export type VisibilityWord = keyof typeof visibilities;

/** Null for nothing. */
export function orNull<T, Shown>(thing: T | null | undefined, show: (thing: T) => Shown): Shown | null {
	return thing === null || thing === undefined ? null : show(thing);
}

/** The row of this name; null if there is none. */
export function showNamed<T extends { readonly name: string }, Shown>(
	rows: readonly T[],
	name: string,
	show: (row: T) => Shown,
): Shown | null {
	return orNull(
		rows.find((row) => row.name === name),
		show,
	);
}

/** JSON as Go writes it: plain Unicode, but `\uXXXX` for characters with a meaning in HTML. */
export function goJson(value: unknown): string {
	return JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, (letter) => {
		return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
	});
}

/** First account's creation; each later account follows one day after. */
const firstAccountMs = Date.UTC(2019, 2, 1, 8, 0, 0);
const dayMs = 24 * 60 * 60 * 1000;

/** Fields of `User` in all services. */
export function showUser(user: User): object {
	const madeMs = firstAccountMs + user.id * dayMs;
	return {
		__typename: 'User',
		id: user.id,
		created: time(madeMs),
		updated: time(madeMs),
		canonicalName: `~${user.name}`,
		username: user.name,
		email: user.email,
		url: user.url,
		location: user.location,
		bio: user.bio,
	};
}

/** Finds a user of this service by name without `~` (docs/protocol.md#known-by-use). */
export function findByName(context: Context, area: ServiceName, username: string): User | undefined {
	return findUser(context, area, `~${username}`);
}

/** Finds a user of this service by the service's number. */
export function findById({ users }: Context, area: ServiceName, id: number): User | undefined {
	return users.all.find((user) => user.id === id && user.seenIn.has(area));
}

/** Version in all services; the numbers are arbitrary. */
export const version = {
	major: 0,
	minor: 0,
	patch: 0,
	buildVersion: '0.0.0-sample',
	buildDate: '2026-05-17T00:00:00+00:00',
	deprecationDate: null,
};
