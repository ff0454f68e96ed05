/** How the paths of webhooks look, and where new ones come from. */
export interface HookPaths {
	/** One that nobody can guess. */
	create(): string;
	/** True for what `create` makes. */
	isPath(path: string): boolean;
}

/** True for the address of a webhook of ours: at one of our own addresses, with a path of the form that ours have. */
export function isOwnUrl(url: string, addresses: readonly string[], { isPath }: Pick<HookPaths, 'isPath'>): boolean {
	return addresses.some((address) => url.startsWith(address) && isPath(url.slice(address.length)));
}
