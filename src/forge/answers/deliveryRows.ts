import * as v from 'valibot';
import type { DeliveryHint } from '../port/deliveryHint.ts';
import type { ContentArea } from '../port/instance.ts';
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

export interface ArrivedDelivery {
	readonly event: string;
	readonly body: Uint8Array;
}

/** No forge sends larger bodies. */
const mostBytes = 1024 * 1024;

/**
 * Stale resources of a delivery, and its parsed body. An unknown event makes all resources of the family stale.
 */
export function hintsOf(
	family: WebhookFamily,
	rows: EventRows,
	{ event, body }: ArrivedDelivery,
): { readonly again: readonly DeliveryHint[]; readonly json: unknown } {
	const row = Object.hasOwn(rows, event) ? rows[event] : undefined;
	const json = jsonOf(body);
	const named = row?.named?.(json);
	return {
		again: named === undefined ? (row?.otherwise ?? wholeOf(family)) : [named, ...(row?.besides ?? [])],
		json,
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
