import { type ForgeInstance, isOwnComputer } from 'sourcehut/port/instance.ts';

/** Parsed setting for the public webhook address. */
export type PublicAddress =
	/** Empty: only this machine can reach the listener. */
	| { readonly kind: 'none' }
	/** `https://host:port/prefix` without a trailing slash. */
	| { readonly kind: 'address'; readonly address: string }
	/** Not a web address, or with parts that webhooks don't allow. */
	| { readonly kind: 'wrong' };

/** Forges store addresses of up to 2,048 characters (docs/protocol.md#webhook-routes). */
const mostCharacters = 1900;

/** Parses the untrusted setting. */
export function readPublicAddress(setting: unknown): PublicAddress {
	const text = typeof setting === 'string' ? setting.trim() : '';
	if (text === '') {
		return { kind: 'none' };
	}
	if (!/^https?:\/\//i.test(text) || !URL.canParse(text) || text.length > mostCharacters) {
		return { kind: 'wrong' };
	}
	const { origin, pathname, search, hash, username, password } = new URL(text);
	// A trailing `?` or `#` is invisible in the URL's parts.
	const isBare = search === '' && hash === '' && username === '' && password === '' && !/[?#\\]/.test(text);
	return isBare ? { kind: 'address', address: `${origin}${pathname.replace(/\/+$/, '')}` } : { kind: 'wrong' };
}

/**
 * Address of the listener for a forge; `undefined` when the forge runs on another machine and no public address exists.
 */
export function addressFor(
	{ areas }: Pick<ForgeInstance, 'areas'>,
	{ publicAddress, ownAddress }: { readonly publicAddress: PublicAddress; readonly ownAddress: string },
): string | undefined {
	switch (publicAddress.kind) {
		case 'address':
			return publicAddress.address;
		case 'none':
			return Object.values(areas).every((each) => each === undefined || isOwnComputer(each)) ? ownAddress : undefined;
		case 'wrong':
			return undefined;
	}
}

/** Host names that forges use for the listener. */
export function hostsOfAddress(publicAddress: PublicAddress): readonly string[] {
	if (publicAddress.kind !== 'address') {
		return [];
	}
	const { host, port, protocol } = new URL(publicAddress.address);
	// Some clients include the default port.
	return port === '' ? [host, `${host}:${protocol === 'https:' ? 443 : 80}`] : [host];
}

/** Address of the listener on this machine; loopback for a wildcard bind. */
export function ownAddress({ address, port }: { readonly address: string; readonly port: number }): string {
	const host =
		address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address.includes(':') ? `[${address}]` : address;
	return `http://${host}:${port}`;
}
