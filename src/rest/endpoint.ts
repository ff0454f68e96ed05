import type { ContentArea } from '../forge/instance.ts';
import type { Scope } from '../forge/scope.ts';
import type { OwnerName } from '../forge/user.ts';
import type { HttpMethod } from '../http/httpClient.ts';
import type { AnswerReader } from './answers.ts';

/** Why a row has no implied-user form. */
export interface NoImpliedForm {
	readonly none: string;
}

/**
 * One row of the API (docs/protocol.md#endpoints): `METHOD /path`, its implied-user variant, the scope that the
 * contract states (null: none stated) and how the answer is read. In paths, `:name` is one segment and `:name*` keeps
 * its slashes.
 */
export interface Endpoint<Route extends string, Answer> {
	readonly area: ContentArea;
	readonly route: `${HttpMethod} ${Route}`;
	readonly implied: string | NoImpliedForm;
	readonly scope: Scope | null;
	readonly reader: AnswerReader<Answer>;
	/** Where servers ask for another scope than the contract states. */
	readonly asksFor?: { readonly scope: Scope; readonly because: string };
	/** Where the implied form exists but is not used. */
	readonly explicitOnly?: { readonly because: string };
}

/** Names of a route's parameters. */
export type ParamName<Route extends string> = Route extends `${infer Segment}/${infer Rest}`
	? NameIn<Segment> | ParamName<Rest>
	: NameIn<Route>;

type NameIn<Segment extends string> = Segment extends `:${infer Name}*`
	? Name
	: Segment extends `:${infer Name}`
		? Name
		: never;

/** A route's parameters; whose thing it is comes apart from them. */
export type Params<Route extends string> = {
	readonly [Name in Exclude<ParamName<Route>, 'username'>]: string | number;
};

/** What a call adds to its endpoint. */
export interface Call<Route extends string> {
	readonly params: Params<Route>;
	/** Whose thing; oneself when left out. */
	readonly owner?: OwnerName | undefined;
	readonly query?: Readonly<Record<string, string>>;
	/** Sent as JSON. */
	readonly body?: object;
	readonly signal: AbortSignal;
}

/** Makes the rows of one area. */
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

/** For rows whose path names no user. */
export const actsForNobody: NoImpliedForm = { none: 'the path names no user' };

/** For rows whose only path already implies the user. */
export const isImplied: NoImpliedForm = { none: 'the only path acts for the user of the token' };
