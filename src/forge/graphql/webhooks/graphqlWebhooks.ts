import * as v from 'valibot';
import type { RawPage } from '../../answers/pagingWay.ts';
import { timestamp } from '../../answers/timestamp.ts';
import type { WebhookApi } from '../../port/forge.ts';
import { ForgeError, isForgeError, type Problem } from '../../port/forgeError.ts';
import type { ContentArea } from '../../port/instance.ts';
import type { Scope } from '../../port/scope.ts';
import {
	eventGroupOf,
	type NewWebhook,
	type WebhookFamily,
	type Webhook,
	type WebhookDelivery,
} from '../../port/webhook.ts';
import { below } from '../door/below.ts';
import { cursorPage } from '../door/cursorPage.ts';
import { graphql } from '../door/document.ts';
import type { MissingGrants } from '../door/grants.ts';
import type { GraphqlCaller, Operation } from '../door/graphqlCaller.ts';
import { listed, orNotFound } from '../door/listed.ts';
import { partly, unsentIn } from '../door/partial.ts';
import type { Variables } from '../door/smallerQuestions.ts';
import { askableId, byName, id } from '../door/variables.ts';
import { repositoryId } from '../git/namedRepositories.ts';
import { listIds } from '../lists/listIds.ts';
import { trackerIds } from '../todo/trackerIds.ts';
import { eventsOfGroup, grantOfEvent, hookQuery } from './hookEvents.ts';
import { readDelivery } from './hookHints.ts';

const hook = v.pipe(
	v.object({ id, url: v.string(), events: v.array(v.string()) }),
	v.transform((wire): Webhook => wire),
);

const delivery = v.pipe(
	v.object({
		uuid: v.string(),
		date: timestamp,
		event: v.string(),
		subscription: v.object({ url: v.string() }),
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

const nothing = { variables: '', takes: '' };

const ofSomething = { all: { name: 'webhooks', ...nothing }, single: 'webhook' };

const user = { name: 'user', text: 'user(username: $owner)', type: 'User' };

const tracker = { name: 'tracker', text: 'tracker(name: $name)', type: 'Tracker' };

const ticket = { name: 'ticket', text: 'ticket(id: $ticket)', type: 'Ticket' };

const list = { name: 'list', text: 'list(name: $name)', type: 'MailingList' };

const named = '$owner: String!, $name: String!';

export const hookDocuments = {
	todoUser: ownHooks('todo', 'trackers:read'),
	gitUser: ownHooks('git', 'info:read'),
	listsUser: ownHooks('lists', 'lists:read'),
	tracker: hooksAt({
		...ofSomething,
		name: 'Tracker',
		area: 'todo',
		scope: 'trackers:read',
		around: { variables: named, fields: [user, tracker] },
		into: { variables: '$trackerId: Int!', takes: 'trackerId: $trackerId' },
	}),
	ticket: hooksAt({
		...ofSomething,
		name: 'Ticket',
		area: 'todo',
		scope: 'tickets:read',
		around: { variables: `${named}, $ticket: Int!`, fields: [user, tracker, ticket] },
		into: { variables: '$trackerId: Int!, $ticket: Int!', takes: 'trackerId: $trackerId, ticketId: $ticket' },
	}),
	list: hooksAt({
		...ofSomething,
		name: 'MailingList',
		area: 'lists',
		scope: 'lists:read',
		around: { variables: named, fields: [user, list] },
		into: { variables: '$listId: Int!', takes: 'listId: $listId' },
	}),
	repository: hooksAt({
		name: 'Git',
		area: 'git',
		scope: 'info:read',
		around: { variables: '', fields: [] },
		all: { name: 'gitWebhooks', variables: '$repositoryId: Int!', takes: 'repositoryID: $repositoryId' },
		single: 'gitWebhook',
		into: nothing,
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

/** Documents for the webhooks of one family (docs/protocol.md#graphql-webhooks). */
interface HookDocuments {
	readonly list: Operation<RawPage<Webhook> | undefined>;
	readonly one: Operation<Webhook | undefined>;
	/** The deliveries of a webhook. */
	readonly deliveries: Operation<RawPage<WebhookDelivery> | undefined>;
	readonly create: Operation<{ readonly id: number } | undefined>;
	readonly remove: Operation<{ readonly id: number } | undefined>;
}

/** The API location of a family's webhooks. */
interface HookPlace {
	/** As in mutation names: `Tracker` of `createTrackerWebhook`. */
	readonly name: string;
	readonly area: ContentArea;
	readonly scope: Scope;
	/** The enclosing fields from the root, with their types and variables. */
	readonly around: {
		readonly variables: string;
		readonly fields: readonly { readonly name: string; readonly text: string; readonly type: string }[];
	};
	/** The fields for the list (with its arguments besides the cursor) and for a single webhook. */
	readonly all: { readonly name: string; readonly variables: string; readonly takes: string };
	readonly single: string;
	/** The arguments of the create mutation besides `config`. */
	readonly into: { readonly variables: string; readonly takes: string };
}

function hooksAt({ name, area, scope, around, all, single, into }: HookPlace): HookDocuments {
	const reading = { area, scope };
	const path = around.fields.map((field) => field.name);
	const open = around.fields.map(({ text, type }) => `${text} { # ${type}`).join('\n');
	const close = around.fields.map(() => '}').join(' ');
	const fields = '{ # WebhookSubscription\nid url events }';
	const variables = (...parts: readonly string[]): string =>
		parts.some((part) => part !== '') ? `(${parts.filter((part) => part !== '').join(', ')})` : '';
	return {
		list: {
			...reading,
			document: graphql(`query ${name}Webhooks${variables(around.variables, all.variables, '$cursor: Cursor')} { # Query
				${open}
				${all.name}(${all.takes} cursor: $cursor) { # WebhookSubscriptionCursor
					cursor
					results ${fields}
				}
				${close}
			}`),
			read: below([...path, all.name], cursorPage(hook)),
		},
		one: {
			...reading,
			document: graphql(`query ${name}Webhook${variables(around.variables, '$hook: Int!')} { # Query
				${open}
				${single}(id: $hook) ${fields}
				${close}
			}`),
			read: below([...path, single], hook),
		},
		deliveries: {
			...reading,
			document: graphql(`query ${name}Deliveries${variables(around.variables, '$hook: Int!, $cursor: Cursor')} { # Query
				${open}
				${single}(id: $hook) { # WebhookSubscription
					deliveries(cursor: $cursor) { # WebhookDeliveryCursor
						cursor
						results { # WebhookDelivery
							uuid date event requestBody responseBody responseStatus
							subscription { # WebhookSubscription
								url
							}
						}
					}
				}
				${close}
			}`),
			read: below([...path, single, 'deliveries'], cursorPage(delivery)),
		},
		create: {
			...reading,
			document: graphql(
				`mutation Create${name}Webhook${variables(into.variables, `$config: ${name}WebhookInput!`)} { # Mutation
				create${name}Webhook(${into.takes} config: $config) { # WebhookSubscription
					id
				}
			}`,
			),
			read: below([`create${name}Webhook`], v.object({ id })),
		},
		remove: {
			...reading,
			document: graphql(`mutation Delete${name}Webhook($hook: Int!) { # Mutation
				delete${name}Webhook(id: $hook) { # WebhookSubscription
					id
				}
			}`),
			read: below([`delete${name}Webhook`], v.object({ id })),
		},
	};
}

/** The account's webhooks for a whole service. */
function ownHooks(area: ContentArea, scope: Scope): HookDocuments {
	return hooksAt({
		name: 'User',
		area,
		scope,
		around: { variables: '', fields: [] },
		all: { name: 'userWebhooks', ...nothing },
		single: 'userWebhook',
		into: nothing,
	});
}
