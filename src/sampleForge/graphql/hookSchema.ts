/** Common fields of payloads. */
export const payload = 'uuid: String! event: WebhookEvent! date: Time!';

/** Common fields of webhooks. */
export const subscription = `
	id: Int!
	events: [WebhookEvent!]!
	query: String!
	url: String!
	client: OAuthClient @private
	deliveries(cursor: Cursor): WebhookDeliveryCursor!
`;

/** Common input fields. */
export const input = 'url: String! events: [WebhookEvent!]! query: String!';

/** Schema parts shared by all services, around their own events (docs/protocol.md#graphql-webhooks). */
export const hookParts = `
interface WebhookPayload { ${payload} }

type OAuthClient { uuid: String! }

interface WebhookSubscription { ${subscription} }
type UserWebhookSubscription implements WebhookSubscription { ${subscription} }
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

extend type Query {
	userWebhooks(cursor: Cursor): WebhookSubscriptionCursor!
	userWebhook(id: Int!): WebhookSubscription
	webhook: WebhookPayload!
}

extend type Mutation {
	createUserWebhook(config: UserWebhookInput!): WebhookSubscription!
	deleteUserWebhook(id: Int!): WebhookSubscription!
}
`;
