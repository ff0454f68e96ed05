import * as v from 'valibot';
import type { DeliveryHint, DeliveryReading } from '../forge/deliveryHint.ts';
import type { ContentArea } from '../forge/instance.ts';
import { listKey, refOfList } from '../forge/list.ts';
import type { ListRef } from '../forge/list.ts';
import type { RepositoryRef } from '../forge/repository.ts';
import { isNamed } from '../forge/tracker.ts';
import type { TrackerRef } from '../forge/tracker.ts';
import type { WebhookFamily } from '../forge/webhook.ts';
import { eventTarget, listTarget, ticketTarget } from './wire/deliveryTarget.ts';
import { pushSaid } from './wire/push.ts';

/** What one event says has to be read again. */
interface EventRow {
	/** The thing that the body names; `undefined` where it names none. */
	readonly named?: (body: unknown) => DeliveryHint | undefined;
	/** Read with the named thing. */
	readonly besides?: readonly DeliveryHint[];
	/** Without a named thing, as where the body is no JSON because it was cut (docs/protocol.md#deliveries). */
	readonly otherwise: readonly DeliveryHint[];
}

/** The events of one family, and what is read again after any that is not among them. */
interface FamilyRows {
	readonly rows: ReadonlyMap<string, EventRow>;
	readonly whole: readonly DeliveryHint[];
}

/** More is not looked into: no forge sends as much. */
const mostBytes = 1024 * 1024;

/**
 * What a delivery says has to be read again: of each event of the contract, of those that servers send besides or under
 * another name (docs/protocol.md#events-sent), and of any other. A name or number of the body counts only where it is of
 * the webhook's own thing.
 */
export function readDelivery(family: WebhookFamily, event: string, body: Uint8Array): DeliveryReading {
	const { rows, whole } = rowsOf(family);
	const row = rows.get(event);
	const json = jsonOf(body);
	const named = row?.named?.(json);
	const isPush = family.kind === 'repository' && event === 'repo:post-update';
	return {
		again: named === undefined ? (row?.otherwise ?? whole) : [named, ...(row?.besides ?? [])],
		push: isPush ? read(pushSaid, json) : undefined,
	};
}

function rowsOf(family: WebhookFamily): FamilyRows {
	switch (family.kind) {
		case 'user':
			return userRows[family.area];
		case 'list':
			return listRows(family.ref);
		case 'repository':
			return repositoryRows(family.ref);
		case 'tracker':
			return trackerRows(family.ref);
		case 'ticket':
			// Whatever happened to it: there is one thing to read.
			return { rows: new Map(), whole: [{ kind: 'ticket', ref: family.ref }] };
	}
}

/**
 * What is left of a thing that was removed is a number that nothing else is known by, so all of its kind is read again
 * then. A new subscription comes under the name of its end.
 */
const userRows: Readonly<Record<ContentArea, FamilyRows>> = {
	todo: familyRows([{ kind: 'ownTrackers' }], {
		'tracker:create': { otherwise: [{ kind: 'ownTrackers' }] },
		'tracker:update': { otherwise: [{ kind: 'ownTrackers' }] },
		'tracker:delete': { otherwise: [{ kind: 'ownTrackers' }] },
		'ticket:create': { named: (body) => ticketOfAny(read(ticketTarget, body)), otherwise: [{ kind: 'ownTrackers' }] },
		'event:create': { named: (body) => ticketOfAny(read(eventTarget, body)), otherwise: [{ kind: 'ownTrackers' }] },
	}),
	git: familyRows([{ kind: 'ownRepositories' }], {
		'repo:create': { otherwise: [{ kind: 'ownRepositories' }] },
		'repo:update': { otherwise: [{ kind: 'ownRepositories' }] },
		'repo:delete': { otherwise: [{ kind: 'ownRepositories' }] },
	}),
	lists: familyRows([{ kind: 'ownLists' }, { kind: 'subscriptions' }, { kind: 'ownMails' }], {
		'email:received': { named: mailOfAny, otherwise: [{ kind: 'ownMails' }] },
		'list:create': { otherwise: [{ kind: 'ownLists' }] },
		'subscription:create': { otherwise: [{ kind: 'subscriptions' }] },
		'subscription:remove': { otherwise: [{ kind: 'subscriptions' }] },
	}),
};

function listRows(list: ListRef): FamilyRows {
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
	return familyRows([self, mails, patchsets], {
		'post:received': { named: mail, otherwise: [mails] },
		'list:update': { otherwise: [self] },
		'list:delete': { otherwise: [self] },
		// A new version changes the status of the one before, of which no event tells.
		'patchset:received': { named: patchset, besides: [patchsets], otherwise: [patchsets] },
		'patchset:update': { named: patchset, otherwise: [patchsets] },
	});
}

function repositoryRows(repository: RepositoryRef): FamilyRows {
	const references: DeliveryHint = { kind: 'references', repository };
	return familyRows([{ kind: 'repository', ref: repository }, references], {
		'repo:post-update': { otherwise: [references] },
	});
}

function trackerRows(tracker: TrackerRef): FamilyRows {
	const labels: DeliveryHint = { kind: 'labels', tracker };
	const tickets: DeliveryHint = { kind: 'tickets', tracker };
	return familyRows([{ kind: 'tracker', ref: tracker }, tickets, labels], {
		'label:create': { otherwise: [labels] },
		// Its tickets no longer have it.
		'label:delete': { otherwise: [labels, tickets] },
		'ticket:create': { named: (body) => ticketOf(tracker, read(ticketTarget, body)), otherwise: [tickets] },
		'event:create': { named: (body) => ticketOf(tracker, read(eventTarget, body)), otherwise: [tickets] },
	});
}

function familyRows(whole: readonly DeliveryHint[], rows: Readonly<Record<string, EventRow>>): FamilyRows {
	return { whole, rows: new Map(Object.entries(rows)) };
}

type TicketTarget = v.InferOutput<typeof ticketTarget>;

/** A ticket of this tracker; one of another is none that this webhook can tell of. */
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
	const target = read(listTarget, body);
	return target && { kind: 'mail', id: target.id, list: target.list && refOfList(target.list) };
}

/** The number of a mail or patchset of this list. Short forms do not tell the list. */
function idIn(list: ListRef, body: unknown): number | undefined {
	const target = read(listTarget, body);
	const isOwn = target?.list === undefined || listKey(refOfList(target.list)) === listKey(list);
	return isOwn ? target?.id : undefined;
}

/** What a schema finds in a body; `undefined` where it is something else. */
function read<Output>(schema: v.GenericSchema<unknown, Output>, body: unknown): Output | undefined {
	const result = v.safeParse(schema, body, { abortEarly: true });
	return result.success ? result.output : undefined;
}

function jsonOf(body: Uint8Array): unknown {
	if (body.byteLength > mostBytes) {
		return undefined;
	}
	try {
		return JSON.parse(new TextDecoder().decode(body));
	} catch {
		return undefined;
	}
}
