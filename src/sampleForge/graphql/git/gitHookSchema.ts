import type { GraphqlAge } from '../../shared/dialect.ts';
import { hookParts, input, payload, subscription } from '../hookSchema.ts';
import { since2026 } from '../schemaParts.ts';

/**
 * Webhooks of the repository service; later servers added webhooks of single repositories
 * (docs/protocol.md#graphql-webhooks).
 */
export const gitHookSchema = (age: GraphqlAge): string => `
${hookParts}
enum WebhookEvent { REPO_CREATED REPO_UPDATE REPO_DELETED ${since2026(age, 'GIT_PRE_RECEIVE GIT_POST_RECEIVE')} }

type RepositoryEvent implements WebhookPayload { ${payload} repository: Repository! }
${since2026(age, ofRepository)}
`;

const ofRepository = `
type GitEvent implements WebhookPayload {
	${payload}
	repository: Repository! @access(scope: REPOSITORIES, kind: RO)
	pusher: Entity! @access(scope: PROFILE, kind: RO)
	updates: [UpdatedRef]! @access(scope: OBJECTS, kind: RO)
}
type UpdatedRef {
	ref: Reference
	old: Object
	new: Object
	log: CommitCursor
	diff: String
}

type GitWebhookSubscription implements WebhookSubscription { ${subscription} }
input GitWebhookInput { repositoryID: Int! ${input} }

extend type Query {
	gitWebhooks(repositoryID: Int!, cursor: Cursor): WebhookSubscriptionCursor!
	gitWebhook(id: Int!): WebhookSubscription
}

extend type Mutation {
	createGitWebhook(config: GitWebhookInput!): WebhookSubscription!
	deleteGitWebhook(id: Int!): WebhookSubscription!
}
`;
