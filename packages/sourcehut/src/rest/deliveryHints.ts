import * as v from 'valibot';
import { deliveryReader, foundIn, type EventRow, type EventRows } from '../answers/deliveryRows.ts';
import type { DeliveryHint, PushedReference, PushSaid } from '../port/deliveryHint.ts';
import type { ContentArea } from '../port/instance.ts';
import { listKey, refOfList, type ListRef } from '../port/list.ts';
import { isNamed, type TrackerRef } from '../port/tracker.ts';
import { isNameable } from '../port/namedRef.ts';
import { id } from './wire/tracker.ts';
import { shortUser } from './wire/user.ts';
import { isObjectId } from 'patchmail/git/objectId.ts';
import { commit } from './wire/repository.ts';

const ownTrackers: EventRow = { otherwise: [{ kind: 'ownTrackers' }] };
const ownRepositories: EventRow = { otherwise: [{ kind: 'ownRepositories' }] };

/**
 * A removal reports only a number, and nothing else identifies the resource by it. So the whole kind becomes stale.
 * Servers report a new subscription as `subscription:remove` too.
 */
const userRows: Readonly<Record<ContentArea, EventRows>> = {
	todo: {
		'tracker:create': ownTrackers,
		'tracker:update': ownTrackers,
		'tracker:delete': ownTrackers,
		'ticket:create': { ...ownTrackers, named: (body) => ticketOfAny(foundIn(ticketTarget, body)) },
		'event:create': { ...ownTrackers, named: (body) => ticketOfAny(foundIn(eventTarget, body)) },
	},
	git: { 'repo:create': ownRepositories, 'repo:update': ownRepositories, 'repo:delete': ownRepositories },
	lists: {
		'email:received': { named: mailOfAny, otherwise: [{ kind: 'ownMails' }] },
		'list:create': { otherwise: [{ kind: 'ownLists' }] },
		'subscription:create': { otherwise: [{ kind: 'subscriptions' }] },
		'subscription:remove': { otherwise: [{ kind: 'subscriptions' }] },
	},
};

function listRows(list: ListRef): EventRows {
	const self: DeliveryHint = { kind: 'list', ref: list };
	const mails: DeliveryHint = { kind: 'mails', list };
	const patchsets: DeliveryHint = { kind: 'patchsets', list };
	const mail = (body: unknown): DeliveryHint | undefined => {
		const id = idIn(list, body);
		return id === undefined ? undefined : { kind: 'mail', id, list };
	};
	const patchset = (body: unknown): DeliveryHint | undefined => {
		const id = idIn(list, body);
		return id === undefined ? undefined : { kind: 'patchset', ref: { list, id } };
	};
	return {
		'post:received': { named: mail, otherwise: [mails] },
		'list:update': { otherwise: [self] },
		'list:delete': { otherwise: [self] },
		// A new version changes the status of the previous one without an event.
		'patchset:received': { named: patchset, besides: [patchsets], otherwise: [patchsets] },
		'patchset:update': { named: patchset, otherwise: [patchsets] },
	};
}

function trackerRows(tracker: TrackerRef): EventRows {
	const labels: DeliveryHint = { kind: 'labels', tracker };
	const tickets: DeliveryHint = { kind: 'tickets', tracker };
	return {
		'label:create': { otherwise: [labels] },
		// The tickets lose the label.
		'label:delete': { otherwise: [labels, tickets] },
		'ticket:create': { named: (body) => ticketOf(tracker, foundIn(ticketTarget, body)), otherwise: [tickets] },
		'event:create': { named: (body) => ticketOf(tracker, foundIn(eventTarget, body)), otherwise: [tickets] },
	};
}

type TicketTarget = v.InferOutput<typeof ticketTarget>;

/** A ticket of this tracker. Ignores foreign tickets, because this webhook can't report them. */
function ticketOf(ref: TrackerRef, target: TicketTarget | undefined): DeliveryHint | undefined {
	const isOwn = target?.tracker === undefined || isNamed(target.tracker, ref);
	return target === undefined || !isOwn ? undefined : { kind: 'ticket', ref: { tracker: ref, id: target.id } };
}

function ticketOfAny(target: TicketTarget | undefined): DeliveryHint | undefined {
	if (target?.tracker === undefined) {
		return undefined;
	}
	const { owner, name } = target.tracker;
	return { kind: 'ticket', ref: { tracker: { owner: owner.canonicalName, name }, id: target.id } };
}

function mailOfAny(body: unknown): DeliveryHint | undefined {
	const target = foundIn(listTarget, body);
	return target && { kind: 'mail', id: target.id, list: target.list && refOfList(target.list) };
}

/** Number of a mail or patchset in this list. Short forms omit the list. */
function idIn(list: ListRef, body: unknown): number | undefined {
	const target = foundIn(listTarget, body);
	const isOwn = target?.list === undefined || listKey(refOfList(target.list)) === listKey(list);
	return isOwn ? target?.id : undefined;
}

/* Decodes only the names in deliveries, and ignores all other fields. Names must be valid path segments. */

/** Numbers start at 1. */
const number = v.pipe(id, v.minValue(1));

/** The owning list or tracker; deliveries may omit it. */
const named = v.pipe(
	v.nullish(
		v.pipe(
			v.object({ owner: shortUser, name: v.string() }),
			v.check(({ owner, name }) => isNameable({ owner: owner.canonicalName, name }), 'a name'),
		),
	),
	v.transform((found) => found ?? undefined),
);

/** A mail or a patchset. */
const listTarget = v.object({ id: number, list: v.optional(named) });

/** A ticket of a tracker. */
const ticketTarget = v.object({ id: number, tracker: v.optional(named) });

/** The ticket of an event. For a mention without its target, the mentioning ticket. */
const eventTarget = v.pipe(
	v.object({ ticket: v.nullish(ticketTarget), from_ticket: v.nullish(ticketTarget) }),
	v.transform((wire) => wire.ticket ?? wire.from_ticket ?? undefined),
);

/** A commit with a valid object id: values of a delivery become link targets. */
const pushedCommit = v.pipe(
	commit,
	v.check(({ id }) => isObjectId(id), 'object id'),
);

/** Created, moved or deleted. Rejects a reference without any commit. */
const pushedReference = v.pipe(
	v.object({
		name: v.pipe(v.string(), v.startsWith('refs/')),
		old: v.nullable(pushedCommit),
		new: v.nullable(pushedCommit),
		// Absent in some server programs, null in others (docs/protocol.md#push-events).
		annotated_tag: v.nullish(v.object({ name: v.string(), message: v.string() })),
	}),
	v.check((wire) => wire.old !== null || wire.new !== null, 'a commit'),
	v.transform((wire): PushedReference => ({
		name: wire.name,
		before: wire.old ?? undefined,
		after: wire.new ?? undefined,
		annotatedTag: wire.annotated_tag ?? undefined,
	})),
);

/** Body of `repo:post-update` (docs/protocol.md#push-events). */
const pushSaid = v.pipe(
	v.object({ push: v.pipe(v.string(), v.nonEmpty()), pusher: shortUser, refs: v.array(pushedReference) }),
	v.transform((wire): PushSaid => ({ pushId: wire.push, pusher: wire.pusher, references: wire.refs })),
);

/** Events of the contract, and additional or renamed ones of servers (docs/protocol.md#events-sent). */
export const readDelivery = deliveryReader({
	user: userRows,
	list: listRows,
	tracker: trackerRows,
	push: { event: 'repo:post-update', said: pushSaid },
});
