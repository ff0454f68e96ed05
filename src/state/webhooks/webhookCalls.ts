import type { WebhookApi } from '../../forge/forge.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import type { Webhook, WebhookFamily } from '../../forge/webhook.ts';

/** Nobody has as many of one family: a server that goes on has lost its way. */
const mostPages = 20;

/** The webhooks of a family on the forge, from a limited number of pages. `isPart`: the forge has more. */
export async function listedWebhooks(
	api: Pick<WebhookApi, 'webhooks'>,
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

/** What became of a webhook that was to be removed. */
export type RemovalEnd =
	| 'removed'
	/** Nothing is there, or nothing that this token can see: one that another token made looks the same. */
	| 'notFound'
	/** The forge does not let this token remove it, and it goes on being told what happens. */
	| 'notAllowed';

/** Rejects with everything else that hinders it. */
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
