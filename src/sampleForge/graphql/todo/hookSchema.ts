import { hookParts, input, payload, subscription } from '../hookSchema.ts';

/** Webhooks of the ticket service (docs/protocol.md#graphql-webhooks). */
export const hookSchema = `
${hookParts}
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

type TrackerEvent implements WebhookPayload { ${payload} tracker: Tracker! }
type TicketEvent implements WebhookPayload { ${payload} ticket: Ticket! }
type TicketDeletedEvent implements WebhookPayload { ${payload} trackerId: Int! ticketId: Int! }
type LabelEvent implements WebhookPayload { ${payload} label: Label! }
type EventCreated implements WebhookPayload { ${payload} newEvent: Event! }

type TrackerWebhookSubscription implements WebhookSubscription { ${subscription} tracker: Tracker! }
type TicketWebhookSubscription implements WebhookSubscription { ${subscription} ticket: Ticket! }
input TrackerWebhookInput { ${input} }
input TicketWebhookInput { ${input} }

extend type Tracker {
	webhooks(cursor: Cursor): WebhookSubscriptionCursor!
	webhook(id: Int!): WebhookSubscription
}

extend type Ticket {
	webhooks(cursor: Cursor): WebhookSubscriptionCursor!
	webhook(id: Int!): WebhookSubscription
}

extend type Mutation {
	createTrackerWebhook(trackerId: Int!, config: TrackerWebhookInput!): WebhookSubscription!
	deleteTrackerWebhook(id: Int!): WebhookSubscription!
	createTicketWebhook(trackerId: Int!, ticketId: Int!, config: TicketWebhookInput!): WebhookSubscription!
	deleteTicketWebhook(id: Int!): WebhookSubscription!
}
`;
