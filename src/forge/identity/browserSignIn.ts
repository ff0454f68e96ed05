import { createHash } from 'node:crypto';
import { abortReason } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { Disposables } from '../../base/lifecycle.ts';
import { secretText, type RandomBytes } from '../../base/secretText.ts';
import type { ForgeProtocol } from '../port/forgeProtocol.ts';
import type { ForgeInstance, SignInMethod } from '../port/instance.ts';
import type { HeldScopes, Scope } from '../port/scope.ts';
import { callbackPath, codeAuthorizeAddress, exchangeAuthorizeAddress, outOfBand } from './authorizeAddress.ts';
import { callbackReader, readPasted, type CallbackFault, type ExpectedCallback, type GrantedCode } from './callback.ts';
import type { IdentityHttp } from './identityHttp.ts';
import type { ReceiverParts, ReceiverPages, RedirectReceiver } from './redirectReceiver.ts';
import { grantsFor } from './scopeUnion.ts';
import { discoverServer } from './serverMetadata.ts';
import { SignInError } from './signInError.ts';
import type { Token } from './token.ts';
import { redeemBySecret, redeemCode, redeemExchange, type RedeemedToken } from './tokenGrant.ts';

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

/** Signs in through the browser with the forge's method. Throws SignInError, ForgeError or an abort. */
export function signInThroughBrowser(parts: BrowserSignIn, signal: AbortSignal): Promise<Grant> {
	const method = parts.protocol.signIn;
	switch (method.kind) {
		case 'pkce':
			return codeGrant(parts, method, signal);
		case 'exchange':
			return exchangeGrant(parts, method, signal);
		case 'secret':
			return secretGrant(parts, method, signal);
		case 'tokenOnly':
			return Promise.reject(new SignInError({ kind: 'tokenOnly' }));
	}
}

async function codeGrant(
	parts: BrowserSignIn,
	{ clientId }: Extract<SignInMethod, { readonly kind: 'pkce' }>,
	signal: AbortSignal,
): Promise<Grant> {
	const { instance, http, random, clock } = parts;
	const server = await discoverServer(instance.areas.meta, { http, needsPkce: true }, signal);
	const pkce = createPkce(random);
	const { issuer } = server;
	const expected: ExpectedCallback = { flow: 'pkce', state: secretText(random), issuer, asked: askedGrants(parts) };
	let redirectUri = outOfBand;
	const granted = await awaitCode(parts, { expected, port: undefined }, signal, (reachableAt) => {
		redirectUri = reachableAt ?? outOfBand;
		const wish = { clientId, grants: expected.asked, state: expected.state };
		return codeAuthorizeAddress(server.authorizeUrl, wish, { redirectUri, challenge: pkce.challenge });
	});
	const redeemed = await redeemCode(
		{
			tokenPath: server.tokenPath,
			clientId,
			code: granted.code,
			redirectUri,
			verifier: pkce.verifier,
			nowMs: clock.nowMs(),
		},
		http,
		signal,
	);
	return grantOf(parts, granted, redeemed);
}

async function exchangeGrant(
	parts: BrowserSignIn,
	{ clientId, redirectPort }: Extract<SignInMethod, { readonly kind: 'exchange' }>,
	signal: AbortSignal,
): Promise<Grant> {
	const { instance, http, random } = parts;
	const origin = instance.areas.meta;
	const clientSecret = await parts.clientSecret(signal);
	const expected: ExpectedCallback = {
		flow: 'exchange',
		state: secretText(random),
		issuer: origin,
		asked: askedGrants(parts),
	};
	const wish = { clientId, grants: expected.asked, state: expected.state };
	const granted = await awaitCode(parts, { expected, port: redirectPort }, signal, () =>
		exchangeAuthorizeAddress(origin, wish),
	);
	const redeemed = await redeemExchange({ clientId, clientSecret, code: granted.code }, http, signal);
	return grantOf(parts, granted, redeemed);
}

async function secretGrant(
	parts: BrowserSignIn,
	{ clientId, redirectPort }: Extract<SignInMethod, { readonly kind: 'secret' }>,
	signal: AbortSignal,
): Promise<Grant> {
	const { instance, http, random, protocol } = parts;
	const clientSecret = await parts.clientSecret(signal);
	const { issuer, authorizeUrl, tokenPath } = await discoverServer(
		instance.areas.meta,
		{ http, needsPkce: false },
		signal,
	);
	const expected: ExpectedCallback = { flow: 'pkce', state: secretText(random), issuer, asked: askedGrants(parts) };
	// The server compares this address exactly with the registered one.
	const redirectUri = `http://127.0.0.1:${redirectPort}${callbackPath}`;
	const granted = await awaitCode(parts, { expected, port: redirectPort }, signal, () => {
		const wish = { clientId, grants: expected.asked, state: expected.state };
		return codeAuthorizeAddress(authorizeUrl, wish, { redirectUri, challenge: undefined });
	});
	const client = { tokenPath, clientId, clientSecret, endOf: (token: string) => endOf(protocol, token) };
	const redeemed = await redeemBySecret(client, { code: granted.code, redirectUri }, http, signal);
	return grantOf(parts, granted, redeemed);
}

/** Expiry time stated in the token. */
export function endOf({ readToken }: Pick<ForgeProtocol, 'readToken'>, token: string): number | undefined {
	const reading = readToken(token);
	return reading.kind === 'told' ? reading.expiresMs : undefined;
}

function askedGrants({ protocol, scopes }: BrowserSignIn): readonly string[] {
	return grantsFor(scopes, protocol);
}

function grantOf({ protocol, scopes }: BrowserSignIn, granted: GrantedCode, redeemed: RedeemedToken): Grant {
	const told = redeemed.scopes ?? granted.scopes;
	return {
		token: redeemed.token,
		expiresMs: redeemed.expiresMs,
		refresh: redeemed.refresh,
		scopes: told === undefined ? scopes : protocol.readGranted(told),
	};
}

/**
 * Opens the receiver, then the browser, and takes the first code from the redirect or from the user. If the port is
 * taken, only pasting works. Closes everything on return.
 */
async function awaitCode(
	{ ways, clock }: BrowserSignIn,
	{ expected, port }: { readonly expected: ExpectedCallback; readonly port: number | undefined },
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
	const door = await openDoor({ port: port ?? 0, reader, pages: ways.pages, onRefusal: () => refusals.fire() });
	if (door !== undefined) {
		owned.add(door);
		void door.answer.then((reading) =>
			reading.kind === 'granted' ? outcome.resolve(reading.granted) : outcome.reject(reading.error),
		);
	}
	const reachableAt = door && (await reach(door, ways));
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

async function openDoor(parts: ReceiverParts): Promise<RedirectReceiver | undefined> {
	try {
		// Loaded here, because an ES module that imports `node:http` makes Node load its own copy of undici too.
		const { receiveRedirect } = await import('./redirectReceiver.ts');
		return await receiveRedirect(parts);
	} catch {
		return undefined; // The port is taken: the user pastes the code.
	}
}

async function reach(door: RedirectReceiver, ways: BrowserWays): Promise<string> {
	const address = await ways.reachable(door.address);
	door.alsoCalled(new URL(address).host);
	return address;
}

/** Secrets of a code grant with PKCE (RFC 7636). */
interface Pkce {
	/** Stays local until the client redeems the code. */
	readonly verifier: string;
	/** Part of the authorize address, method S256. */
	readonly challenge: string;
}

export function createPkce(random: RandomBytes): Pkce {
	const verifier = secretText(random);
	return { verifier, challenge: createHash('sha256').update(verifier, 'ascii').digest('base64url') };
}
