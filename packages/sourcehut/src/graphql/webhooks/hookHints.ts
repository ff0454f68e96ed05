import * as v from 'valibot';
import { deliveryReader, foundIn, type EventRow, type EventRows } from '../../answers/deliveryRows.ts';
import type { DeliveryHint, PushedReference, PushSaid } from '../../port/deliveryHint.ts';
import type { ContentArea } from '../../port/instance.ts';
import type { ListRef } from '../../port/list.ts';
import { refText, isNameable } from '../../port/namedRef.ts';
import type { TicketRef } from '../../port/ticket.ts';
import type { TrackerRef } from '../../port/tracker.ts';
import { isObjectId } from 'patchmail/git/objectId.ts';
import { id } from '../transport/variables.ts';
import { commit } from '../git/gitAnswers.ts';

/** As `~alice/alpha#7`. */
const ticketRef = v.pipe(
	v.string(),
	v.rawTransform<string, TicketRef>(({ dataset, addIssue, NEVER }) => {
		const [, owner = '', name = '', number = ''] = /^([^/]+)\/([^#]+)#(\d{1,10})$/.exec(dataset.value) ?? [];
		if (!isNameable({ owner, name }) || !v.is(id, Number(number))) {
			addIssue({ expected: 'ticket' });
			return NEVER;
		}
		return { tracker: { owner, name }, id: Number(number) };
	}),
);

const withRef = v.object({ ref: ticketRef });

/** A ticket that is new or changed, or has a new event. */
const ticketTarget = v.union([
	v.pipe(
		ofWebhook(v.object({ ticket: withRef })),
		v.transform(({ ticket }) => ticket.ref),
	),
	v.pipe(
		ofWebhook(v.object({ newEvent: v.object({ ticket: withRef }) })),
		v.transform(({ newEvent }) => newEvent.ticket.ref),
	),
]);

/** The number of a deleted ticket. */
const deletedTicket = v.pipe(
	ofWebhook(v.object({ ticketId: id })),
	v.transform(({ ticketId }) => ticketId),
);

const mailTarget = v.pipe(
	ofWebhook(v.object({ email: v.object({ id }) })),
	v.transform(({ email }) => email.id),
);

const patchsetTarget = v.pipe(
	ofWebhook(v.object({ patchset: v.object({ id }) })),
	v.transform(({ patchset }) => patchset.id),
);

/** Checks the commit's id, because ids from a delivery become targets. */
const pushedCommit = v.pipe(
	commit,
	v.check((wire) => isObjectId(wire.id), 'object id'),
);

const objectId = v.pipe(
	v.string(),
	v.check((text) => isObjectId(text), 'object id'),
);

/** A commit, or an annotated tag of one. */
const pushedObject = v.union([
	v.pipe(
		v.object({ id: objectId, name: v.optional(v.string()), text: v.nullish(v.string()), target: pushedCommit }),
		v.transform(({ id, name, text, target }) => ({
			id,
			commit: target,
			annotatedTag: name === undefined ? undefined : { name, message: text ?? '' },
		})),
	),
	v.pipe(
		pushedCommit,
		v.transform((wire) => ({ id: wire.id, commit: wire, annotatedTag: undefined })),
	),
]);

/**
 * A created, moved or deleted reference. Servers name only a moved one (docs/protocol.md#graphql-pushes). Rejects an
 * update without any commit.
 */
const pushedReference = v.pipe(
	v.object({
		ref: v.nullable(v.object({ name: v.pipe(v.string(), v.startsWith('refs/')) })),
		old: v.nullable(pushedObject),
		new: v.nullable(pushedObject),
	}),
	v.check((wire) => wire.old !== null || wire.new !== null, 'a commit'),
	v.transform((wire): PushedReference => ({
		name: wire.ref?.name,
		...(wire.ref ? {} : { object: (wire.new ?? wire.old)?.id ?? '' }),
		before: wire.old?.commit,
		after: wire.new?.commit,
		annotatedTag: wire.new?.annotatedTag,
	})),
);

/** The payload of a push (docs/protocol.md#graphql-webhooks). */
const pushSaid = v.pipe(
	ofWebhook(
		v.object({
			uuid: v.pipe(v.string(), v.nonEmpty()),
			pusher: v.object({ canonicalName: v.string() }),
			updates: v.array(v.nullable(pushedReference)),
		}),
	),
	v.transform(({ uuid, pusher: { canonicalName }, updates }): PushSaid => ({
		pushId: uuid,
		pusher: { canonicalName, name: canonicalName.replace(/^~/, '') },
		references: updates.filter((each) => each !== null),
	})),
);

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

/* Schemas for delivery payloads. They accept only names that can occur in a path. */

/** The envelope of a payload; its data is null after an error. */
function ofWebhook<T>(schema: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, T> {
	return v.pipe(
		v.object({ data: v.object({ webhook: schema }) }),
		v.transform(({ data }) => data.webhook),
	);
}

/** The body is the response to our query, or an error. */
export const readDelivery = deliveryReader({
	user: userRows,
	list: listRows,
	tracker: trackerRows,
	push: { event: 'GIT_POST_RECEIVE', said: pushSaid },
});
