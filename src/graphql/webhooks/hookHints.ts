import { foundIn, hintsOf, type EventRow, type EventRows } from '../../answers/deliveryRows.ts';
import type { DeliveryHint, DeliveryReading } from '../../forge/deliveryHint.ts';
import type { ContentArea } from '../../forge/instance.ts';
import type { ListRef } from '../../forge/list.ts';
import { refText } from '../../forge/namedRef.ts';
import type { TrackerRef } from '../../forge/tracker.ts';
import type { WebhookFamily } from '../../forge/webhook.ts';
import { deletedTicket, mailTarget, ownMailTarget, patchsetTarget, pushSaid, ticketTarget } from './hookTargets.ts';

/**
 * Maps a delivery to the data to refresh, for all events including unknown ones. The body is the response to our query,
 * or an error. It is untrusted: a ticket counts only if it is in the webhook's own tracker.
 */
export function readDelivery(family: WebhookFamily, event: string, body: Uint8Array): DeliveryReading {
	const { again, json } = hintsOf(family, rowsOf(family), { event, body });
	const isPush = family.kind === 'repository' && event === 'GIT_POST_RECEIVE';
	return { again, push: isPush ? foundIn(pushSaid, json) : undefined };
}

function rowsOf(family: WebhookFamily): EventRows {
	switch (family.kind) {
		case 'user':
			return userRows[family.area];
		case 'list':
			return listRows(family.ref);
		case 'repository':
			return { GIT_POST_RECEIVE: { otherwise: [{ kind: 'references', repository: family.ref }] } };
		case 'tracker':
			return trackerRows(family.ref);
		case 'ticket':
			// Every event refreshes the same ticket.
			return {};
	}
}

const ownTrackers: EventRow = { otherwise: [{ kind: 'ownTrackers' }] };
const ownRepositories: EventRow = { otherwise: [{ kind: 'ownRepositories' }] };
const ownLists: EventRow = { otherwise: [{ kind: 'ownLists' }] };

const userRows: Readonly<Record<ContentArea, EventRows>> = {
	todo: {
		TRACKER_CREATED: ownTrackers,
		TRACKER_UPDATE: ownTrackers,
		TRACKER_DELETED: ownTrackers,
		TICKET_CREATED: { ...ownTrackers, named: ticketOfAny },
	},
	git: { REPO_CREATED: ownRepositories, REPO_UPDATE: ownRepositories, REPO_DELETED: ownRepositories },
	lists: {
		LIST_CREATED: ownLists,
		LIST_UPDATED: ownLists,
		LIST_DELETED: ownLists,
		EMAIL_RECEIVED: { named: ownMail, otherwise: [{ kind: 'ownMails' }] },
	},
};

function listRows(list: ListRef): EventRows {
	const self: DeliveryHint = { kind: 'list', ref: list };
	const patchsets: DeliveryHint = { kind: 'patchsets', list };
	return {
		LIST_UPDATED: { otherwise: [self] },
		LIST_DELETED: { otherwise: [self] },
		EMAIL_RECEIVED: {
			named(body) {
				const id = foundIn(mailTarget, body);
				return id === undefined ? undefined : { kind: 'mail', id, list };
			},
			otherwise: [{ kind: 'mails', list }],
		},
		// A new version changes the status of the previous one, without an event.
		PATCHSET_RECEIVED: {
			named(body) {
				const id = foundIn(patchsetTarget, body);
				return id === undefined ? undefined : { kind: 'patchset', ref: { list, id } };
			},
			besides: [patchsets],
			otherwise: [patchsets],
		},
	};
}

function trackerRows(tracker: TrackerRef): EventRows {
	const self: DeliveryHint = { kind: 'tracker', ref: tracker };
	const labels: DeliveryHint = { kind: 'labels', tracker };
	const tickets: DeliveryHint = { kind: 'tickets', tracker };
	const changed: EventRow = { named: (body) => ticketOf(tracker, body), otherwise: [tickets] };
	return {
		TRACKER_UPDATE: { otherwise: [self] },
		TRACKER_DELETED: { otherwise: [self] },
		LABEL_CREATED: { otherwise: [labels] },
		// The tickets show the label with a new name, or without it.
		LABEL_UPDATE: { otherwise: [labels, tickets] },
		LABEL_DELETED: { otherwise: [labels, tickets] },
		TICKET_CREATED: changed,
		TICKET_UPDATE: changed,
		EVENT_CREATED: changed,
		TICKET_DELETED: {
			named(body) {
				const id = foundIn(deletedTicket, body);
				return id === undefined ? undefined : { kind: 'ticket', ref: { tracker, id } };
			},
			otherwise: [tickets],
		},
	};
}

/** Ignores a ticket of another tracker, because this webhook can't report it. */
function ticketOf(tracker: TrackerRef, body: unknown): DeliveryHint | undefined {
	const ref = foundIn(ticketTarget, body);
	const isOwn = ref !== undefined && refText(ref.tracker).toLowerCase() === refText(tracker).toLowerCase();
	return isOwn ? { kind: 'ticket', ref: { tracker, id: ref.id } } : undefined;
}

function ticketOfAny(body: unknown): DeliveryHint | undefined {
	const ref = foundIn(ticketTarget, body);
	return ref && { kind: 'ticket', ref };
}

function ownMail(body: unknown): DeliveryHint | undefined {
	const found = foundIn(ownMailTarget, body);
	return found && { kind: 'mail', ...found };
}
