/** Callback path on the loopback address. Part of a client's registered redirect address. */
export const callbackPath = '/callback';

/** Replaces a redirect address: the forge's page then displays the code for pasting. */
export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

/** Authorize parameters of both flows. */
export interface AuthorizeWish {
	readonly clientId: string;
	/** In the forge's spelling. */
	readonly grants: readonly string[];
	readonly state: string;
}

/**
 * Consent page of the older exchange flow (docs/protocol.md#exchange-flow). Omits the redirect address: the server
 * accepts only the registered one, and defaults to it.
 */
export function exchangeAuthorizeAddress(identityOrigin: string, wish: AuthorizeWish): string {
	const query = new URLSearchParams({
		client_id: wish.clientId,
		scopes: wish.grants.join(','),
		state: wish.state,
	});
	return `${identityOrigin}/oauth/authorize?${query.toString()}`;
}

/** Consent page of the code grant, with PKCE (RFC 7636) if there is a challenge. */
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
	// Encodes a blank as `%20`: some servers don't decode `+` in a query.
	address.search = address.searchParams.toString().replaceAll('+', '%20');
	return address.href;
}
