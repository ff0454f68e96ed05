import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { DescribeForge } from 'sourcehut/port/forgeProtocol.ts';
import { everywhere, type ContentArea, type ForgeInstance } from 'sourcehut/port/instance.ts';
import { readScopes } from 'sourcehut/port/scope.ts';
import { grantsFor } from 'sourcehut/identity/scopeUnion.ts';
import { restProtocol } from 'sourcehut/rest/restProtocol.ts';
import type { AccountNet } from '../../../../src/features/accounts/accountsContext.ts';
import { fieldsOf } from '../../../support/sampleForge.ts';
import type { IdentityAnswer, IdentityRequest } from 'sourcehut/identity/identityHttp.ts';

/** The two ways in which forges let a program sign in. */
export const flows = ['exchange', 'pkce'] as const;

export type Flow = (typeof flows)[number];

/** What a forge knows of a token. */
export interface KnownToken {
	readonly account: string;
	/** Areas that do not take it. */
	readonly refusedBy?: readonly ContentArea[];
	/** What the forge says to all that asks for more than the name. */
	readonly barred?: string;
}

/** What the person at the browser does. */
export interface Consent {
	readonly account?: string;
	/** Permissions that are unticked, as the forge writes them. */
	readonly without?: readonly string[];
	readonly refuse?: boolean;
}

interface Granted {
	readonly token: string;
	readonly scopes: readonly string[];
}

/** A forge's identity service and its areas, as far as signing in knows them. */
export interface FakeIdentity {
	readonly net: AccountNet;
	/** By the token's own text. Tests put personal tokens here. */
	readonly tokens: Map<string, KnownToken>;
	/** The secret of the registered client, for the older way. */
	clientSecret: string;
	/** How a request that redeems a code is answered instead. */
	redeemed: ((request: IdentityRequest) => IdentityAnswer) | undefined;
	/** What the forge's protocol says of it. */
	describe: DescribeForge;
	/** Runs before an area says whose a token is. */
	before: (signal: AbortSignal) => Promise<void>;
	/** No area answers when it is asked what it speaks. */
	isNowhere: boolean;
	/** Where its service of projects is; with one, it speaks GraphQL. */
	hub: string | undefined;
	/** Whether its areas answer without telling what they speak. */
	isUnclear: boolean;
	/** Areas that do not answer. */
	readonly silent: Set<ContentArea>;
	/** Everything that was asked: `POST /oauth/exchange`, `todo whoami`. */
	readonly calls: string[];
	/** Answers the page at `authorizeAddress`; what the browser then sends to the address that it is led back to. */
	consent(authorizeAddress: string, wish: Consent): URLSearchParams;
}

/** One that knows nobody yet, and hands out tokens named `granted-token-1` and so on. */
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

/** The permissions that an authorize address asks for, as the forge writes them. */
export function askedScopes(authorizeAddress: string): readonly string[] {
	const query = new URL(authorizeAddress).searchParams;
	return (query.get('scopes') ?? query.get('scope') ?? '').split(/[ ,]/).filter((scope) => scope !== '');
}

/** What reading everything needs, as this forge writes it. */
export function readingOn(instance: ForgeInstance): readonly string[] {
	return grantsFor(readScopes, restProtocol(instance));
}

function json(status: number, body: unknown): IdentityAnswer {
	return { status, contentType: 'application/json', text: JSON.stringify(body) };
}
