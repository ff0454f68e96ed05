import type { GraphqlAge } from '../../shared/dialect.ts';
import { hookParts, input, payload, subscription } from '../hookSchema.ts';
import { commonSchema, since2026 } from '../schemaParts.ts';
import { scopesOfService } from '../serviceScopes.ts';

/** Webhooks of the list service (docs/protocol.md#graphql-webhooks). */
const listHookSchema = `
${hookParts}
enum WebhookEvent {
	LIST_CREATED
	LIST_UPDATED
	LIST_DELETED
	EMAIL_RECEIVED
	PATCHSET_RECEIVED
}

type MailingListEvent implements WebhookPayload { ${payload} list: MailingList! }
type EmailEvent implements WebhookPayload { ${payload} email: Email! }
type PatchsetEvent implements WebhookPayload { ${payload} patchset: Patchset! }

type MailingListWebhookSubscription implements WebhookSubscription { ${subscription} list: MailingList! }
input MailingListWebhookInput { ${input} }

extend type MailingList {
	webhooks(cursor: Cursor): WebhookSubscriptionCursor!
	webhook(id: Int!): WebhookSubscription
}

extend type Mutation {
	createMailingListWebhook(listId: Int!, config: MailingListWebhookInput!): WebhookSubscription!
	deleteMailingListWebhook(id: Int!): WebhookSubscription!
}
`;

/** The list service. A directive names the grant of a field (docs/protocol.md#grants-of-fields). */
export function listsSchema(age: GraphqlAge): string {
	return [
		commonSchema(age, scopesOfService('lists')),
		people,
		lists(age),
		mails(age),
		patchsets(age),
		roots(age),
		listHookSchema,
	].join('\n');
}

const people = `
type User implements Entity {
	id: Int!
	created: Time!
	updated: Time!
	canonicalName: String!
	username: String!
	email: String!
	url: String
	location: String
	bio: String
	list(name: String!): MailingList @access(scope: LISTS, kind: RO)
	lists(cursor: Cursor): MailingListCursor! @access(scope: LISTS, kind: RO)
	emails(cursor: Cursor): EmailCursor! @access(scope: EMAILS, kind: RO)
	threads(cursor: Cursor): ThreadCursor! @access(scope: EMAILS, kind: RO)
	patches(cursor: Cursor): PatchsetCursor! @access(scope: PATCHES, kind: RO)
}

type Mailbox implements Entity {
	canonicalName: String!
	name: String!
	address: String!
}
`;

const rights = 'browse: Boolean! reply: Boolean! post: Boolean! moderate: Boolean!';

const lists = (age: GraphqlAge): string => `
scalar URL

enum Visibility { PUBLIC UNLISTED PRIVATE }

interface ACL { ${rights} }
type GeneralACL implements ACL { ${rights} }
input ACLInput { ${rights} }

type MailingListACL implements ACL {
	id: Int!
	created: Time!
	list: MailingList! @access(scope: LISTS, kind: RO)
	entity: Entity! @access(scope: PROFILE, kind: RO)
	${rights}
}
type MailingListACLCursor { results: [MailingListACL!]! cursor: Cursor }

type MailingList {
	id: Int!
	${since2026(age, 'rid: ID! lastActivity: Time')}
	created: Time!
	updated: Time!
	name: String!
	owner: Entity! @access(scope: PROFILE, kind: RO)
	description: String
	visibility: Visibility!
	permitMime: [String!]!
	rejectMime: [String!]!
	threads(cursor: Cursor): ThreadCursor! @access(scope: EMAILS, kind: RO)
	emails(cursor: Cursor): EmailCursor! @access(scope: EMAILS, kind: RO)
	patches(cursor: Cursor): PatchsetCursor! @access(scope: PATCHES, kind: RO)
	${since2026(age, 'message(messageID: String!): Email @access(scope: EMAILS, kind: RO)')}
	importing: Boolean!
	access: ACL! @access(scope: ACLS, kind: RO)
	acl(cursor: Cursor): MailingListACLCursor! @access(scope: ACLS, kind: RO)
	defaultACL: GeneralACL!
	subscription: MailingListSubscription @access(scope: SUBSCRIPTIONS, kind: RO)
	archive: URL!
	last30days: URL!
}
type MailingListCursor { results: [MailingList!]! cursor: Cursor }

interface ActivitySubscription { id: Int! created: Time! }
type ActivitySubscriptionCursor { results: [ActivitySubscription!]! cursor: Cursor }
type MailingListSubscription implements ActivitySubscription {
	id: Int!
	created: Time!
	list: MailingList! @access(scope: LISTS, kind: RO)
}

input MailingListInput {
	description: String
	visibility: Visibility
	permitMime: [String!]
	rejectMime: [String!]
}
`;

const mails = (age: GraphqlAge): string => `
type Email {
	id: Int!
	sender: Entity!
	received: Time!
	date: Time
	subject: String!
	messageID: String!
	inReplyTo: String
	header(want: String!): [String!]!
	addressList(want: String!): [Mailbox!]!
	body: String!
	${age === '2026' ? 'rawMessage' : 'envelope'}: URL!
	thread: Thread!
	parent: Email
	patch: Patch
	patchset: Patchset @access(scope: PATCHES, kind: RO)
	list: MailingList! @access(scope: LISTS, kind: RO)
}
type EmailCursor { results: [Email!]! cursor: Cursor }

type Thread {
	created: Time!
	updated: Time!
	subject: String!
	replies: Int!
	participants: Int!
	sender: Entity!
	root: Email!
	list: MailingList! @access(scope: LISTS, kind: RO)
	descendants(cursor: Cursor): EmailCursor!
	mailto: String!
	mbox: URL!
	blocks: [ThreadBlock!]!
}
type ThreadCursor { results: [Thread!]! cursor: Cursor }

type ThreadBlock {
	key: String!
	body: String!
	parent: Int
	children: [Int!]!
	source: Email!
	sourceRange: ByteRange!
	parentRange: ByteRange
}
type ByteRange { start: Int! end: Int! }
`;

const patchsets = (age: GraphqlAge): string => `
type Patch {
	index: Int
	count: Int
	version: Int
	prefix: String
	subject: String
	${since2026(age, 'trailers: [Trailer!]!')}
}
${since2026(age, 'type Trailer { name: String! value: String! }')}

enum PatchsetStatus { UNKNOWN PROPOSED NEEDS_REVISION SUPERSEDED APPROVED REJECTED APPLIED }
enum ToolIcon { PENDING WAITING SUCCESS FAILED CANCELLED }

type Patchset {
	id: Int!
	created: Time!
	updated: Time!
	subject: String!
	version: Int!
	prefix: String
	status: PatchsetStatus!
	submitter: Entity!
	coverLetter: Email @access(scope: EMAILS, kind: RO)
	thread: Thread! @access(scope: EMAILS, kind: RO)
	supersededBy: Patchset
	${since2026(age, 'supersedes: Patchset')}
	list: MailingList! @access(scope: LISTS, kind: RO)
	patches(cursor: Cursor): EmailCursor! @access(scope: EMAILS, kind: RO)
	tools: [PatchsetTool!]!
	mbox: URL!
}
type PatchsetCursor { results: [Patchset!]! cursor: Cursor }

type PatchsetTool {
	id: Int!
	created: Time!
	updated: Time!
	icon: ToolIcon!
	details: String!
	patchset: Patchset!
}
`;

const roots = (age: GraphqlAge): string => `
type Query {
	version: Version!
	me: User! @access(scope: PROFILE, kind: RO)
	user(username: String!): User @access(scope: PROFILE, kind: RO)
	${since2026(age, 'list(rid: ID!): MailingList @access(scope: LISTS, kind: RO)')}
	${age === '2023' ? 'message(messageID: String!): Email @access(scope: EMAILS, kind: RO)' : ''}
	email(id: Int!): Email @access(scope: EMAILS, kind: RO)
	patchset(id: Int!): Patchset @access(scope: EMAILS, kind: RO)
	subscriptions(cursor: Cursor): ActivitySubscriptionCursor @access(scope: SUBSCRIPTIONS, kind: RO)
	${since2026(age, 'preferences: Preferences! @access(scope: PROFILE, kind: RO)')}
}

${since2026(age, 'type Preferences { copySelf: Boolean! }\ninput PreferencesInput { copySelf: Boolean! }')}

type Mutation {
	createMailingList(name: String!, description: String, visibility: Visibility!): MailingList! @access(scope: LISTS, kind: RW)
	updateMailingList(id: Int!, input: MailingListInput!): MailingList @access(scope: LISTS, kind: RW)
	deleteMailingList(id: Int!): MailingList @access(scope: LISTS, kind: RW)
	updateMailingListACL(listID: Int!, input: ACLInput!): MailingList @access(scope: ACLS, kind: RW)
	updatePatchset(id: Int!, status: PatchsetStatus!): Patchset @access(scope: PATCHES, kind: RW)
	createTool(patchsetID: Int!, details: String!, icon: ToolIcon!): PatchsetTool @access(scope: PATCHES, kind: RW)
	updateTool(id: Int!, details: String, icon: ToolIcon): PatchsetTool @access(scope: PATCHES, kind: RW)
	mailingListSubscribe(listID: Int!): MailingListSubscription @access(scope: SUBSCRIPTIONS, kind: RW)
	mailingListUnsubscribe(listID: Int!): MailingListSubscription @access(scope: SUBSCRIPTIONS, kind: RW)
	${since2026(age, 'updatePreferences(preferences: PreferencesInput!): Preferences! @access(scope: PROFILE, kind: RW)')}
}
`;
