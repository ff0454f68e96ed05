import * as v from 'valibot';
import { timestamp } from '../../answers/timestamp.ts';
import type { WebhookApi } from '../../port/forge.ts';
import { ForgeError, isForgeError, type Problem } from '../../port/forgeError.ts';
import {
	type GroupEvents,
	type WebhookEventGroup,
	eventGroupOf,
	type NewWebhook,
	type WebhookFamily,
	type Webhook,
	type WebhookDelivery,
} from '../../port/webhook.ts';
import type { MissingGrants } from '../transport/grants.ts';
import type { GraphqlCaller } from '../transport/graphqlCaller.ts';
import { cursorPage, listed, orNotFound } from '../transport/listed.ts';
import { mutation, query, type Needs } from '../transport/operations.ts';
import { partly, unsentIn } from '../transport/partial.ts';
import { selected } from '../transport/selection.ts';
import type { Variables } from '../transport/smallerQuestions.ts';
import { askableId, byName, id } from '../transport/variables.ts';
import { repositoryId } from '../git/namedRepositories.ts';
import { inList } from '../lists/listAnswers.ts';
import { listIds } from '../lists/listIds.ts';
import { inTracker } from '../todo/todoAnswers.ts';
import { trackerIds } from '../todo/trackerIds.ts';
import { readDelivery } from './hookHints.ts';

/** One event of the API. */
interface HookEvent {
	/** Without this grant the server rejects the whole webhook. */
	readonly grant: string;
	/**
	 * Fields that name the thing to refresh, and no more. They need no grant beyond the ones for that refresh: if one
	 * is missing, the payload has no data, and only the event's name remains.
	 */
	readonly payload: string;
}

type Events = Readonly<Record<string, HookEvent>>;

const onTicket = '... on TicketEvent { ticket { ref } }';
const onNewEvent = '... on EventCreated { newEvent { ticket { ref } } }';
const onDeletedTicket = '... on TicketDeletedEvent { ticketId }';
const onMail = '... on EmailEvent { email { id } }';
const onPatchset = '... on PatchsetEvent { patchset { id } }';
const commit =
	'... on Commit { shortId author { name email time } committer { name email } message tree { id } parents { id } }';
/** No other API reports the pusher (docs/protocol.md#push-events). */
const onPush = `... on GitEvent { pusher { canonicalName } updates {
	ref { name }
	old { id ${commit} ... on Tag { target { id ${commit} } } }
	new { id ${commit} ... on Tag { name text: message target { id ${commit} } } }
} }`;

const changedTracker: Events = {
	TRACKER_UPDATE: { grant: 'TRACKERS:RO', payload: '' },
	TRACKER_DELETED: { grant: 'TRACKERS:RO', payload: '' },
};
const changedTicket: Events = {
	TICKET_UPDATE: { grant: 'TICKETS:RO', payload: onTicket },
	TICKET_DELETED: { grant: 'TICKETS:RO', payload: onDeletedTicket },
	EVENT_CREATED: { grant: 'EVENTS:RO', payload: onNewEvent },
};
const changedList: Events = {
	LIST_UPDATED: { grant: 'LISTS:RO', payload: '' },
	LIST_DELETED: { grant: 'LISTS:RO', payload: '' },
};

/** The events of each group (docs/protocol.md#graphql-webhooks). */
const events: Readonly<Record<WebhookEventGroup, Events>> = {
	todoUser: {
		TRACKER_CREATED: { grant: 'TRACKERS:RO', payload: '' },
		...changedTracker,
		TICKET_CREATED: { grant: 'TICKETS:RO', payload: onTicket },
	},
	gitUser: {
		REPO_CREATED: { grant: 'REPOSITORIES:RO', payload: '' },
		REPO_UPDATE: { grant: 'REPOSITORIES:RO', payload: '' },
		REPO_DELETED: { grant: 'REPOSITORIES:RO', payload: '' },
	},
	// Excludes `EMAIL_RECEIVED` and `PATCHSET_RECEIVED`, because servers never send them here.
	listsUser: {
		LIST_CREATED: { grant: 'LISTS:RO', payload: '' },
		...changedList,
	},
	list: {
		...changedList,
		EMAIL_RECEIVED: { grant: 'EMAILS:RO', payload: onMail },
		PATCHSET_RECEIVED: { grant: 'PATCHES:RO', payload: onPatchset },
	},
	// Excludes `GIT_PRE_RECEIVE`, because it would delay the push.
	repository: { GIT_POST_RECEIVE: { grant: 'OBJECTS:RO', payload: onPush } },
	tracker: {
		...changedTracker,
		LABEL_CREATED: { grant: 'TRACKERS:RO', payload: '' },
		LABEL_UPDATE: { grant: 'TRACKERS:RO', payload: '' },
		LABEL_DELETED: { grant: 'TRACKERS:RO', payload: '' },
		TICKET_CREATED: { grant: 'TICKETS:RO', payload: onTicket },
		...changedTicket,
	},
	// Every event makes the same ticket stale.
	ticket: Object.fromEntries(
		Object.entries(changedTicket).map(([event, { grant }]) => [event, { grant, payload: '' }] as const),
	),
};

export function eventsOfGroup(group: WebhookEventGroup): GroupEvents {
	return { all: Object.keys(events[group]), doubtful: [] };
}

/** The webhook's query. The server runs it for each event. */
export function hookQuery(group: WebhookEventGroup, wanted: readonly string[]): string {
	const payloads = new Set(wanted.map((event) => events[group][event]?.payload ?? ''));
	const text = `query { webhook { uuid ${[...payloads].join(' ')} } }`;
	return text.replaceAll(/\s+/g, ' ');
}

function grantOfEvent(group: WebhookEventGroup, event: string): string | undefined {
	return events[group][event]?.grant;
}

const hook = v.pipe(
	selected('WebhookSubscription', { id, url: v.string(), events: v.array(v.string()) }),
	v.transform((wire): Webhook => wire),
);

const delivery = v.pipe(
	selected('WebhookDelivery', {
		uuid: v.string(),
		date: timestamp,
		event: v.string(),
		requestBody: v.string(),
		responseBody: v.nullish(v.string()),
		responseStatus: v.nullish(v.pipe(v.number(), v.safeInteger())),
		...partly,
	}),
	v.transform((wire): WebhookDelivery => ({
		id: wire.uuid,
		createdMs: wire.date,
		event: wire.event,
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
