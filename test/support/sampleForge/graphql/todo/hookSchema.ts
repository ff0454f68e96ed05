const payload = 'uuid: String! event: WebhookEvent! date: Time!';
const subscription = `
	id: Int!
	events: [WebhookEvent!]!
	query: String!
	url: String!
	client: OAuthClient @private
	deliveries(cursor: Cursor): WebhookDeliveryCursor!
`;
const input = 'url: String! events: [WebhookEvent!]! query: String!';

/** Webhooks of the ticket service (docs/protocol.md#graphql-webhooks). */
export const hookSchema = `
enum WebhookEvent {
	TRACKER_CREATED
	TRACKER_UPDATE
	TRACKER_DELETED
	TICKET_CREATED
	TICKET_UPDATE
	TICKET_DELETED
	LABEL_CREATED
	LABEL_UPDATE
	LABEL_DELETED
	EVENT_CREATED
}

interface WebhookPayload { ${payload} }
type TrackerEvent implements WebhookPayload { ${payload} tracker: Tracker! }
type TicketEvent implements WebhookPayload { ${payload} ticket: Ticket! }
type TicketDeletedEvent implements WebhookPayload { ${payload} trackerId: Int! ticketId: Int! }
type LabelEvent implements WebhookPayload { ${payload} label: Label! }
type EventCreated implements WebhookPayload { ${payload} newEvent: Event! }

type OAuthClient { uuid: String! }

interface WebhookSubscription { ${subscription} }
type UserWebhookSubscription implements WebhookSubscription { ${subscription} }
type TrackerWebhookSubscription implements WebhookSubscription { ${subscription} tracker: Tracker! }
type TicketWebhookSubscription implements WebhookSubscription { ${subscription} ticket: Ticket! }
type WebhookSubscriptionCursor { results: [WebhookSubscription!]! cursor: Cursor }

type WebhookDelivery {
	uuid: String!
	date: Time!
	event: WebhookEvent!
	subscription: WebhookSubscription!
	requestBody: String!
	responseBody: String
	responseHeaders: String
	responseStatus: Int
}
type WebhookDeliveryCursor { results: [WebhookDelivery!]! cursor: Cursor }

input UserWebhookInput { ${input} }
input TrackerWebhookInput { ${input} }
input TicketWebhookInput { ${input} }

extend type Query {
	userWebhooks(cursor: Cursor): WebhookSubscriptionCursor!
	userWebhook(id: Int!): WebhookSubscription
	webhook: WebhookPayload!
}

extend type Tracker {
	webhooks(cursor: Cursor): WebhookSubscriptionCursor!
	webhook(id: Int!): WebhookSubscription
}

extend type Ticket {
	webhooks(cursor: Cursor): WebhookSubscriptionCursor!
	webhook(id: Int!): WebhookSubscription
}

extend type Mutation {
	createUserWebhook(config: UserWebhookInput!): WebhookSubscription!
	deleteUserWebhook(id: Int!): WebhookSubscription!
	createTrackerWebhook(trackerId: Int!, config: TrackerWebhookInput!): WebhookSubscription!
	deleteTrackerWebhook(id: Int!): WebhookSubscription!
	createTicketWebhook(trackerId: Int!, ticketId: Int!, config: TicketWebhookInput!): WebhookSubscription!
	deleteTicketWebhook(id: Int!): WebhookSubscription!
}
`;
