import type { ContentArea } from '../port/instance.ts';
import type { Scope } from '../port/scope.ts';
import type { OwnerName } from '../port/user.ts';
import type { HttpMethod } from '../../machine/http/httpClient.ts';
import type { AnswerReader } from './answers.ts';

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
