import * as v from 'valibot';
import type { DeliveryHint } from '../forge/deliveryHint.ts';
import type { ContentArea } from '../forge/instance.ts';
import type { WebhookFamily } from '../forge/webhook.ts';

/** What one event says has to be read again. */
export interface EventRow {
	/** The thing that the body names; `undefined` where it names none. */
	readonly named?: (body: unknown) => DeliveryHint | undefined;
	/** Read with the named thing. */
	readonly besides?: readonly DeliveryHint[];
	/** Without a named thing, as where the body is no JSON because it was cut (docs/protocol.md#deliveries). */
	readonly otherwise: readonly DeliveryHint[];
}

/** The events of one family, by their names. */
export type EventRows = Readonly<Record<string, EventRow>>;

/** A delivery that came. */
export interface ArrivedDelivery {
	readonly event: string;
	readonly body: Uint8Array;
}

/** More is not looked into: no forge sends as much. */
const mostBytes = 1024 * 1024;

/**
 * What a delivery says has to be read again, and its body for who looks for more in it. After an event that is not among
 * those of the rows it is all that the family can be about.
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

/** All that something can have happened to. */
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

/** What a schema finds in a body; `undefined` where it is something else. */
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
