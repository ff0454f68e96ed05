/**
 * Behaviour of a dialect. Every difference is a value here (docs/dialects.md lists them), so no area tests the
 * dialect's name.
 */
export interface Dialect {
	readonly name: DialectName;
	/** True if the routes below `/api` exist. */
	readonly rest: boolean;
	/** Age of the GraphQL services (docs/protocol.md#graphql); null if there are none. */
	readonly graphql: GraphqlAge | null;
	/** Days that a token lives (docs/protocol.md#life-of-a-token, docs/protocol.md#grant-tokens). */
	readonly tokenLifeDays: 365 | 366;
	/** A token stays valid when its client gets another for the same person. */
	readonly olderTokensStay: boolean;
	/** Lists in pages of 50 inside an envelope (docs/protocol.md#pages); otherwise bare arrays of everything. */
	readonly envelopes: boolean;
	/**
	 * `next` of tickets contains the row id, although the server compares `start` with the number
	 * (docs/protocol.md#ticket-pages).
	 */
	readonly ticketPagingBroken: boolean;
	/**
	 * 401, 403, 405 and 500 are HTML pages (docs/protocol.md#error-bodies); otherwise JSON, and "not allowed" is always
	 * 403.
	 */
	readonly htmlRefusals: boolean;
	/** A missing or invisible ticket, a number that is no number and other oversights end in 500; otherwise 404 or 400. */
	readonly crashes: boolean;
	/** Status for an unknown, expired or revoked token outside the identity service. */
	readonly badTokenStatus: 400 | 401;
	/** A token with any scope may read everything (docs/protocol.md#read-scopes). */
	readonly readScopesUnchecked: boolean;
	/**
	 * An area keeps accepting a token it has seen after a newer grant replaced it (docs/protocol.md#life-of-a-token).
	 */
	readonly areasRememberReplacedTokens: boolean;
	/** Accepts JSON only with exactly `application/json`; otherwise parameters such as a charset are fine. */
	readonly exactContentType: boolean;
	/** An area learns about a user on the user's first visit. */
	readonly usersAppearOnFirstUse: boolean;
	/** Trackers and lists show their `id`. */
	readonly containerIds: boolean;
	/** The ticket short form has a `title`. */
	readonly ticketTitleInShortForm: boolean;
	/** Ticket people are participants with a `type`; otherwise short-form users. */
	readonly participants: boolean;
	/** `label` of an event is a string; otherwise an array of strings. */
	readonly eventLabelString: boolean;
	/** Events contain null for `reported` and `unresolved`. */
	readonly nullStatuses: boolean;
	/**
	 * The API only resolves and reopens (docs/protocol.md#ticket-updates); otherwise it sets any status and resolution.
	 */
	readonly statusMovesLimited: boolean;
	/** A refused request still applies its label changes. */
	readonly refusedLabelsStick: boolean;
	/** Listings omit `user_mentioned` events; otherwise the mentioning ticket lists them. */
	readonly userMentionsHidden: boolean;
	/** `_` and `%` in a tracker name of a path match anything. */
	readonly trackerWildcards: boolean;
	/** `ticket:create` reaches the user's own hooks only for tickets made on the web pages. */
	readonly userTicketHookWebOnly: boolean;
	/** `event:create` leaves out creation, assignment and mention; `ticket:update` is never sent. */
	readonly fewTicketHooks: boolean;
	/**
	 * Webhook events as servers take, send and name them (docs/protocol.md#events-sent); otherwise the 21 of the
	 * contract.
	 */
	readonly observedEvents: boolean;
	/** Webhook bodies are cut at this many characters; 0 means never. */
	readonly webhookBodyLimit: number;
	/** The older exchange flow with a client secret; otherwise the code grant with PKCE. */
	readonly exchangeFlow: boolean;
	/** Patchsets lack list, cover_letter and superseded_by and have submitter, reply_to and message_id instead. */
	readonly shortPatchsets: boolean;
	/** `/thread` returns long emails in no fixed order; otherwise short ones in order. */
	readonly longThreads: boolean;
	/** `/posts` lists only the first mails of threads. */
	readonly postsAreThreadStarters: boolean;
	/** Emails (long and short) carry `patchset`. */
	readonly emailsNamePatchset: boolean;
	/** `/posts` and the emails of a user are short forms; otherwise whole email resources, as documented. */
	readonly shortPosts: boolean;
	/** `envelope` begins with the separator line of a mailbox file; otherwise it is the mail and nothing else. */
	readonly mboxLineInEnvelope: boolean;
	/** Stores 8-bit bodies as base64 or quoted-printable (docs/protocol.md#envelopes); otherwise unchanged. */
	readonly rewrittenBodies: boolean;
	/** `thread_id` of a first mail and `prefix` of a bare `[PATCH]` are null; otherwise the mail's own id and "". */
	readonly undocumentedNulls: boolean;
	/** Updating a patchset without a status is an error; otherwise it changes nothing. */
	readonly patchsetStatusRequired: boolean;
	/** Updating a patchset asks for patches:write; otherwise for patches:read, as documented. */
	readonly patchsetWriteScope: boolean;
	/** Permission arrays of lists have the combined word `normal`. */
	readonly combinedPermissionWord: boolean;
	/** Repositories have `owner` and `updated`; otherwise `subject`, as documented. */
	readonly observedRepository: boolean;
	/** References carry `artifacts`. */
	readonly referencesHaveArtifacts: boolean;
	/** A log page that has a successor holds 51 commits, and total is -1. */
	readonly logRepeatsLast: boolean;
	/** Tree entries of submodules have type `commit`; otherwise `blob`, as documented. */
	readonly submoduleTypeCommit: boolean;
	/** Content type of a binary blob. */
	readonly binaryContentType: 'application/x-octet-stream' | 'application/octet-stream';
	/** The misspelled route `/api/~user/repos/:name/blob/:id` doesn't exist. */
	readonly explicitBlobMissing: boolean;
	/** The bare lines of `lookup` and `refdb` have the type of a web page (docs/protocol.md#bare-lines). */
	readonly plumbingIsHtml: boolean;
	/** `lookup` finds nothing with a slash in it. */
	readonly lookupOfOneSegment: boolean;
}

export type DialectName = 'field' | 'document' | 'graphql';

/** Year of the observed services. */
export type GraphqlAge = '2023' | '2026';

/** As running forges really answer, defects included. */
export const fieldDialect: Dialect = {
	name: 'field',
	rest: true,
	graphql: null,
	tokenLifeDays: 365,
	olderTokensStay: false,
	envelopes: true,
	ticketPagingBroken: true,
	htmlRefusals: true,
	crashes: true,
	badTokenStatus: 400,
	readScopesUnchecked: true,
	areasRememberReplacedTokens: true,
	exactContentType: true,
	usersAppearOnFirstUse: true,
	containerIds: true,
	ticketTitleInShortForm: true,
	participants: true,
	eventLabelString: true,
	nullStatuses: true,
	statusMovesLimited: true,
	refusedLabelsStick: true,
	userMentionsHidden: true,
	trackerWildcards: true,
	userTicketHookWebOnly: true,
	fewTicketHooks: true,
	observedEvents: true,
	webhookBodyLimit: 65_536,
	exchangeFlow: true,
	shortPatchsets: true,
	longThreads: true,
	postsAreThreadStarters: true,
	emailsNamePatchset: true,
	shortPosts: true,
	mboxLineInEnvelope: true,
	rewrittenBodies: true,
	undocumentedNulls: true,
	patchsetStatusRequired: true,
	patchsetWriteScope: true,
	combinedPermissionWord: true,
	observedRepository: true,
	referencesHaveArtifacts: true,
	logRepeatsLast: true,
	submoduleTypeCommit: true,
	binaryContentType: 'application/x-octet-stream',
	explicitBlobMissing: true,
	plumbingIsHtml: true,
	lookupOfOneSegment: true,
};

/** Follows the contract literally; where it is silent, follows observed servers without their defects. */
export const documentDialect: Dialect = {
	name: 'document',
	rest: true,
	graphql: null,
	tokenLifeDays: 365,
	olderTokensStay: false,
	envelopes: false,
	ticketPagingBroken: false,
	htmlRefusals: false,
	crashes: false,
	badTokenStatus: 401,
	readScopesUnchecked: false,
	areasRememberReplacedTokens: false,
	exactContentType: false,
	usersAppearOnFirstUse: false,
	containerIds: false,
	ticketTitleInShortForm: false,
	participants: false,
	eventLabelString: false,
	nullStatuses: false,
	statusMovesLimited: false,
	refusedLabelsStick: false,
	userMentionsHidden: false,
	trackerWildcards: false,
	userTicketHookWebOnly: false,
	fewTicketHooks: false,
	observedEvents: false,
	webhookBodyLimit: 0,
	exchangeFlow: false,
	shortPatchsets: false,
	longThreads: false,
	postsAreThreadStarters: false,
	emailsNamePatchset: false,
	shortPosts: false,
	mboxLineInEnvelope: false,
	rewrittenBodies: false,
	undocumentedNulls: false,
	patchsetStatusRequired: false,
	patchsetWriteScope: false,
	combinedPermissionWord: false,
	observedRepository: false,
	referencesHaveArtifacts: false,
	logRepeatsLast: false,
	submoduleTypeCommit: false,
	binaryContentType: 'application/octet-stream',
	explicitBlobMissing: false,
	plumbingIsHtml: false,
	lookupOfOneSegment: false,
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
