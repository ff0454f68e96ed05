import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Dialect } from './dialect.ts';
import type { SmtpParts } from '../mail/smtpSession.ts';

/**
 * How an area (tickets, repositories, lists, identity) is plugged into the sample forge.
 *
 * An area is a function `(context) => Area`: it keeps its part of the world in memory and hands back its routes. Its
 * part of the sample world is told to it from outside (the folders in worlds/). The server around it matches paths,
 * checks tokens and scopes, reads bodies and turns a thrown `Refusal` (answers.ts)
 * or an unexpected error into an answer. Everything that differs between the dialects is asked from `context.dialect`
 * or from a helper that does so.
 *
 * To add one: write `createXArea(context): Area` and what tells its world, and name both in areas.ts. A reset of the
 * forge disposes the area and creates it anew, so no module may keep state.
 *
 * Ready to use: `userRoutes` and `ownerOf` (identity/users.ts: whose things a path names, `~name` and in the lists area
 * an e-mail address); `list` (answers.ts: the envelope with paging, or the bare array), `json`, `noContent`, `webPage`,
 * `plainText`, `stamp`; the refusals `notFound`, `notAllowed` (401 page in the field), `forbidden` (403 page in the
 * field), `invalid` and `crash` (500 page in the field, something sound by the document); `validate` (body.ts);
 * `createRandom` (worlds/random.ts) and the span of the world's story (worlds/worldTime.ts). The ticket area
 * (tickets/ticketArea.ts) shows all of it at work, webhooks included.
 */
export interface Area {
	readonly routes: readonly Route[];
	/** What the door for `git send-email` asks of this area. The door itself outlives a reset. */
	readonly smtp?: SmtpParts;
	/** Closes sockets, child processes and temporary files. */
	dispose?(): void | Promise<void>;
}

/** The four origins of every forge. */
export type AreaName = 'meta' | 'todo' | 'git' | 'lists';

/** The same and the service of projects, which speaks GraphQL alone (docs/protocol.md#projects). */
export type ServiceName = AreaName | 'hub';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * A scope in the spelling of the contract (docs/protocol.md#scopes), such as `tickets:write`. The token check
 * translates it.
 */
export type Scope = `${string}:${'read' | 'write'}`;

export type Route = ApiRoute | OpenRoute;

/**
 * A route that needs a token. `path` is a pattern: `:name` takes one segment (decoded), `~:name` one
 * that begins with `~` (kept in the value), `:rest*` as the last segment
 * takes all that is left, slashes included (each segment decoded). A trailing slash of the request is ignored.
 * `scope` null: any token.
 */
export interface ApiRoute {
	readonly kind: 'api';
	readonly method: Method;
	readonly path: string;
	readonly scope: Scope | null;
	handle(call: ApiCall): Answer | Promise<Answer>;
}

/** A route without a token: web pages, the identity service's pages, git over http. */
export interface OpenRoute {
	readonly kind: 'open';
	readonly method: Method;
	readonly path: string;
	/** Leave the request body unread, so that the handler can stream it from `call.request`. */
	readonly streamed?: boolean;
	handle(call: Call): Answer | Promise<Answer>;
}

export interface Call {
	readonly area: ServiceName;
	/** `HEAD` arrives as `GET`; the server leaves the body out. */
	readonly method: Method;
	/** Path as sent, without query, still encoded. */
	readonly path: string;
	/** Pattern parts, percent-decoded. Read them with `param`. */
	readonly params: Readonly<Record<string, string>>;
	readonly query: URLSearchParams;
	readonly headers: IncomingHttpHeaders;
	/** The body by the server's rules (docs/protocol.md#request-bodies). Read it with `validate` (body.ts). */
	readonly body: Body;
	readonly request: IncomingMessage;
}

/** A call whose token was accepted and holds the route's scope. */
export interface ApiCall extends Call {
	readonly user: User;
	readonly grant: Grant;
}

/** What was sent: the fields, and what is wrong with the body as a whole ("Invalid JSON provided"). */
export interface Body {
	readonly fields: Readonly<Record<string, unknown>>;
	readonly problems: readonly string[];
	/** Bytes as they came; empty for a streamed route. */
	readonly bytes: Uint8Array;
}

export interface Answer {
	readonly status: number;
	/** Names in the case in which they are to be sent. Content-Length is added for a body that is not a stream. */
	readonly headers: Readonly<Record<string, string | readonly string[]>>;
	readonly body: string | Uint8Array | Readable;
}

/** Someone with an account. Same in all areas. */
export interface User {
	readonly id: number;
	/** Without `~`. */
	readonly name: string;
	/** Name as people write it in mails and commits. */
	readonly fullName: string;
	email: string;
	url: string | null;
	location: string | null;
	bio: string | null;
	/**
	 * What is said to everything with a scope, because the account is not confirmed or suspended
	 * (docs/protocol.md#barred-accounts).
	 */
	barred: string | null;
	/** The area pages on which this user has been seen; elsewhere the user resource is 404 (field only). */
	readonly seenIn: Set<ServiceName>;
}

/** What one token stands for. */
export interface Grant {
	readonly id: number;
	/** 32 lower-case hex digits; in GraphQL what it stands for, signed (docs/protocol.md#grant-tokens). */
	readonly token: string;
	readonly userName: string;
	/** Null: a personal token. */
	readonly clientId: string | null;
	/** `'*'`: everything. Of GraphQL `todo.sr.ht/TICKETS:write`, which is spelled `:RW`. */
	readonly scopes: '*' | readonly Scope[];
	readonly issuedMs: number;
	readonly expiresMs: number;
	/** What its owner noted of a personal token. */
	readonly comment: string;
}

export interface Users {
	readonly all: readonly User[];
	byName(name: string): User | undefined;
	byEmail(email: string): User | undefined;
}

/** Everything that the areas share. */
export interface Context {
	readonly dialect: Dialect;
	readonly users: Users;
	readonly webhooks: Webhooks;
	/** Origins without trailing slash, such as `http://127.0.0.1:4711`. */
	readonly origins: Readonly<Record<AreaName, string>>;
	/** Domain of list addresses and of the sample users' mail. */
	readonly mailDomain: string;
	/** A directory that outlives the process, for worlds that are dear to build; keyed by content hash. */
	readonly cacheDir: string;
	/** A directory of this process, removed at its end. */
	readonly tempDir: string;
	/** Time for whatever is made now. Never before the end of the sample world's own history. */
	nowMs(): number;
}

/** The path families of webhooks. Their events stand in webhooks/webhookFamilies.ts. */
export type WebhookFamily =
	| 'todoUser'
	| 'todoTracker'
	| 'todoTicket'
	| 'gitUser'
	| 'gitRepository'
	| 'listsUser'
	| 'listsList';

export interface Webhooks {
	/**
	 * The standard webhook routes under one family's path prefix (explicit user, as `/api/user/:username/lists/:list`).
	 * `target` finds what the path names, throws the Refusal when the caller may not see it, and answers a key that
	 * stays the same when the thing is renamed (`list:7`; for the user family `user:alice`).
	 */
	routes(family: WebhookFamily, prefix: string, target: (call: ApiCall) => string): readonly Route[];
	/** Queues a delivery for every subscription of this family and target that asked for the event. Never throws. */
	emit(event: WebhookEvent): void;
	/**
	 * Delivers at once to subscriptions made with `sync` and resolves to what they answered, in order; those without
	 * `sync` are queued as by `emit`.
	 */
	emitSync(event: WebhookEvent): Promise<readonly string[]>;
	/**
	 * Signs and sends one body, and again where nobody took it (docs/protocol.md#graphql-webhooks); `idle` waits for it and
	 * for its making. Resolves to what came back at last, a status below 0 for nothing.
	 */
	post(making: Promise<WebhookPost>): Promise<WebhookReply>;
	/** Forgets the subscriptions of a target that no longer exists (after its last event was emitted). */
	drop(family: WebhookFamily, target: string): void;
}

/** A delivery as it goes out. */
export interface WebhookPost {
	readonly url: string;
	/** Named in the headers, as is the id. */
	readonly event: string;
	readonly id: string;
	readonly body: string;
}

export interface WebhookReply {
	readonly status: number;
	readonly headers: string;
	readonly body: string;
}

export interface WebhookEvent {
	readonly family: WebhookFamily;
	readonly target: string;
	/** Name as in the contract. What the field dialect sends under another name, or never, is known here. */
	readonly event: string;
	/** The resource, as the API would show it. */
	readonly payload: unknown;
}

/** One route with a token. */
export function api(method: Method, path: string, scope: Scope | null, handle: ApiRoute['handle']): ApiRoute {
	return { kind: 'api', method, path, scope, handle };
}

/** One route without a token. */
export function open(method: Method, path: string, handle: OpenRoute['handle']): OpenRoute {
	return { kind: 'open', method, path, handle };
}

/** The same endpoint in its explicit-user and implied-user form (`ownerOf` tells whose it is). */
export function bothForms(
	method: Method,
	paths: readonly [explicit: string, implied: string],
	scope: Scope | null,
	handle: ApiRoute['handle'],
): readonly ApiRoute[] {
	return paths.map((path) => api(method, path, scope, handle));
}

/** A part of the path. The pattern must have it. */
export function param(call: Call, name: string): string {
	const value = call.params[name];
	if (value === undefined) {
		throw new Error(`The pattern of ${call.path} has no :${name}`);
	}
	return value;
}
