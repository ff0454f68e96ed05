/** Path on the loopback address to which browsers come back; part of a client's registered redirect address. */
export const callbackPath = '/callback';

/** Stands in for a redirect address: the forge's page then shows the code, to be pasted by hand. */
export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

/** What both flows put on their authorize address. */
export interface AuthorizeWish {
	readonly clientId: string;
	/** As the forge writes them. */
	readonly grants: readonly string[];
	readonly state: string;
}

/**
 * Address of the consent page of the older exchange flow (docs/protocol.md#exchange-flow). The redirect address is left
 * out: the server then takes the registered one, and it would take nothing else.
 */
export function exchangeAuthorizeAddress(identityOrigin: string, wish: AuthorizeWish): string {
	const query = new URLSearchParams({
		client_id: wish.clientId,
		scopes: wish.grants.join(','),
		state: wish.state,
	});
	return `${identityOrigin}/oauth/authorize?${query.toString()}`;
}

/** Address of the consent page of the code grant, with PKCE (RFC 7636) where there is a challenge. */
export function codeAuthorizeAddress(
	authorizeUrl: string,
	wish: AuthorizeWish,
	{ redirectUri, challenge }: { readonly redirectUri: string; readonly challenge: string | undefined },
): string {
	const address = new URL(authorizeUrl);
	const proof = challenge === undefined ? {} : { code_challenge: challenge, code_challenge_method: 'S256' };
	const query = {
		response_type: 'code',
		client_id: wish.clientId,
		scope: wish.grants.join(' '),
		state: wish.state,
		redirect_uri: redirectUri,
		...proof,
	};
	for (const [name, value] of Object.entries(query)) {
		address.searchParams.set(name, value);
	}
	// A blank as `%20`: not every server reads `+` in an address as one.
	address.search = address.searchParams.toString().replaceAll('+', '%20');
	return address.href;
}
