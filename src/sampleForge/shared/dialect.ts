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
		htmlRefusals: true,
		usersAppearOnFirstUse: true,
	};
}
