import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { DescribeForge } from 'sourcehut/port/forgeProtocol.ts';
import { everywhere, type ContentArea, type ForgeInstance } from 'sourcehut/port/instance.ts';
import { readScopes } from 'sourcehut/port/scope.ts';
import { grantsFor } from 'sourcehut/identity/scopeUnion.ts';
import { restProtocol } from 'sourcehut/rest/restProtocol.ts';
import type { AccountNet } from '../../../../src/features/accounts/accountsContext.ts';
import { fieldsOf } from '../../../support/sampleForge.ts';
import type { IdentityAnswer, IdentityRequest } from 'sourcehut/identity/identityHttp.ts';

/** The two sign-in flows of forges. */
export const flows = ['exchange', 'pkce'] as const;

export type Flow = (typeof flows)[number];

/** The forge's data about a token. */
export interface KnownToken {
	readonly account: string;
	/** Areas that reject the token. */
	readonly refusedBy?: readonly ContentArea[];
	/** The forge's error for every request except the user name. */
	readonly barred?: string;
}

/** The user's actions on the consent page. */
export interface Consent {
	readonly account?: string;
	/** Unchecked permissions, in the forge's spelling. */
	readonly without?: readonly string[];
	readonly refuse?: boolean;
}

interface Granted {
	readonly token: string;
	readonly scopes: readonly string[];
}

/** The parts of a forge that a sign-in uses. */
export interface FakeIdentity {
	readonly net: AccountNet;
	/** By token text. Tests add personal tokens here. */
	readonly tokens: Map<string, KnownToken>;
	/** Secret of the registered client, for the exchange flow. */
	clientSecret: string;
	/** Replaces the response to a request that redeems a code. */
	redeemed: ((request: IdentityRequest) => IdentityAnswer) | undefined;
	describe: DescribeForge;
	/** Runs before an area names the owner of a token. */
	before: (signal: AbortSignal) => Promise<void>;
	/** Makes every area unreachable. */
	isNowhere: boolean;
	/** URL of the project hub; a forge with one speaks GraphQL. */
	hub: string | undefined;
	/** Makes the areas respond with an unknown protocol. */
	isUnclear: boolean;
	/** Unreachable areas. */
	readonly silent: Set<ContentArea>;
	/** All requests: `POST /oauth/exchange`, `todo whoami`. */
	readonly calls: string[];
	/** Answers the page at `authorizeAddress`; returns the parameters of the callback. */
	consent(authorizeAddress: string, wish: Consent): URLSearchParams;
}

/** A forge without users. It grants `granted-token-1`, `granted-token-2` and so on. */
export function fakeIdentity(): FakeIdentity {
	const codes = new Map<string, Granted>();
	const tokens = new Map<string, KnownToken>();
	const silent = new Set<ContentArea>();
	const calls: string[] = [];
	let granted = 0;

	function redeem({ path, content }: IdentityRequest): IdentityAnswer {
		const isExchange = path === '/oauth/exchange';
		const wish = isExchange
			? new Map<string, unknown>(Object.entries(fieldsOf(JSON.parse(content?.text ?? '{}'))))
			: new Map<string, unknown>(new URLSearchParams(content?.text));
		const code = codes.get(String(wish.get(isExchange ? 'exchange' : 'code')));
		if (isExchange && wish.get('client_secret') !== fake.clientSecret) {
			return json(400, { errors: [{ reason: 'Invalid client secret' }] });
		}
		if (code === undefined) {
			return isExchange
				? json(400, { errors: [{ reason: 'Exchange token expired' }] })
				: json(400, { error: 'invalid_grant' });
		}
		return isExchange
			? json(200, { token: code.token, expires: '2027-11-20T12:00:00+00:00' })
			: json(200, { access_token: code.token, expires_in: 3600, scope: code.scopes.join(' ') });
	}

	const fake: FakeIdentity = {
		tokens,
		silent,
		calls,
		clientSecret: 'client-secret-of-forge-desk',
		redeemed: undefined,
		isNowhere: false,
		isUnclear: false,
		hub: undefined,
		describe: restProtocol,
		before: async () => undefined,
		net: {
			protocol: async (instance) => fake.describe(instance),
			withProtocols: async (instance) => {
				if (fake.isNowhere) {
					throw new ForgeError({ kind: 'unreachable', reason: 'dns', host: 'todo.forge.example' });
				}
				if (fake.isUnclear) {
					throw new ForgeError({ kind: 'notUnderstood', where: 'the answer', why: 'it is a page' });
				}
				return fake.hub === undefined ? instance : { ...instance, protocols: everywhere('graphql') };
			},
			findHub: async (origins) => origins.find((origin) => origin === fake.hub),
			identity: () => async (request) => {
				calls.push(`${request.method} ${request.path}`);
				return request.method === 'GET' ? json(404, {}) : (fake.redeemed ?? redeem)(request);
			},
			whoAmI: () => async (area, token, signal) => {
				calls.push(`${area} whoami`);
				await fake.before(signal);
				signal.throwIfAborted();
				const known = tokens.get(token.reveal());
				if (silent.has(area)) {
					throw new ForgeError({ kind: 'unreachable', reason: 'refused', host: `${area}.forge.example` });
				}
				if (known === undefined || known.refusedBy?.includes(area) === true) {
					throw new ForgeError({ kind: 'tokenRejected', area });
				}
				return known.account;
			},
			readAnything: () => async (area, token) => {
				calls.push(`${area} first read`);
				const reason = tokens.get(token.reveal())?.barred;
				if (reason !== undefined) {
					throw new ForgeError({ kind: 'notAllowed', reason });
				}
			},
		},
		consent(authorizeAddress, { account = '~alice', without = [], refuse = false }) {
			const asked = new URL(authorizeAddress).searchParams;
			const state = asked.get('state') ?? '';
			const isExchange = asked.has('scopes');
			if (refuse) {
				return new URLSearchParams(isExchange ? { error: 'user_declined' } : { error: 'access_denied', state });
			}
			granted += 1;
			const code = `code-${granted}`;
			const token = `granted-token-${granted}`;
			const scopes = askedScopes(authorizeAddress).filter((scope) => !without.includes(scope));
			codes.set(code, { token, scopes });
			tokens.set(token, { account });
			return new URLSearchParams(isExchange ? { exchange: code, state, scopes: scopes.join(',') } : { code, state });
		},
	};
	return fake;
}

/** The permissions that an authorize URL requests, in the forge's spelling. */
export function askedScopes(authorizeAddress: string): readonly string[] {
	const query = new URL(authorizeAddress).searchParams;
	return (query.get('scopes') ?? query.get('scope') ?? '').split(/[ ,]/).filter((scope) => scope !== '');
}

/** The read permissions, in this forge's spelling. */
export function readingOn(instance: ForgeInstance): readonly string[] {
	return grantsFor(readScopes, restProtocol(instance));
}

function json(status: number, body: unknown): IdentityAnswer {
	return { status, contentType: 'application/json', text: JSON.stringify(body) };
}
