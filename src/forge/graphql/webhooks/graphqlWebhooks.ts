import * as v from 'valibot';
import { timestamp } from '../../answers/timestamp.ts';
import type { WebhookApi } from '../../port/forge.ts';
import { ForgeError, isForgeError, type Problem } from '../../port/forgeError.ts';
import {
	eventGroupOf,
	type NewWebhook,
	type WebhookFamily,
	type Webhook,
	type WebhookDelivery,
} from '../../port/webhook.ts';
import type { MissingGrants } from '../door/grants.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import { mutation, query, type Needs } from '../door/operations.ts';
import { cursorPage, listed, orNotFound } from '../door/listed.ts';
import { partly, unsentIn } from '../door/partial.ts';
import { selected } from '../door/selection.ts';
import type { Variables } from '../door/smallerQuestions.ts';
import { askableId, byName, id } from '../door/variables.ts';
import { repositoryId } from '../git/namedRepositories.ts';
import { inList } from '../lists/listAnswers.ts';
import { listIds } from '../lists/listIds.ts';
import { inTracker } from '../todo/todoAnswers.ts';
import { trackerIds } from '../todo/trackerIds.ts';
import { eventsOfGroup, grantOfEvent, hookQuery } from './hookEvents.ts';
import { readDelivery } from './hookHints.ts';

const hook = v.pipe(
	selected('WebhookSubscription', { id, url: v.string(), events: v.array(v.string()) }),
	v.transform((wire): Webhook => wire),
);

const delivery = v.pipe(
	selected('WebhookDelivery', {
		uuid: v.string(),
		date: timestamp,
		event: v.string(),
		subscription: selected('WebhookSubscription', { url: v.string() }),
		requestBody: v.string(),
		responseBody: v.nullish(v.string()),
		responseStatus: v.nullish(v.pipe(v.number(), v.safeInteger())),
		...partly,
	}),
	v.transform((wire): WebhookDelivery => ({
		id: wire.uuid,
		createdMs: wire.date,
		event: wire.event,
		url: wire.subscription.url,
		payload: wire.requestBody,
		responseStatus: wire.responseStatus ?? -2,
		response: wire.responseBody ?? undefined,
		...unsentIn(wire),
	})),
);

export const hookDocuments = {
	todoUser: hooksAt({ area: 'todo', scope: 'trackers:read' }, 'User', { field: 'userWebhook' }),
	gitUser: hooksAt({ area: 'git', scope: 'info:read' }, 'User', { field: 'userWebhook' }),
	listsUser: hooksAt({ area: 'lists', scope: 'lists:read' }, 'User', { field: 'userWebhook' }),
	tracker: hooksAt({ area: 'todo', scope: 'trackers:read' }, 'Tracker', {
		around: inTracker,
		into: 'trackerId: $trackerId Int!,',
	}),
	ticket: hooksAt({ area: 'todo', scope: 'tickets:read' }, 'Ticket', {
		around: [...inTracker, 'ticket(id: $ticket Int!): Ticket'],
		into: 'trackerId: $trackerId Int!, ticketId: $ticket Int!,',
	}),
	list: hooksAt({ area: 'lists', scope: 'lists:read' }, 'MailingList', {
		around: inList,
		into: 'listId: $listId Int!,',
	}),
	repository: hooksAt({ area: 'git', scope: 'info:read' }, 'Git', {
		field: 'gitWebhook',
		all: 'repositoryID: $repositoryId Int!,',
	}),
} as const;

/**
 * Webhooks and their deliveries over GraphQL. For each event the server runs the webhook's query with the permissions
 * of its token; a personal token sees all webhooks of its owner. The API can neither redeliver nor print to the pusher.
 */
export function graphqlWebhooks(caller: GraphqlCaller): WebhookApi {
	const { ask } = caller;
	const trackers = trackerIds(caller);
	const lists = listIds(caller);
	const documentsOf = (family: WebhookFamily) => hookDocuments[eventGroupOf(family)];

	/** Variables for creating a webhook in its family. */
	async function into(family: WebhookFamily, signal: AbortSignal): Promise<Variables> {
		switch (family.kind) {
			case 'user':
				return {};
			case 'list':
				return { listId: await lists.current(family.ref, signal) };
			case 'repository':
				return { repositoryId: await repositoryId(ask, family.ref, signal) };
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
				async (cursor, pageSignal) => {
					const around = family.kind === 'repository' ? await into(family, pageSignal) : aroundOf(family);
					return ask(documentsOf(family).list, { ...around, cursor }, pageSignal);
				},
				({ id }) => id,
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
				async (cursor, pageSignal) =>
					ask(documentsOf(family).deliveries, { ...aroundOf(family), hook: askableId(id), cursor }, pageSignal),
				(delivery) => delivery.id,
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

/**
 * Documents for the webhooks of one family (docs/protocol.md#graphql-webhooks). `name`: as in `createTrackerWebhook`.
 * `around`: the fields around the webhooks. `field`: of one webhook. `all`, `into`: further arguments for the list and
 * for a new webhook.
 */
function hooksAt(
	needs: Needs,
	name: string,
	{
		around = [],
		field = 'webhook',
		all = '',
		into = '',
	}: { readonly around?: readonly string[]; readonly field?: string; readonly all?: string; readonly into?: string },
) {
	const one = [...around, `${field}(id: $hook Int!): WebhookSubscription`];
	return {
		list: query(needs, `${name}Webhooks`, [...around, `${field}s(${all} cursor: $cursor Cursor)`], cursorPage(hook)),
		one: query(needs, `${name}Webhook`, one, hook),
		deliveries: query(needs, `${name}Deliveries`, [...one, 'deliveries(cursor: $cursor Cursor)'], cursorPage(delivery)),
		create: mutation(needs, `create${name}Webhook(${into} config: $config ${name}WebhookInput!): WebhookSubscription`),
		remove: mutation(needs, `delete${name}Webhook(id: $hook Int!): WebhookSubscription`),
	};
}
