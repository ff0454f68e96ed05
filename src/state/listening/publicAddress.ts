import type { ForgeInstance } from '../../forge/instance.ts';
import { isOwnComputer } from '../../forge/instance.ts';

/** What the setting says of where forges reach this machine. */
export type PublicAddress =
	/** Nothing: only this machine itself reaches it. */
	| { readonly kind: 'none' }
	/** As `https://host:port/prefix`, without a slash at its end. */
	| { readonly kind: 'address'; readonly address: string }
	/** No address of a web server, or with parts that a webhook's address can't have. */
	| { readonly kind: 'wrong' };

/** The forge stores addresses of up to 2,048 characters (docs/protocol.md#webhook-routes). */
const mostCharacters = 1900;

/** Reads the setting, whatever it holds. */
export function readPublicAddress(setting: unknown): PublicAddress {
	const text = typeof setting === 'string' ? setting.trim() : '';
	if (text === '') {
		return { kind: 'none' };
	}
	if (!/^https?:\/\//i.test(text) || !URL.canParse(text) || text.length > mostCharacters) {
		return { kind: 'wrong' };
	}
	const { origin, pathname, search, hash, username, password } = new URL(text);
	// A lone `?` or `#` leaves no trace in the parts.
	const isBare = search === '' && hash === '' && username === '' && password === '' && !/[?#\\]/.test(text);
	return isBare ? { kind: 'address', address: `${origin}${pathname.replace(/\/+$/, '')}` } : { kind: 'wrong' };
}

/** Where a forge reaches a listener; `undefined` where it can't, because it runs on another machine. */
export function addressFor(
	{ areas }: Pick<ForgeInstance, 'areas'>,
	{ publicAddress, ownAddress }: { readonly publicAddress: PublicAddress; readonly ownAddress: string },
): string | undefined {
	switch (publicAddress.kind) {
		case 'address':
			return publicAddress.address;
		case 'none':
			return Object.values(areas).every(isOwnComputer) ? ownAddress : undefined;
		case 'wrong':
			return undefined;
	}
}

/** The names under which forges that know this address call the listener. */
export function hostsOfAddress(publicAddress: PublicAddress): readonly string[] {
	if (publicAddress.kind !== 'address') {
		return [];
	}
	const { host, port, protocol } = new URL(publicAddress.address);
	// Some programs name the port that goes without saying.
	return port === '' ? [host, `${host}:${protocol === 'https:' ? 443 : 80}`] : [host];
}

/** How a listener is called on this machine: who listens at every address, by the loopback. */
export function ownAddress({ address, port }: { readonly address: string; readonly port: number }): string {
	const host =
		address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address.includes(':') ? `[${address}]` : address;
	return `http://${host}:${port}`;
}
