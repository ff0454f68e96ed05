import type { WebhookBook } from './webhookBook.ts';

/** Creates and recognizes webhook paths. */
export interface HookPaths {
	/** Returns an unguessable path. */
	create(): string;
	/** True only for paths that `create` made on this computer. */
	isPath(path: string): boolean;
}

/**
 * True for the URL of our webhook: a recorded one, or one of this computer's addresses with a path that only this
 * computer makes. Another computer may have the same address, such as `http://127.0.0.1:8080`, and the same token.
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
