import type { WebhookBook } from './webhookBook.ts';

/** How the paths of webhooks look, and where new ones come from. */
export interface HookPaths {
	/** One that nobody can guess. */
	create(): string;
	/** True for what `create` makes on this computer, and for nothing that it makes on another one. */
	isPath(path: string): boolean;
}

/**
 * True for the address of a webhook of ours: one that is written down, or one at an address of this computer with a path that
 * only this one makes. Another computer may have the same address, such as `http://127.0.0.1:8080`, and the same token.
 */
export function isOwnUrl(
	url: string,
	{ addresses, webhooks }: Pick<WebhookBook, 'addresses' | 'webhooks'>,
	{ isPath }: Pick<HookPaths, 'isPath'>,
): boolean {
	return (
		webhooks.some((each) => each.url === url) ||
		addresses.some((address) => url.startsWith(address) && isPath(url.slice(address.length)))
	);
}
