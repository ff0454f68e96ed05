import { hookParts, input, payload, subscription } from '../hookSchema.ts';

/** Webhooks of the list service (docs/protocol.md#graphql-webhooks). */
export const listHookSchema = `
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
