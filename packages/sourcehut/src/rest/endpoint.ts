import type { ContentArea } from '../port/instance.ts';
import type { Scope } from '../port/scope.ts';
import type { OwnerName } from '../port/user.ts';
import type { HttpMethod } from '../http/httpClient.ts';
import type { AnswerReader } from './answers.ts';
import { unfit } from '../port/forgeError.ts';
import type { TicketRef } from '../port/ticket.ts';
import type { TrackerRef } from '../port/tracker.ts';

/** Reason for a missing implied-user form. */
export interface NoImpliedForm {
	readonly none: string;
}

/**
 * One row of the API (docs/protocol.md#endpoints): `METHOD /path`, its implied-user variant, the contract's scope
 * (null: none stated) and the response reader. In paths, `:name` is one segment and `:name*` keeps its slashes.
 */
export interface Endpoint<Route extends string, Answer> {
	readonly area: ContentArea;
	readonly route: `${HttpMethod} ${Route}`;
	readonly implied: string | NoImpliedForm;
	readonly scope: Scope | null;
	readonly reader: AnswerReader<Answer>;
	/** Set if servers require another scope than the contract. */
	readonly asksFor?: { readonly scope: Scope; readonly because: string };
	/** Set if the client avoids the implied form. */
	readonly explicitOnly?: { readonly because: string };
}

export type ParamName<Route extends string> = Route extends `${infer Segment}/${infer Rest}`
	? NameIn<Segment> | ParamName<Rest>
	: NameIn<Route>;

type NameIn<Segment extends string> = Segment extends `:${infer Name}*`
	? Name
	: Segment extends `:${infer Name}`
		? Name
		: never;

/** Parameters of a route, except the owner. */
export type Params<Route extends string> = {
	readonly [Name in Exclude<ParamName<Route>, 'username'>]: string | number;
};

/** Parameters of a call. */
export interface Call<Route extends string> {
	readonly params: Params<Route>;
	/** Owner of the resource; by default the account. */
	readonly owner?: OwnerName | undefined;
	readonly query?: Readonly<Record<string, string>>;
	/** Sent as JSON. */
	readonly body?: object;
	readonly signal: AbortSignal;
}

/** Builds the rows of one area. */
export function rowsOf(area: ContentArea) {
	return function row<const Route extends string, Answer>(
		route: `${HttpMethod} ${Route}`,
		implied: string | NoImpliedForm,
		scope: Scope | null,
		reader: AnswerReader<Answer>,
	): Endpoint<Route, Answer> {
		return { area, route, implied, scope, reader };
	};
}

/** For paths without a user. */
export const actsForNobody: NoImpliedForm = { none: 'the path names no user' };

/** For rows with only the implied-user path. */
export const isImplied: NoImpliedForm = { none: 'the only path acts for the user of the token' };

/** Fills an endpoint's path: the implied form for own resources if there is one, otherwise the explicit form. */
export function pathOf<Route extends string>(
	endpoint: Endpoint<Route, unknown>,
	{ params, owner }: Pick<Call<Route>, 'params' | 'owner'>,
	me: OwnerName,
): string {
	const isOwn = owner === undefined || owner === me;
	const implied = isOwn && endpoint.explicitOnly === undefined ? endpoint.implied : undefined;
	const template = typeof implied === 'string' ? implied : endpoint.route.replace(/^\S+ /, '');
	const values: Readonly<Record<string, string | number>> = { ...params, username: owner ?? me };
	return template
		.split('/')
		.map((segment) => {
			if (!segment.startsWith(':')) {
				return segment;
			}
			const keepsSlashes = segment.endsWith('*');
			const name = segment.slice(1, keepsSlashes ? -1 : undefined);
			const value = String(values[name] ?? '');
			const parts = keepsSlashes ? value.split('/') : [value];
			return parts.map((part) => encoded(name, part)).join('/');
		})
		.join('/');
}

/** An encoded query with its question mark. */
export function queryOf(query: Readonly<Record<string, string>> | undefined): string {
	if (query === undefined) {
		return '';
	}
	// The HTTP client would encode an apostrophe again.
	const pairs = Object.entries(query).map(
		([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed()).replaceAll("'", '%27')}`,
	);
	return `?${pairs.join('&')}`;
}

function encoded(name: string, value: string): string {
	if (value === '') {
		throw unfit(name, 'nameEmpty');
	}
	if (value === '.' || value === '..') {
		throw unfit(name, 'nameIsDots');
	}
	if (!value.isWellFormed()) {
		throw unfit(name, 'halfCharacter');
	}
	return encodeURIComponent(value);
}

export function inTracker({ owner, name }: TrackerRef) {
	return { params: { 'tracker-name': name }, owner };
}

export function inTicket({ tracker, id }: TicketRef) {
	return { params: { 'tracker-name': tracker.name, 'ticket-id': id }, owner: tracker.owner };
}
