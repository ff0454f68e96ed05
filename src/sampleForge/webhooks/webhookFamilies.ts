import type { Scope, WebhookFamily } from '../shared/area.ts';
import type { Dialect } from '../shared/dialect.ts';

/** Events that a family accepts at creation, with the scope that each needs. */
export type FamilyEvents = Readonly<Record<string, Scope>>;

/** The 21 events of the contract (docs/protocol.md#events-of-the-contract). */
const documented: Readonly<Record<WebhookFamily, FamilyEvents>> = {
	listsUser: {
		'email:received': 'emails:read',
		'list:create': 'lists:read',
		'subscription:create': 'subs:read',
		'subscription:remove': 'subs:read',
	},
	listsList: { 'patchset:received': 'patches:read', 'post:received': 'lists:read', 'list:update': 'lists:read' },
	gitUser: { 'repo:create': 'info:read', 'repo:update': 'info:read', 'repo:delete': 'info:read' },
	gitRepository: { 'repo:post-update': 'data:read' },
	todoUser: {
		'tracker:create': 'trackers:read',
		'tracker:update': 'trackers:read',
		'tracker:delete': 'trackers:read',
		'ticket:create': 'tickets:read',
		'event:create': 'tickets:read',
	},
	todoTracker: { 'label:create': 'trackers:read', 'label:delete': 'trackers:read', 'ticket:create': 'tickets:read' },
	todoTicket: { 'ticket:update': 'tickets:read', 'event:create': 'tickets:read' },
};

/** Accepted events where servers differ (docs/protocol.md#events-sent). */
const observed: Partial<Record<WebhookFamily, FamilyEvents>> = {
	todoUser: {
		'tracker:create': 'trackers:read',
		'tracker:update': 'trackers:read',
		'tracker:delete': 'trackers:read',
		'ticket:create': 'tickets:read',
	},
	todoTracker: { ...documented.todoTracker, 'event:create': 'tickets:read' },
	listsList: { ...documented.listsList, 'list:delete': 'lists:read', 'patchset:update': 'patches:read' },
};

const neverSent: ReadonlySet<string> = new Set(['ticket:update', 'patchset:update']);

/** Valid events of a family. */
export function acceptedEvents(dialect: Dialect, family: WebhookFamily): FamilyEvents {
	return (dialect.observedEvents ? observed[family] : undefined) ?? documented[family];
}

/** Name of an event on the wire; undefined if the dialect never sends it. */
export function sentName(dialect: Dialect, event: string): string | undefined {
	if (!dialect.observedEvents) {
		return event;
	}
	if (neverSent.has(event)) {
		return undefined;
	}
	// The servers observed announce a new subscription under the name of its end.
	return event === 'subscription:create' ? 'subscription:remove' : event;
}
