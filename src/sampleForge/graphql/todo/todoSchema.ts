import type { GraphqlAge } from '../../shared/dialect.ts';
import { scopesOfService } from '../serviceScopes.ts';
import { hookSchema } from './hookSchema.ts';
import { commonSchema, since2026 } from '../schemaParts.ts';

/** The ticket service. A directive names the grant of a field (docs/protocol.md#grants-of-fields). */
export function todoSchema(age: GraphqlAge): string {
	return [
		commonSchema(age, scopesOfService('todo')),
		people,
		trackers(age),
		tickets,
		events,
		roots(age),
		hookSchema,
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
	tracker(name: String!): Tracker @access(scope: TRACKERS, kind: RO)
	trackers(cursor: Cursor): TrackerCursor! @access(scope: TRACKERS, kind: RO)
}

type EmailAddress implements Entity {
	canonicalName: String!
	mailbox: String!
	name: String
}

type ExternalUser implements Entity {
	canonicalName: String!
	externalId: String!
	externalUrl: String
}
`;

const trackers = (age: GraphqlAge): string => `
scalar URL
scalar Upload

enum Visibility { PUBLIC UNLISTED PRIVATE }

type Tracker {
	id: Int!
	${since2026(age, 'rid: ID!')}
	created: Time!
	updated: Time!
	owner: Entity! @access(scope: PROFILE, kind: RO)
	name: String!
	description: String
	visibility: Visibility!
	ticket(id: Int!): ${age === '2026' ? 'Ticket' : 'Ticket!'} @access(scope: TICKETS, kind: RO)
	tickets(cursor: Cursor): TicketCursor! @access(scope: TICKETS, kind: RO)
	label(name: String!): Label
	labels(cursor: Cursor): LabelCursor!
	subscription: TrackerSubscription @access(scope: SUBSCRIPTIONS, kind: RO)
	acl: ACL
	defaultACL: DefaultACL!
	acls(cursor: Cursor): ACLCursor! @access(scope: ACLS, kind: RO)
	export: URL!
}

type TrackerCursor { results: [Tracker!]! cursor: Cursor }

interface ACL {
	browse: Boolean!
	submit: Boolean!
	comment: Boolean!
	edit: Boolean!
	triage: Boolean!
}

type DefaultACL implements ACL {
	browse: Boolean!
	submit: Boolean!
	comment: Boolean!
	edit: Boolean!
	triage: Boolean!
}

type TrackerACL implements ACL {
	id: Int!
	created: Time!
	tracker: Tracker! @access(scope: TRACKERS, kind: RO)
	entity: Entity! @access(scope: PROFILE, kind: RO)
	browse: Boolean!
	submit: Boolean!
	comment: Boolean!
	edit: Boolean!
	triage: Boolean!
}

type ACLCursor { results: [TrackerACL!]! cursor: Cursor }

type Label {
	id: Int!
	created: Time!
	name: String!
	tracker: Tracker! @access(scope: TRACKERS, kind: RO)
	backgroundColor: String!
	foregroundColor: String!
	tickets(cursor: Cursor): TicketCursor! @access(scope: TICKETS, kind: RO)
}

type LabelCursor { results: [Label!]! cursor: Cursor }

interface ActivitySubscription {
	id: Int!
	created: Time!
}

type TrackerSubscription implements ActivitySubscription {
	id: Int!
	created: Time!
	tracker: Tracker! @access(scope: TRACKERS, kind: RO)
}

type TicketSubscription implements ActivitySubscription {
	id: Int!
	created: Time!
	ticket: Ticket! @access(scope: TICKETS, kind: RO)
}

type ActivitySubscriptionCursor { results: [ActivitySubscription!]! cursor: Cursor }
`;

const tickets = `
enum TicketStatus { REPORTED CONFIRMED IN_PROGRESS PENDING RESOLVED }

enum TicketResolution { UNRESOLVED CLOSED FIXED IMPLEMENTED WONT_FIX BY_DESIGN INVALID DUPLICATE NOT_OUR_BUG }

enum Authenticity { AUTHENTIC UNAUTHENTICATED TAMPERED }

type Ticket {
	id: Int!
	created: Time!
	updated: Time!
	submitter: Entity! @access(scope: PROFILE, kind: RO)
	tracker: Tracker! @access(scope: TRACKERS, kind: RO)
	ref: String!
	subject: String!
	body: String
	status: TicketStatus!
	resolution: TicketResolution!
	authenticity: Authenticity!
	labels: [Label!]!
	assignees: [Entity!]! @access(scope: PROFILE, kind: RO)
	events(cursor: Cursor): EventCursor! @access(scope: EVENTS, kind: RO)
	subscription: TicketSubscription @access(scope: SUBSCRIPTIONS, kind: RO)
}

type TicketCursor { results: [Ticket!]! cursor: Cursor }
`;

const events = `
enum EventType {
	CREATED
	COMMENT
	STATUS_CHANGE
	LABEL_ADDED
	LABEL_REMOVED
	ASSIGNED_USER
	UNASSIGNED_USER
	USER_MENTIONED
	TICKET_MENTIONED
}

type Event {
	id: Int!
	created: Time!
	changes: [EventDetail!]!
	ticket: Ticket! @access(scope: TICKETS, kind: RO)
}

type EventCursor { results: [Event!]! cursor: Cursor }

interface EventDetail {
	eventType: EventType!
	ticket: Ticket! @access(scope: TICKETS, kind: RO)
}

type Created implements EventDetail {
	eventType: EventType!
	ticket: Ticket! @access(scope: TICKETS, kind: RO)
	author: Entity! @access(scope: PROFILE, kind: RO)
}

type Comment implements EventDetail {
	eventType: EventType!
	ticket: Ticket! @access(scope: TICKETS, kind: RO)
	author: Entity! @access(scope: PROFILE, kind: RO)
	text: String!
	authenticity: Authenticity!
	supersededBy: Comment
}

type StatusChange implements EventDetail {
	eventType: EventType!
	ticket: Ticket! @access(scope: TICKETS, kind: RO)
	editor: Entity! @access(scope: PROFILE, kind: RO)
	oldStatus: TicketStatus!
	newStatus: TicketStatus!
	oldResolution: TicketResolution!
	newResolution: TicketResolution!
}

type LabelUpdate implements EventDetail {
	eventType: EventType!
	ticket: Ticket! @access(scope: TICKETS, kind: RO)
	labeler: Entity! @access(scope: PROFILE, kind: RO)
	label: Label!
}

type Assignment implements EventDetail {
	eventType: EventType!
	ticket: Ticket! @access(scope: TICKETS, kind: RO)
	assigner: Entity! @access(scope: PROFILE, kind: RO)
	assignee: Entity! @access(scope: PROFILE, kind: RO)
}

type UserMention implements EventDetail {
	eventType: EventType!
	ticket: Ticket! @access(scope: TICKETS, kind: RO)
	author: Entity! @access(scope: PROFILE, kind: RO)
	mentioned: Entity! @access(scope: PROFILE, kind: RO)
}

type TicketMention implements EventDetail {
	eventType: EventType!
	ticket: Ticket! @access(scope: TICKETS, kind: RO)
	author: Entity! @access(scope: PROFILE, kind: RO)
	mentioned: Ticket! @access(scope: TICKETS, kind: RO)
}
`;

const roots = (age: GraphqlAge): string => `
type Query {
	version: Version!
	me: User! @access(scope: PROFILE, kind: RO)
	user(username: String!): User @access(scope: PROFILE, kind: RO)
	${since2026(age, 'tracker(rid: ID!): Tracker @access(scope: TRACKERS, kind: RO)')}
	trackers(cursor: Cursor): TrackerCursor @access(scope: TRACKERS, kind: RO)
	events(cursor: Cursor): EventCursor @access(scope: EVENTS, kind: RO)
	subscriptions(cursor: Cursor): ActivitySubscriptionCursor @access(scope: SUBSCRIPTIONS, kind: RO)
	${since2026(age, 'preferences: Preferences! @access(scope: PROFILE, kind: RO)')}
}

${since2026(age, 'type Preferences { notifySelf: Boolean! }\ninput PreferencesInput { notifySelf: Boolean! }')}

input TrackerInput {
	${since2026(age, 'name: String')}
	description: String
	visibility: Visibility
}

input ACLInput {
	browse: Boolean!
	submit: Boolean!
	comment: Boolean!
	edit: Boolean!
	triage: Boolean!
}

input UpdateLabelInput {
	name: String
	foregroundColor: String
	backgroundColor: String
}

input ImportInput {
	created: Time!
	externalId: String!
	externalUrl: String!
}

input SubmitTicketInput {
	subject: String!
	body: String
	created: Time
	externalId: String
	externalUrl: String
}

input UpdateTicketInput {
	subject: String
	body: String
	import: ImportInput
}

input UpdateStatusInput {
	status: TicketStatus!
	resolution: TicketResolution
	import: ImportInput
}

input SubmitCommentInput {
	text: String!
	status: TicketStatus
	resolution: TicketResolution
	import: ImportInput
}

type Mutation {
	createTracker(name: String!, description: String, visibility: Visibility!, ${age === '2026' ? 'importUpload' : 'import'}: Upload): Tracker! @access(scope: TRACKERS, kind: RW)
	updateTracker(id: Int!, input: TrackerInput!): Tracker! @access(scope: TRACKERS, kind: RW)
	deleteTracker(id: Int!): Tracker! @access(scope: TRACKERS, kind: RW)
	updateUserACL(trackerId: Int!, userId: Int!, input: ACLInput!): TrackerACL! @access(scope: ACLS, kind: RW)
	updateTrackerACL(trackerId: Int!, input: ACLInput!): DefaultACL! @access(scope: ACLS, kind: RW)
	deleteACL(id: Int!): TrackerACL! @access(scope: ACLS, kind: RW)
	trackerSubscribe(trackerId: Int!): TrackerSubscription! @access(scope: SUBSCRIPTIONS, kind: RW)
	trackerUnsubscribe(trackerId: Int!, tickets: Boolean!): TrackerSubscription! @access(scope: SUBSCRIPTIONS, kind: RW)
	ticketSubscribe(trackerId: Int!, ticketId: Int!): TicketSubscription! @access(scope: SUBSCRIPTIONS, kind: RW)
	ticketUnsubscribe(trackerId: Int!, ticketId: Int!): TicketSubscription! @access(scope: SUBSCRIPTIONS, kind: RW)
	createLabel(trackerId: Int!, name: String!, foregroundColor: String!, backgroundColor: String!): Label! @access(scope: TRACKERS, kind: RW)
	updateLabel(id: Int!, input: UpdateLabelInput!): Label! @access(scope: TRACKERS, kind: RW)
	deleteLabel(id: Int!): Label! @access(scope: TRACKERS, kind: RW)
	submitTicket(trackerId: Int!, input: SubmitTicketInput!): Ticket! @access(scope: TICKETS, kind: RW)
	deleteTicket(trackerId: Int!, ticketId: Int!): Ticket! @access(scope: TICKETS, kind: RW)
	updateTicket(trackerId: Int!, ticketId: Int!, input: UpdateTicketInput!): Ticket! @access(scope: TICKETS, kind: RW)
	updateTicketStatus(trackerId: Int!, ticketId: Int!, input: UpdateStatusInput!): Event! @access(scope: TICKETS, kind: RW)
	submitComment(trackerId: Int!, ticketId: Int!, input: SubmitCommentInput!): Event! @access(scope: TICKETS, kind: RW)
	assignUser(trackerId: Int!, ticketId: Int!, userId: Int!): Event! @access(scope: TICKETS, kind: RW)
	unassignUser(trackerId: Int!, ticketId: Int!, userId: Int!): Event! @access(scope: TICKETS, kind: RW)
	labelTicket(trackerId: Int!, ticketId: Int!, labelId: Int!): Event! @access(scope: TICKETS, kind: RW)
	unlabelTicket(trackerId: Int!, ticketId: Int!, labelId: Int!): Event! @access(scope: TICKETS, kind: RW)
	${since2026(age, 'updatePreferences(preferences: PreferencesInput!): Preferences! @access(scope: PROFILE, kind: RW)')}
}
`;
