import type { WebhookApi } from '../../forge/forge.ts';
import { ForgeError, isForgeError, type Problem } from '../../forge/forgeError.ts';
import { eventGroupOf, type NewWebhook, type WebhookFamily } from '../../forge/webhook.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import type { MissingGrants } from '../door/grants.ts';
import { listed, orNotFound } from '../door/listed.ts';
import type { Variables } from '../door/smallerQuestions.ts';
import { askableId, byName } from '../door/variables.ts';
import { repositoryId } from '../git/namedRepositories.ts';
import { listIds } from '../lists/listIds.ts';
import { trackerIds } from '../todo/trackerIds.ts';
import { hookDocuments, type HookDocuments } from './hookDocuments.ts';
import { eventsOfGroup, grantOfEvent, hookQuery } from './hookEvents.ts';
import { readDelivery } from './hookHints.ts';

/**
 * Webhooks and their deliveries over GraphQL. For each event the server runs the webhook's query with the permissions
 * of its token; a personal token sees all webhooks of its owner. The API can neither redeliver nor print to the pusher.
 */
export function graphqlWebhooks(caller: GraphqlCaller): WebhookApi {
	const { ask } = caller;
	const trackers = trackerIds(caller);
	const lists = listIds(caller);
	const documentsOf = (family: WebhookFamily): HookDocuments => hookDocuments[eventGroupOf(family)];

	/** Variables for creating a webhook in its family. */
	async function into(family: WebhookFamily, signal: AbortSignal): Promise<Variables> {
		switch (family.kind) {
			case 'user':
				return {};
			case 'list':
				return { listId: await lists.current(family.ref, signal) };
			case 'repository':
				return { repositoryId: await repositoryId(caller, family.ref, signal) };
			case 'tracker':
				return { trackerId: await trackers.current(family.ref, signal) };
			case 'ticket': {
				const ticket = askableId(family.ref.id);
				return { trackerId: await trackers.current(family.ref.tracker, signal), ticket };
			}
		}
	}

	async function create(family: WebhookFamily, { url, events }: NewWebhook, signal: AbortSignal) {
		const group = eventGroupOf(family);
		const { repositoryId, ...where } = await into(family, signal);
		const config = {
			url,
			events,
			query: hookQuery(group, events),
			...(repositoryId ? { repositoryID: repositoryId } : {}),
		};
		try {
			const { id } = orNotFound(await ask(documentsOf(family).create, { ...where, config }, signal));
			return { id, url, events };
		} catch (error) {
			const problem = refusalOf(family, error, caller.grants);
			throw problem === undefined ? error : new ForgeError(problem, { cause: error });
		}
	}

	return {
		webhooks: (family, signal) =>
			listed(
				{
					async fetch(cursor, pageSignal) {
						const around = family.kind === 'repository' ? await into(family, pageSignal) : aroundOf(family);
						return ask(documentsOf(family).list, { ...around, cursor }, pageSignal);
					},
					key: ({ id }) => id,
				},
				signal,
			),
		webhook: async (family, id, signal) =>
			orNotFound(await ask(documentsOf(family).one, { ...aroundOf(family), hook: askableId(id) }, signal)),
		create,
		async remove(family, id, signal) {
			orNotFound(await ask(documentsOf(family).remove, { hook: askableId(id) }, signal));
		},
		deliveries: (family, id, signal) =>
			listed(
				{
					fetch: (cursor, pageSignal) =>
						ask(documentsOf(family).deliveries, { ...aroundOf(family), hook: askableId(id), cursor }, pageSignal),
					key: (delivery) => delivery.id,
				},
				signal,
			),
		offers: (family) => ({ events: eventsOfGroup(eventGroupOf(family)), isSyncPossible: false, areOfPerson: true }),
		readDelivery,
	};
}

/** Variables for queries below the webhooks' owner. */
function aroundOf(family: WebhookFamily): Variables {
	switch (family.kind) {
		case 'user':
		case 'repository':
			return {};
		case 'list':
		case 'tracker':
			return byName(family.ref);
		case 'ticket':
			return { ...byName(family.ref.tracker), ticket: askableId(family.ref.id) };
	}
}

/**
 * The reason why the server rejected a webhook. Servers give it only in the message, or fail to parse an event that
 * they don't have (docs/protocol.md#graphql-webhooks).
 */
function refusalOf(family: WebhookFamily, error: unknown, grants: MissingGrants): Problem | undefined {
	if (!isForgeError(error)) {
		return undefined;
	}
	const { problem, cause } = error;
	const words = cause instanceof Error ? cause.message : '';
	const [, event] = /^insufficient access granted for webhook event (\w+)/i.exec(words) ?? [];
	const grant = event === undefined ? undefined : grantOfEvent(eventGroupOf(family), event);
	if (grant !== undefined) {
		const { area, scope } = hookDocuments[eventGroupOf(family)].create;
		return grants.named(grant, { area, scope });
	}
	// A lost response is also `notUnderstood`, but then the webhook may exist.
	if (problem.kind === 'notUnderstood' && error.isUnsent) {
		return { kind: 'invalid', errors: [{ field: 'events', reason: problem.why }] };
	}
	return problem.kind === 'invalid' && /\bURL\b/.test(words)
		? { kind: 'invalid', errors: problem.errors.map(({ reason }) => ({ field: 'url', reason })) }
		: undefined;
}
