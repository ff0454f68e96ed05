import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { WebhookApi } from '../../forge/forge.ts';
import { ForgeError } from '../../forge/forgeError.ts';
import { unlessMissing } from '../../forge/isAway.ts';
import type { WebhookDelivery, WebhookFamily } from '../../forge/webhook.ts';
import { lookRepeatedly } from '../shared/lookRepeatedly.ts';
import { sendOnce } from '../shared/sentOnce.ts';
import type { WriteJournal } from '../shared/writeJournal.ts';

export type SendAgain = (
	family: WebhookFamily,
	of: { readonly webhookId: number; readonly delivery: WebhookDelivery },
	signal: AbortSignal,
) => Promise<void>;

interface DeliveriesAgainParts {
	readonly api: Pick<WebhookApi, 'offers'>;
	readonly journal: WriteJournal;
	readonly clock: Clock;
}

/** Long enough for the headers: their date differs at each attempt. */
const longest = 2000;

/**
 * Redelivers through the journal. The forge keeps a delivery's id and replaces its response, so a changed response
 * proves that the request arrived.
 */
export function deliveriesAgain({
	api,
	journal,
	clock,
}: DeliveriesAgainParts): Disposable & { readonly send: SendAgain } {
	const ending = new AbortController();
	const once = sendOnce<'sendAgain', unknown>(
		journal,
		'sendAgain',
		async ({ family, webhookId, deliveryId, response }, looking) => {
			const { delivery } = api.offers(family);
			const look = async (whileLooking: AbortSignal): Promise<boolean | undefined> => {
				const now = delivery && (await unlessMissing(delivery(family, { webhookId, deliveryId }, whileLooking)));
				return now && responseOf(now) !== response ? true : undefined;
			};
			return lookRepeatedly({ look, isFound: (isSent) => isSent === true }, clock, looking);
		},
	);
	return {
		async send(family, { webhookId, delivery }, signal) {
			const { redeliver } = api.offers(family);
			const at = { webhookId, deliveryId: delivery.id };
			await once(
				{ kind: 'sendAgain', family, ...at, response: responseOf(delivery) },
				async (sending) => {
					if (!redeliver) {
						throw new ForgeError({ kind: 'notOffered' });
					}
					await redeliver(family, at, sending);
				},
				{ signal, looking: ending.signal },
			);
		},
		dispose: () => ending.abort(),
	};
}

function responseOf({ responseStatus, responseHeaders, response }: WebhookDelivery): string {
	return [responseStatus, responseHeaders, response].join('\n').slice(0, longest);
}
