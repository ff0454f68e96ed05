import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { need } from './checks.ts';
import type { State } from './state.ts';

export type DialectName = 'field' | 'document' | 'graphql';

/** Year of the observed services. */
export type GraphqlAge = '2023' | '2026';

/** Where running forges differ from their document, in defects and otherwise (docs/dialects.md). */
function differences(on: boolean) {
	return {
		/** Lists in pages of 50 inside an envelope (docs/protocol.md#pages); otherwise bare arrays of everything. */
		envelopes: on,
		/**
		 * `next` of tickets contains the row id, although the server compares `start` with the number
		 * (docs/protocol.md#ticket-pages).
		 */
		ticketPagingBroken: on,
		/**
		 * 401, 403, 405 and 500 are HTML pages (docs/protocol.md#error-bodies); otherwise JSON, and "not allowed" is always
		 * 403.
		 */
		htmlRefusals: on,
		/** A missing or invisible ticket, a number that is no number and other oversights end in 500; otherwise 404 or 400. */
		crashes: on,
		/** A token with any scope may read everything (docs/protocol.md#read-scopes). */
		readScopesUnchecked: on,
		/**
		 * An area keeps accepting a token it has seen after a newer grant replaced it (docs/protocol.md#life-of-a-token).
		 */
		areasRememberReplacedTokens: on,
		/** Accepts JSON only with exactly `application/json`; otherwise parameters such as a charset are fine. */
		exactContentType: on,
		/** An area learns about a user on the user's first visit. */
		usersAppearOnFirstUse: on,
		/** Trackers and lists show their `id`. */
		containerIds: on,
		/** The ticket short form has a `title`. */
		ticketTitleInShortForm: on,
		/** Ticket people are participants with a `type`; otherwise short-form users. */
		participants: on,
		/** `label` of an event is a string; otherwise an array of strings. */
		eventLabelString: on,
		/** Events contain null for `reported` and `unresolved`. */
		nullStatuses: on,
		/**
		 * The API only resolves and reopens (docs/protocol.md#ticket-updates); otherwise it sets any status and resolution.
		 */
		statusMovesLimited: on,
		/** A refused request still applies its label changes. */
		refusedLabelsStick: on,
		/** Listings omit `user_mentioned` events; otherwise the mentioning ticket lists them. */
		userMentionsHidden: on,
		/** `_` and `%` in a tracker name of a path match anything. */
		trackerWildcards: on,
		/** `ticket:create` reaches the user's own hooks only for tickets made on the web pages. */
		userTicketHookWebOnly: on,
		/** `event:create` leaves out creation, assignment and mention; `ticket:update` is never sent. */
		fewTicketHooks: on,
		/**
		 * Webhook events as servers take, send and name them (docs/protocol.md#events-sent); otherwise the 21 of the
		 * contract.
		 */
		observedEvents: on,
		/** The older exchange flow with a client secret; otherwise the code grant with PKCE. */
		exchangeFlow: on,
		/** Patchsets lack list, cover_letter and superseded_by and have submitter, reply_to and message_id instead. */
		shortPatchsets: on,
		/** `/thread` returns long emails in no fixed order; otherwise short ones in order. */
		longThreads: on,
		/** `/posts` lists only the first mails of threads. */
		postsAreThreadStarters: on,
		/** Emails (long and short) carry `patchset`. */
		emailsNamePatchset: on,
		/** `/posts` and the emails of a user are short forms; otherwise whole email resources, as documented. */
		shortPosts: on,
		/** `envelope` begins with the separator line of a mailbox file; otherwise it is the mail and nothing else. */
		mboxLineInEnvelope: on,
		/** Stores 8-bit bodies as base64 or quoted-printable (docs/protocol.md#envelopes); otherwise unchanged. */
		rewrittenBodies: on,
		/** `thread_id` of a first mail and `prefix` of a bare `[PATCH]` are null; otherwise the mail's own id and "". */
		undocumentedNulls: on,
		/** Updating a patchset without a status is an error; otherwise it changes nothing. */
		patchsetStatusRequired: on,
		/** Updating a patchset asks for patches:write; otherwise for patches:read, as documented. */
		patchsetWriteScope: on,
		/** Permission arrays of lists have the combined word `normal`. */
		combinedPermissionWord: on,
		/** Repositories have `owner` and `updated`; otherwise `subject`, as documented. */
		observedRepository: on,
		/** References carry `artifacts`. */
		referencesHaveArtifacts: on,
		/** A log page that has a successor holds 51 commits, and total is -1. */
		logRepeatsLast: on,
		/** Tree entries of submodules have type `commit`; otherwise `blob`, as documented. */
		submoduleTypeCommit: on,
		/** The misspelled route `/api/~user/repos/:name/blob/:id` doesn't exist. */
		explicitBlobMissing: on,
		/** The bare lines of `lookup` and `refdb` have the type of a web page (docs/protocol.md#bare-lines). */
		plumbingIsHtml: on,
		/** `lookup` finds nothing with a slash in it. */
		lookupOfOneSegment: on,
	};
}

/**
 * Behaviour of a dialect. Every difference is a value here (docs/dialects.md lists them), so no area tests the
 * dialect's name.
 */
export interface Dialect extends Readonly<ReturnType<typeof differences>> {
	readonly name: DialectName;
	/** True if the routes below `/api` exist. */
	readonly rest: boolean;
	/** Age of the GraphQL services (docs/protocol.md#graphql); null if there are none. */
	readonly graphql: GraphqlAge | null;
	/** Days that a token lives (docs/protocol.md#life-of-a-token, docs/protocol.md#grant-tokens). */
	readonly tokenLifeDays: 365 | 366;
	/** A token stays valid when its client gets another for the same person. */
	readonly olderTokensStay: boolean;
	/** `#12` in a text names a ticket of this tracker, or of the writer's tracker of that name (docs/protocol.md#graphql-events). */
	readonly bareNumbersOf: 'tracker' | 'writer';
	/** Status for an unknown, expired or revoked token outside the identity service. */
	readonly badTokenStatus: 400 | 401;
	/** Webhook bodies are cut at this many characters; 0 means never. */
	readonly webhookBodyLimit: number;
	/** Content type of a binary blob. */
	readonly binaryContentType: 'application/x-octet-stream' | 'application/octet-stream';
}

/** Follows the contract literally; where it is silent, follows observed servers without their defects. */
export const documentDialect: Dialect = {
	...differences(false),
	name: 'document',
	rest: true,
	graphql: null,
	tokenLifeDays: 365,
	olderTokensStay: false,
	bareNumbersOf: 'tracker',
	badTokenStatus: 401,
	webhookBodyLimit: 0,
	binaryContentType: 'application/octet-stream',
};

/** As running forges really answer, defects included. */
export const fieldDialect: Dialect = {
	...documentDialect,
	...differences(true),
	name: 'field',
	badTokenStatus: 400,
	webhookBodyLimit: 65_536,
	binaryContentType: 'application/x-octet-stream',
};

/** GraphQL only, like newer services. REST settings still affect the shared web pages. */
export function graphqlDialect(age: GraphqlAge): Dialect {
	return {
		...documentDialect,
		name: 'graphql',
		rest: false,
		graphql: age,
		tokenLifeDays: 366,
		olderTokensStay: true,
		bareNumbersOf: 'writer',
		htmlRefusals: true,
		usersAppearOnFirstUse: true,
	};
}

/** The four origins of every forge. */
export type AreaName = 'meta' | 'todo' | 'git' | 'lists';

/** The areas plus the projects service, which only speaks GraphQL (docs/protocol.md#projects). */
export type ServiceName = AreaName | 'hub';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * A scope in the spelling of the contract (docs/protocol.md#scopes), such as `tickets:write`. The token check
 * translates it.
 */
export type Scope = `${string}:${'read' | 'write'}`;

export type Route = ApiRoute | OpenRoute;

/**
 * A route that needs a token. In the pattern `path`, `:name` matches one segment (decoded), `~:name` one that begins
 * with `~` (included in the value), and a final `:rest*` all remaining segments (each decoded). Requests may have a
 * trailing slash. `scope` null accepts any token.
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

/** A call with a valid token that has the route's scope. */
export interface ApiCall extends Call {
	readonly user: User;
	readonly grant: Grant;
}

/** Parsed fields, and problems of the body as a whole ("Invalid JSON provided"). */
export interface Body {
	readonly fields: Readonly<Record<string, unknown>>;
	readonly problems: readonly string[];
	/** Bytes as they came; empty for a streamed route. */
	readonly bytes: Uint8Array;
}

export interface Answer {
	readonly status: number;
	/** Header names in their final case. The server adds Content-Length unless the body is a stream. */
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
	 * Answer to every call with a scope, for an unconfirmed or suspended account (docs/protocol.md#barred-accounts).
	 */
	barred: string | null;
	/** Areas that the user has visited; in others the user resource is 404 (field only). */
	readonly seenIn: Set<ServiceName>;
}

/** A token with its permissions. */
export interface Grant {
	readonly id: number;
	/** 32 lower-case hex digits, or for GraphQL the encoded and signed grant (docs/protocol.md#grant-tokens). */
	readonly token: string;
	readonly userName: string;
	/** Null: a personal token. */
	readonly clientId: string | null;
	/** `'*'` for all scopes. GraphQL spells `todo.sr.ht/TICKETS:write` with `:RW`. */
	readonly scopes: '*' | readonly Scope[];
	readonly issuedMs: number;
	readonly expiresMs: number;
	/** The owner's note on a personal token. */
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
	readonly state: State;
	/** A directory of this process, removed at its end. */
	readonly tempDir: string;
	/** The directory of repositories that outlive the process. */
	readonly repositoriesDir: string | undefined;
	/** Current time, but never before the end of the world's history. */
	nowMs(): number;
}

/** Webhook path families. webhooks/webhookStore.ts lists their events. */
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
	 * Standard webhook routes under a family's path prefix (explicit user, as `/api/user/:username/lists/:list`).
	 * `target` resolves the path and throws a Refusal if the caller may not see it. It returns a key that survives
	 * renames (`list:7`; for the user family `user:alice`).
	 */
	routes(family: WebhookFamily, prefix: string, target: (call: ApiCall) => string): readonly Route[];
	/** Queues a delivery for every matching subscription. Never throws. */
	emit(event: WebhookEvent): void;
	/**
	 * Delivers to `sync` subscriptions at once and resolves to their answers in order; queues the others like `emit`.
	 */
	emitSync(event: WebhookEvent): Promise<readonly string[]>;
	/**
	 * Signs and posts a body, with retries after a failed delivery (docs/protocol.md#graphql-webhooks). `idle` waits
	 * for it and for `making`. Resolves to the last answer; a status below 0 means none.
	 */
	post(making: Promise<WebhookPost>): Promise<WebhookReply>;
	/** Deletes the subscriptions of a removed target. Call it after the target's last event. */
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
	/** Name in the contract. The sender applies the field dialect's renames and omissions. */
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

/** One endpoint with explicit and implied user (`ownerOf` returns the owner). `explicit`: where the user is named. */
export function bothForms(
	method: Method,
	path: string,
	scope: Scope | null,
	handle: ApiRoute['handle'],
	explicit: '/user/:username' | '/~:username' = '/user/:username',
): readonly ApiRoute[] {
	return [explicit, ''].map((user) => api(method, `/api${user}${path}`, scope, handle));
}

export interface Owned {
	readonly owner: User;
	readonly name: string;
}

/** The thing of an owner by its name, in this very case. */
export function findOwned<T extends Owned>(all: readonly T[], owner: User | undefined, name: string): T | undefined {
	return all.find((each) => each.owner === owner && each.name === name);
}

/** True if a thing of the owner has this name, in any case. */
export function isTaken(all: readonly Owned[], owner: User, name: string): boolean {
	return all.some((each) => each.owner === owner && each.name.toLowerCase() === name.toLowerCase());
}

/** Names a user for webhooks. */
export const userTarget = (user: User): string => `user:${user.name}`;

/** A part of the path. The pattern must have it. */
export function param(call: Call, name: string): string {
	return need(call.params[name], () => new Error(`The pattern of ${call.path} has no :${name}`));
}
