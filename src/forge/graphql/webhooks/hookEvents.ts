import type { GroupEvents, WebhookEventGroup } from '../../port/webhook.ts';

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
/** The account's own mails may be in any list. */
const onOwnMail = '... on EmailEvent { email { id list { name owner { canonicalName } } } }';
const onPatchset = '... on PatchsetEvent { patchset { id } }';
const commit =
	'... on Commit { shortId author { name email time } committer { name email time } message tree { id } parents { id } }';
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
	// Mail events also cover the account's own patchsets.
	listsUser: {
		LIST_CREATED: { grant: 'LISTS:RO', payload: '' },
		...changedList,
		EMAIL_RECEIVED: { grant: 'EMAILS:RO', payload: onOwnMail },
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
	ticket: changedTicket,
};

export function eventsOfGroup(group: WebhookEventGroup): GroupEvents {
	return { all: Object.keys(events[group]), doubtful: [] };
}

/** The webhook's query. The server runs it for each event. */
export function hookQuery(group: WebhookEventGroup, wanted: readonly string[]): string {
	const payloads = new Set(wanted.map((event) => events[group][event]?.payload ?? ''));
	const text = `query { webhook { uuid event date ${[...payloads].join(' ')} } }`;
	return text.replaceAll(/\s+/g, ' ');
}

export function grantOfEvent(group: WebhookEventGroup, event: string): string | undefined {
	return events[group][event]?.grant;
}
