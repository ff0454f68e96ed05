import type { DeliveryHint } from 'sourcehut/port/deliveryHint.ts';
import type { WebhookFamily } from 'sourcehut/port/webhook.ts';
import {
	addLabel,
	beSubscribed,
	beUnsubscribed,
	eventPlaces,
	move,
	push,
	removeLabel,
	retitle,
	say,
	sendMail,
	sendPatch,
	submit,
	subscribe,
	tag,
	unsubscribe,
	type EventWorld,
} from './eventCauses.ts';
import type { EventResource } from './eventResources.ts';
import { fieldsOf, partOf } from './sampleForge.ts';

const { tracker, list, repository } = eventPlaces;

/** Webhook families of the contract, by their names in the rows. */
export const eventFamilies = {
	listsUser: { kind: 'user', area: 'lists' },
	list: { kind: 'list', ref: list },
	gitUser: { kind: 'user', area: 'git' },
	repository: { kind: 'repository', ref: repository },
	todoUser: { kind: 'user', area: 'todo' },
	tracker: { kind: 'tracker', ref: tracker },
	ticket: { kind: 'ticket', ref: { tracker, id: 1 } },
} as const satisfies Readonly<Record<string, WebhookFamily>>;

export type EventFamily = keyof typeof eventFamilies;

export interface EventRow {
	readonly family: EventFamily;
	readonly event: string;
	readonly scope: string;
	readonly body: EventResource;
	/** Resources that a delivery makes stale. */
	readonly again: readonly DeliveryHint['kind'][];
	/** Behaviour of running forges (docs/protocol.md#events-sent); by default they send the same. */
	readonly field?: 'refused' | 'never sent' | 'renamed';
	/** Triggers the event. Resolves to the resource in the API's form. */
	readonly cause: (world: EventWorld) => Promise<unknown>;
	/** Sets up the state before the event. */
	readonly prepare?: (world: EventWorld) => Promise<unknown>;
}

/** The events of the contract (docs/protocol.md#events-of-the-contract), row by row. */
export const eventRows: readonly EventRow[] = [
	{
		family: 'listsUser',
		event: 'email:received',
		scope: 'emails:read',
		body: 'email',
		again: ['mail'],
		cause: sendMail,
	},
	{
		family: 'listsUser',
		event: 'list:create',
		scope: 'lists:read',
		body: 'list',
		again: ['ownLists'],
		cause: ({ ask }) => ask('lists', 'POST', '/api/lists', { name: 'evening' }),
	},
	{
		family: 'listsUser',
		event: 'subscription:create',
		scope: 'subs:read',
		body: 'subscription',
		again: ['subscriptions'],
		field: 'renamed',
		prepare: beUnsubscribed,
		cause: subscribe,
	},
	{
		family: 'listsUser',
		event: 'subscription:remove',
		scope: 'subs:read',
		body: 'gone',
		again: ['subscriptions'],
		prepare: beSubscribed,
		cause: unsubscribe,
	},
	{
		family: 'list',
		event: 'patchset:received',
		scope: 'patches:read',
		body: 'patchset',
		again: ['patchset', 'patchsets'],
		cause: sendPatch,
	},
	{ family: 'list', event: 'post:received', scope: 'lists:read', body: 'email', again: ['mail'], cause: sendMail },
	{
		family: 'list',
		event: 'list:update',
		scope: 'lists:read',
		body: 'list',
		again: ['list'],
		cause: ({ ask }) => ask('lists', 'PUT', '/api/lists/workshop-devel', { description: 'Patches and talk' }),
	},
	{
		family: 'gitUser',
		event: 'repo:create',
		scope: 'info:read',
		body: 'repository',
		again: ['ownRepositories'],
		cause: ({ ask }) => ask('git', 'POST', '/api/repos', { name: 'evening' }),
	},
	{
		family: 'gitUser',
		event: 'repo:update',
		scope: 'info:read',
		body: 'repository',
		again: ['ownRepositories'],
		cause: ({ ask }) => ask('git', 'PUT', '/api/repos/lantern-plugins', { description: 'What it can be taught' }),
	},
	{
		family: 'gitUser',
		event: 'repo:delete',
		scope: 'info:read',
		body: 'gone',
		again: ['ownRepositories'],
		prepare: ({ ask }) => ask('git', 'POST', '/api/repos', { name: 'short-lived' }),
		async cause({ ask }) {
			const { id } = fieldsOf(await ask('git', 'GET', '/api/repos/short-lived'));
			await ask('git', 'DELETE', '/api/repos/short-lived');
			return { id };
		},
	},
	{
		family: 'repository',
		event: 'repo:post-update',
		scope: 'data:read',
		body: 'push',
		again: ['references'],
		cause: push,
	},
	{
		family: 'todoUser',
		event: 'tracker:create',
		scope: 'trackers:read',
		body: 'tracker',
		again: ['ownTrackers'],
		cause: ({ ask }) => ask('todo', 'POST', '/api/trackers', { name: 'evening' }),
	},
	{
		family: 'todoUser',
		event: 'tracker:update',
		scope: 'trackers:read',
		body: 'tracker',
		again: ['ownTrackers'],
		cause: ({ ask }) => ask('todo', 'PUT', '/api/trackers/workshop', { description: 'What is wrong with the light' }),
	},
	{
		family: 'todoUser',
		event: 'tracker:delete',
		scope: 'trackers:read',
		body: 'gone',
		again: ['ownTrackers'],
		prepare: ({ ask }) => ask('todo', 'POST', '/api/trackers', { name: 'short-lived' }),
		async cause({ ask, sample: { dialect } }) {
			const { id } = fieldsOf(await ask('todo', 'GET', '/api/trackers/short-lived'));
			await ask('todo', 'DELETE', '/api/trackers/short-lived');
			return dialect === 'field' ? { id } : undefined;
		},
	},
	{
		family: 'todoUser',
		event: 'ticket:create',
		scope: 'tickets:read',
		body: 'ticket',
		again: ['ticket'],
		field: 'never sent',
		cause: submit,
	},
	{
		family: 'todoUser',
		event: 'event:create',
		scope: 'tickets:read',
		body: 'event',
		again: ['ticket'],
		field: 'refused',
		async cause(world) {
			await move(world, 'in_progress');
			const json = await world.ask('todo', 'GET', '/api/user/~alice/trackers/workshop/tickets/1/events');
			return partOf(json, Array.isArray(json) ? [0] : ['results', 0]);
		},
	},
	{
		family: 'tracker',
		event: 'label:create',
		scope: 'trackers:read',
		body: 'label',
		again: ['labels'],
		cause: (world) => addLabel(world, 'dusk'),
	},
	{
		family: 'tracker',
		event: 'label:delete',
		scope: 'trackers:read',
		body: 'gone',
		again: ['labels', 'tickets'],
		async prepare(world) {
			await addLabel(world, 'dawn');
			await tag({ ...world, by: 'alice' }, 'dawn');
		},
		cause: (world) => removeLabel(world, 'dawn'),
	},
	{
		family: 'tracker',
		event: 'ticket:create',
		scope: 'tickets:read',
		body: 'ticket',
		again: ['ticket'],
		cause: submit,
	},
	{
		family: 'ticket',
		event: 'ticket:update',
		scope: 'tickets:read',
		body: 'ticket',
		again: ['ticket'],
		field: 'never sent',
		cause: retitle,
	},
	{ family: 'ticket', event: 'event:create', scope: 'tickets:read', body: 'event', again: ['ticket'], cause: say },
];
