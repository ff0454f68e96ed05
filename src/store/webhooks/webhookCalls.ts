import type { WebhookApi } from '../../forge/port/forge.ts';
import { isForgeError } from '../../forge/port/forgeError.ts';
import type { Webhook, WebhookFamily } from '../../forge/port/webhook.ts';

/** No family has as many webhooks; beyond this, the server's paging is broken. */
const mostPages = 20;

/** The webhooks of a family on the forge, from a limited number of pages. `isPart`: the forge has more. */
export async function listedWebhooks(
	api: WebhookApi,
	family: WebhookFamily,
	signal: AbortSignal,
): Promise<{ readonly webhooks: readonly Webhook[]; readonly isPart: boolean }> {
	const webhooks: Webhook[] = [];
	let isPart = false;
	let pages = 0;
	for await (const { items, completeness } of api.webhooks(family, signal)) {
		webhooks.push(...items);
		isPart = completeness.kind === 'more';
		pages += 1;
		if (pages === mostPages) {
			break;
		}
	}
	return { webhooks, isPart };
}

/** Result of a removal. */
export type RemovalEnd =
	| 'removed'
	/** Missing, or invisible to this token: servers don't distinguish another token's webhook. */
	| 'notFound'
	/** The forge refuses this token, and keeps sending deliveries. */
	| 'notAllowed';

/** Rejects with all other errors. */
export async function removalEnd(removing: Promise<void>): Promise<RemovalEnd> {
	try {
		await removing;
		return 'removed';
	} catch (error) {
		const kind = isForgeError(error) ? error.problem.kind : undefined;
		if (kind !== 'notFound' && kind !== 'notAllowed') {
			throw error;
		}
		return kind;
	}
}
