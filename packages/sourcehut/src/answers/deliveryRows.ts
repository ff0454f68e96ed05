import * as v from 'valibot';
import type { DeliveryHint, DeliveryReading, PushSaid } from '../port/deliveryHint.ts';
import type { ContentArea } from '../port/instance.ts';
import type { ListRef } from '../port/list.ts';
import type { TrackerRef } from '../port/tracker.ts';
import type { WebhookFamily } from '../port/webhook.ts';

/** Resources that one event makes stale. */
export interface EventRow {
	/** Resource in the body. */
	readonly named?: (body: unknown) => DeliveryHint | undefined;
	/** Also stale if the body names a resource. */
	readonly besides?: readonly DeliveryHint[];
	/** Stale if the body names none, for example because the server truncated it (docs/protocol.md#deliveries). */
	readonly otherwise: readonly DeliveryHint[];
}

/** By event name. */
export type EventRows = Readonly<Record<string, EventRow>>;

/** No forge sends larger bodies. */
const mostBytes = 1024 * 1024;

/** The events of a protocol. */
interface ProtocolRows {
	readonly user: Readonly<Record<ContentArea, EventRows>>;
	list(ref: ListRef): EventRows;
	tracker(ref: TrackerRef): EventRows;
	/** Event of a push, and its body. */
	readonly push: { readonly event: string; readonly said: v.GenericSchema<unknown, PushSaid> };
}

/**
 * Maps a delivery to the data to refresh, for all events. An unknown event makes all resources of the family stale. The
 * body is untrusted: names and numbers count only within the webhook's own resource.
 */
export function deliveryReader(rows: ProtocolRows) {
	const rowsOf = (family: WebhookFamily): EventRows => {
		switch (family.kind) {
			case 'user':
				return rows.user[family.area];
			case 'list':
				return rows.list(family.ref);
			case 'repository':
				return { [rows.push.event]: { otherwise: [{ kind: 'references', repository: family.ref }] } };
			case 'tracker':
				return rows.tracker(family.ref);
			case 'ticket':
				// Every event makes the same ticket stale.
				return {};
		}
	};
	return (family: WebhookFamily, event: string, body: Uint8Array): DeliveryReading => {
		const known = rowsOf(family);
		const row = Object.hasOwn(known, event) ? known[event] : undefined;
		let json: unknown;
		try {
			json = body.byteLength > mostBytes ? undefined : JSON.parse(new TextDecoder().decode(body));
		} catch {
			// The resource stays unnamed.
		}
		const named = row?.named?.(json);
		const isPush = family.kind === 'repository' && event === rows.push.event;
		return {
			again: named === undefined ? (row?.otherwise ?? wholeOf(family)) : [named, ...(row?.besides ?? [])],
			push: isPush ? foundIn(rows.push.said, json) : undefined,
		};
	};
}

const wholeOfOwn: Readonly<Record<ContentArea, readonly DeliveryHint[]>> = {
	todo: [{ kind: 'ownTrackers' }],
	git: [{ kind: 'ownRepositories' }],
	lists: [{ kind: 'ownLists' }, { kind: 'subscriptions' }, { kind: 'ownMails' }],
};

/** All resources of a family. */
function wholeOf(family: WebhookFamily): readonly DeliveryHint[] {
	switch (family.kind) {
		case 'user':
			return wholeOfOwn[family.area];
		case 'list':
			return [
				{ kind: 'list', ref: family.ref },
				{ kind: 'mails', list: family.ref },
				{ kind: 'patchsets', list: family.ref },
			];
		case 'repository':
			return [
				{ kind: 'repository', ref: family.ref },
				{ kind: 'references', repository: family.ref },
			];
		case 'tracker':
			return [
				{ kind: 'tracker', ref: family.ref },
				{ kind: 'tickets', tracker: family.ref },
				{ kind: 'labels', tracker: family.ref },
			];
		case 'ticket':
			return [{ kind: 'ticket', ref: family.ref }];
	}
}

/** `undefined` if the body does not match. */
export function foundIn<Output>(schema: v.GenericSchema<unknown, Output>, body: unknown): Output | undefined {
	const result = v.safeParse(schema, body, { abortEarly: true });
	return result.success ? result.output : undefined;
}
