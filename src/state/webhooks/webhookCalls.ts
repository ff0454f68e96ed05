import type { WebhookApi } from '../../forge/forge.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import type { Webhook, WebhookFamily } from '../../forge/webhook.ts';
import { askedPages } from '../shared/askedPages.ts';

/** Nobody has as many of one family: a server that goes on has lost its way. */
const mostPages = 20;

/** Those that the forge has of a family, from a limited number of pages. `spend`: a request is about to be sent. */
export async function listedWebhooks(
	{ api, spend }: { readonly api: Pick<WebhookApi, 'webhooks'>; readonly spend: () => void },
	family: WebhookFamily,
	signal: AbortSignal,
): Promise<readonly Webhook[]> {
	const all: Webhook[] = [];
	let pages = 0;
	for await (const { items } of askedPages(api.webhooks(family, signal), spend)) {
		all.push(...items);
		pages += 1;
		if (pages === mostPages) {
			break;
		}
	}
	return all;
}

/**
 * Whether it is gone: what was removed by somebody else, or with its thing, is. False for what the forge does not let this
 * token remove, which goes on being told what happens.
 */
export async function isGoneAfter(removing: Promise<void>): Promise<boolean> {
	try {
		await removing;
	} catch (error) {
		const kind = isForgeError(error) ? error.problem.kind : undefined;
		if (kind !== 'notFound' && kind !== 'notAllowed') {
			throw error;
		}
		return kind === 'notFound';
	}
	return true;
}
