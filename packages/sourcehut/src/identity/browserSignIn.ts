import { createHash } from 'node:crypto';
import { abortReason } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter, type Event } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { secretText, type RandomBytes } from '@forge-desk/base/secretText.ts';
import type { ForgeProtocol } from '../port/forgeProtocol.ts';
import type { ForgeInstance } from '../port/instance.ts';
import type { HeldScopes, Scope } from '../port/scope.ts';
import {
	callbackPath,
	callbackReader,
	readPasted,
	type CallbackFault,
	type ExpectedCallback,
	type GrantedCode,
} from './callback.ts';
import type { IdentityHttp } from './identityHttp.ts';
import type { ReceiverPages, RedirectReceiver, receiveRedirect } from './redirectReceiver.ts';
import { grantsFor } from './scopeUnion.ts';
import { SignInError, serverWords } from './signInError.ts';
import type { Token } from './token.ts';
import { readJsonObject, textField, textsField, codeForm, exchangePath, redeem, redeemExchange } from './tokenGrant.ts';

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
	const issuer = textField(fields, 'issuer') ?? identityOrigin;
	if (issuer.replace(/\/$/, '') !== identityOrigin) {
		throw new SignInError({ kind: 'foreignAddress', address: serverWords(issuer) });
	}
	const authorizeUrl = ownAddress(fields, 'authorization_endpoint', identityOrigin).href;
	const { pathname, search } = ownAddress(fields, 'token_endpoint', identityOrigin);
	return { issuer, authorizeUrl, tokenPath: `${pathname}${search}` };
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

/** Replaces a redirect address: the forge's page then displays the code for pasting. */
const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

/** Authorize parameters of both flows. */
interface AuthorizeWish {
	readonly clientId: string;
	/** In the forge's spelling. */
	readonly grants: readonly string[];
	readonly state: string;
}

/** Time limit for the browser step. */
export const signInLimitMs = 5 * 60 * 1000;

/** The editor's part of a browser sign-in. */
export interface BrowserWays {
	/** Makes a local address reachable for the user's browser. Returns the reachable address, possibly the same. */
	reachable(address: string): Promise<string>;
	/** Opens exactly this address, or lets the user copy it: the browser may run on another machine. */
	open(address: string): Promise<void>;
	/**
	 * Shows that the sign-in waits for the browser, and accepts a pasted code or address. `check` returns the fault of
	 * an input, or `undefined` after accepting it. Ends when the signal aborts. Rejects with an abort if the user
	 * cancels.
	 */
	waitForPaste(
		check: (text: string) => CallbackFault | undefined,
		way: WaitForPaste,
		signal: AbortSignal,
	): Promise<void>;
	readonly pages: ReceiverPages;
}

/** State of the wait for the browser. */
export interface WaitForPaste {
	readonly canComeBack: boolean;
	/** Fires after a refusal in the browser. Only the user can confirm that it came from the forge. */
	readonly onDidComeRefusal: Event<void>;
}

export interface BrowserSignIn {
	readonly instance: ForgeInstance;
	readonly protocol: ForgeProtocol;
	readonly scopes: readonly Scope[];
	/** Only for flows with a client secret. */
	readonly clientSecret: (signal: AbortSignal) => Promise<Token>;
	readonly http: IdentityHttp;
	readonly ways: BrowserWays;
	readonly clock: Clock;
	readonly random: RandomBytes;
}

/** Result of a sign-in. The token's owner is still unknown. */
export interface Grant {
	readonly token: Token;
	readonly scopes: HeldScopes;
	readonly expiresMs: number | undefined;
	/** Single-use token that replaces this one. */
	readonly refresh?: Token | undefined;
}

/**
 * Signs in through the browser: a code comes from the forge's page, and a request redeems it. The older flow
 * (`exchange`, docs/protocol.md#exchange-flow) differs in its addresses and in that request; a client with a secret
 * proves itself by it, any other by PKCE. Throws SignInError, ForgeError or an abort.
 */
export async function signInThroughBrowser(parts: BrowserSignIn, signal: AbortSignal): Promise<Grant> {
	const { instance, protocol, scopes, http, random, clock } = parts;
	const method = protocol.signIn;
	if (method.kind === 'tokenOnly') {
		throw new SignInError({ kind: 'tokenOnly' });
	}
	const origin = instance.areas.meta;
	const { clientId } = method;
	const clientSecret = method.kind === 'pkce' ? undefined : await parts.clientSecret(signal);
	const server =
		method.kind === 'exchange' ? undefined : await discoverServer(http, origin, method.kind === 'pkce', signal);
	const pkce = method.kind === 'pkce' ? createPkce(random) : undefined;
	const wish = { clientId, grants: grantsFor(scopes, protocol), state: secretText(random) };
	const expected: ExpectedCallback = {
		flow: server ? 'pkce' : 'exchange',
		state: wish.state,
		issuer: server?.issuer ?? origin,
		asked: wish.grants,
	};
	const port = method.kind === 'pkce' ? undefined : method.redirectPort;
	// The server compares a registered address exactly.
	let redirectUri = port === undefined ? outOfBand : `http://127.0.0.1:${port}${callbackPath}`;
	const granted = await awaitCode(parts, expected, port, signal, (reachableAt) => {
		if (server === undefined) {
			return exchangeAuthorizeAddress(origin, wish);
		}
		redirectUri = port === undefined ? (reachableAt ?? outOfBand) : redirectUri;
		return codeAuthorizeAddress(server.authorizeUrl, wish, redirectUri, pkce?.challenge);
	});
	const client = { tokenPath: server?.tokenPath ?? exchangePath, clientId, clientSecret, protocol };
	const redeemed = await (server === undefined
		? redeemExchange(client, granted.code, http, signal)
		: redeem(client, codeForm(granted.code, redirectUri, pkce?.verifier), http, clock, signal));
	const told = redeemed.scopes ?? granted.scopes;
	return { ...redeemed, scopes: told === undefined ? scopes : protocol.readGranted(told) };
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
	redirectUri: string,
	challenge: string | undefined,
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

/**
 * Opens the receiver, then the browser, and takes the first code from the redirect or from the user. If the port is
 * taken, only pasting works. Closes everything on return.
 */
async function awaitCode(
	{ ways, clock }: BrowserSignIn,
	expected: ExpectedCallback,
	port: number | undefined,
	signal: AbortSignal,
	addressFor: (reachableAt: string | undefined) => string,
): Promise<GrantedCode> {
	signal.throwIfAborted();
	using owned = new Disposables();
	const ending = new AbortController();
	owned.add({ dispose: () => ending.abort() });
	const reader = callbackReader(expected);
	owned.add({ dispose: () => reader.spend() });
	const outcome = Promise.withResolvers<GrantedCode>();
	// The first result wins. Later rejections have no effect.
	outcome.promise.catch(() => undefined);
	const giveUp = (): void => outcome.reject(abortReason(signal));
	signal.addEventListener('abort', giveUp, { once: true });
	owned.add({ dispose: () => signal.removeEventListener('abort', giveUp) });
	owned.add(clock.after(signInLimitMs, () => outcome.reject(new SignInError({ kind: 'timedOut' }))));

	const refusals = owned.add(new Emitter<void>());
	const door = await openDoor(port ?? 0, reader, ways.pages, () => refusals.fire());
	if (door !== undefined) {
		owned.add(door);
		void door.answer.then((reading) =>
			reading.kind === 'granted' ? outcome.resolve(reading.granted) : outcome.reject(reading.error),
		);
	}
	const reachableAt = door && (await ways.reachable(door.address));
	if (door && reachableAt !== undefined) {
		door.alsoCalled(new URL(reachableAt).host);
	}
	signal.throwIfAborted();
	await ways.open(addressFor(reachableAt));
	const check = (text: string): CallbackFault | undefined => {
		const reading = readPasted(text, reader, expected);
		switch (reading.kind) {
			case 'ignored':
				return reading.fault;
			case 'granted':
				outcome.resolve(reading.granted);
				return undefined;
			case 'refused':
				outcome.reject(reading.error);
				return undefined;
		}
	};
	// A registered address has a fixed port, so the browser can't reach a forwarded one.
	const canComeBack = reachableAt !== undefined && (port === undefined || reachableAt === door?.address);
	ways.waitForPaste(check, { canComeBack, onDidComeRefusal: refusals.event }, ending.signal).catch(outcome.reject);
	return await outcome.promise;
}

async function openDoor(...where: Parameters<typeof receiveRedirect>): Promise<RedirectReceiver | undefined> {
	try {
		// Loaded here, because an ES module that imports `node:http` makes Node load its own copy of undici too.
		const { receiveRedirect } = await import('./redirectReceiver.ts');
		return await receiveRedirect(...where);
	} catch {
		return undefined; // The port is taken: the user pastes the code.
	}
}

/** Secrets of a code grant with PKCE (RFC 7636), method S256. The verifier stays local until the client redeems the code. */
export function createPkce(random: RandomBytes): { readonly verifier: string; readonly challenge: string } {
	const verifier = secretText(random);
	return { verifier, challenge: createHash('sha256').update(verifier, 'ascii').digest('base64url') };
}
