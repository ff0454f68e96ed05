import type { IdentityHttp } from './identityHttp.ts';
import { readJsonObject, textField, textsField } from './jsonFields.ts';
import { SignInError, serverWords } from './signInError.ts';

/** Endpoints of a server with the code grant, all on the origin of the identity service. */
export interface ServerMetadata {
	/** Expected value of `iss`, if present (RFC 9207). */
	readonly issuer: string;
	/** Absolute, for the browser. */
	readonly authorizeUrl: string;
	/** Path with a leading slash. */
	readonly tokenPath: string;
}

const metadataPath = '/.well-known/oauth-authorization-server';

/**
 * Reads the server's metadata (RFC 8414), with default endpoints if there is none (domain page B.2). Refuses endpoints
 * on another origin, so codes and verifiers never leave it.
 */
export async function discoverServer(
	http: IdentityHttp,
	identityOrigin: string,
	needsPkce: boolean,
	signal: AbortSignal,
): Promise<ServerMetadata> {
	const answer = await http({ method: 'GET', path: metadataPath }, signal);
	if (answer.status === 404) {
		return {
			issuer: identityOrigin,
			authorizeUrl: `${identityOrigin}/oauth2/authorize`,
			tokenPath: '/oauth2/access-token',
		};
	}
	const fields = answer.status === 200 ? readJsonObject(answer.text) : undefined;
	if (fields === undefined) {
		throw new SignInError({ kind: 'notUnderstood', where: metadataPath });
	}
	const challengeMethods = textsField(fields, 'code_challenge_methods_supported');
	if (needsPkce && challengeMethods !== undefined && !challengeMethods.includes('S256')) {
		throw new SignInError({ kind: 'noPkce' });
	}
	return {
		issuer: checkIssuer(fields, identityOrigin),
		authorizeUrl: ownAddress(fields, 'authorization_endpoint', identityOrigin).href,
		tokenPath: pathOf(ownAddress(fields, 'token_endpoint', identityOrigin)),
	};
}

function checkIssuer(fields: Readonly<Record<string, unknown>>, identityOrigin: string): string {
	const issuer = textField(fields, 'issuer') ?? identityOrigin;
	if (issuer.replace(/\/$/, '') !== identityOrigin) {
		throw new SignInError({ kind: 'foreignAddress', address: serverWords(issuer) });
	}
	return issuer;
}

function ownAddress(fields: Readonly<Record<string, unknown>>, name: string, identityOrigin: string): URL {
	const text = textField(fields, name);
	const address = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
	if (text === undefined || address === undefined) {
		throw new SignInError({ kind: 'notUnderstood', where: `${metadataPath}: ${name}` });
	}
	if (address.origin !== identityOrigin || address.username !== '' || address.password !== '') {
		throw new SignInError({ kind: 'foreignAddress', address: serverWords(text) });
	}
	return address;
}

function pathOf(address: URL): string {
	return `${address.pathname}${address.search}`;
}
