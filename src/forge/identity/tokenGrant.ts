import { isRecord, numberField, readJsonObject, textField } from './jsonFields.ts';
import type { IdentityAnswer, IdentityHttp } from './identityHttp.ts';
import { SignInError, serverWords, type SignInProblem } from './signInError.ts';
import { Token } from './token.ts';

/** Result of redeeming a code. */
export interface RedeemedToken {
	readonly token: Token;
	readonly expiresMs: number | undefined;
	/** Single-use token that replaces this one. */
	readonly refresh?: Token | undefined;
	/** In the server's spelling; `undefined` if it granted the request, or stated the scopes earlier. */
	readonly scopes: string | undefined;
}

export interface ExchangeWish {
	readonly clientId: string;
	readonly clientSecret: Token;
	readonly code: string;
}

/** Redeems an exchange code (docs/protocol.md#exchange-flow). Never retries: a code works once. */
export async function redeemExchange(
	{ clientId, clientSecret, code }: ExchangeWish,
	http: IdentityHttp,
	signal: AbortSignal,
): Promise<RedeemedToken> {
	const answer = await http(
		{
			method: 'POST',
			path: '/oauth/exchange',
			content: {
				type: 'application/json',
				text: JSON.stringify({ client_id: clientId, client_secret: clientSecret.reveal(), exchange: code }),
			},
		},
		signal,
	);
	const fields = readJsonObject(answer.text);
	if (answer.status !== 200) {
		throw new SignInError(exchangeProblem(answer, fields));
	}
	const token = readToken(fields, 'token', 'POST /oauth/exchange');
	const expiresMs = Date.parse(textField(fields ?? {}, 'expires') ?? '');
	return { token, expiresMs: Number.isNaN(expiresMs) ? undefined : expiresMs, scopes: undefined };
}

export interface CodeWish {
	readonly tokenPath: string;
	readonly clientId: string;
	readonly code: string;
	readonly redirectUri: string;
	readonly verifier: string;
	readonly nowMs: number;
}

/** Redeems a code with its PKCE verifier (RFC 6749 4.1.3, RFC 7636 4.5). Never retries. */
export async function redeemCode(wish: CodeWish, http: IdentityHttp, signal: AbortSignal): Promise<RedeemedToken> {
	const answer = await http(
		{
			method: 'POST',
			path: wish.tokenPath,
			content: {
				type: 'application/x-www-form-urlencoded',
				text: new URLSearchParams({
					grant_type: 'authorization_code',
					client_id: wish.clientId,
					code: wish.code,
					redirect_uri: wish.redirectUri,
					code_verifier: wish.verifier,
				}).toString(),
			},
		},
		signal,
	);
	const fields = readJsonObject(answer.text);
	if (answer.status !== 200) {
		throw new SignInError(codeProblem(answer, fields));
	}
	const token = readToken(fields, 'access_token', `POST ${wish.tokenPath}`);
	const lifeSeconds = numberField(fields ?? {}, 'expires_in');
	return {
		token,
		expiresMs: lifeSeconds === undefined ? undefined : wish.nowMs + lifeSeconds * 1000,
		scopes: textField(fields ?? {}, 'scope'),
	};
}

/** A client with a secret. */
export interface SecretClient {
	readonly tokenPath: string;
	readonly clientId: string;
	readonly clientSecret: Token;
	/** Expiry stated in the token itself; the server's `expires_in` is wrong. */
	readonly endOf: (token: string) => number | undefined;
}

/** Redeems a code with the client's secret (docs/protocol.md#clients-with-a-secret). Never retries. */
export function redeemBySecret(
	client: SecretClient,
	{ code, redirectUri }: { readonly code: string; readonly redirectUri: string },
	http: IdentityHttp,
	signal: AbortSignal,
): Promise<RedeemedToken> {
	return askBySecret(client, { grant_type: 'authorization_code', code, redirect_uri: redirectUri }, http, signal);
}

/** Renews a token. Never retries: the refresh token works once. The response may omit scopes. */
export function renewBySecret(
	client: SecretClient,
	refresh: Token,
	http: IdentityHttp,
	signal: AbortSignal,
): Promise<RedeemedToken> {
	return askBySecret(client, { grant_type: 'refresh_token', refresh_token: refresh.reveal() }, http, signal);
}

/** Sends the secret in the form only: servers refuse it if a header repeats it. */
async function askBySecret(
	{ tokenPath, clientId, clientSecret, endOf }: SecretClient,
	wish: Readonly<Record<string, string>>,
	http: IdentityHttp,
	signal: AbortSignal,
): Promise<RedeemedToken> {
	const form = { ...wish, client_id: clientId, client_secret: clientSecret.reveal() };
	const answer = await http(
		{
			method: 'POST',
			path: tokenPath,
			content: { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(form).toString() },
		},
		signal,
	);
	const fields = readJsonObject(answer.text);
	if (answer.status !== 200) {
		const problem = codeProblem(answer, fields);
		throw new SignInError(problem.kind === 'unknownClient' ? { kind: 'wrongSecret' } : problem);
	}
	const token = readToken(fields, 'access_token', `POST ${tokenPath}`);
	const hasRefresh = textField(fields ?? {}, 'refresh_token') !== undefined;
	return {
		token,
		expiresMs: endOf(token.reveal()),
		refresh: hasRefresh ? readToken(fields, 'refresh_token', `POST ${tokenPath}`) : undefined,
		scopes: textField(fields ?? {}, 'scope'),
	};
}

function readToken(fields: Readonly<Record<string, unknown>> | undefined, name: string, where: string): Token {
	const text = fields && textField(fields, name);
	if (text === undefined || !/^[\u0021-\u007e]{8,4096}$/.test(text)) {
		throw new SignInError({ kind: 'notUnderstood', where: `${where}: ${name}` });
	}
	return new Token(text);
}

function exchangeProblem(answer: IdentityAnswer, fields: Readonly<Record<string, unknown>> | undefined): SignInProblem {
	const reasons = readReasons(fields);
	if (reasons.some((reason) => /unknown client/i.test(reason))) {
		return { kind: 'unknownClient' };
	}
	if (reasons.some((reason) => /invalid client secret/i.test(reason))) {
		return { kind: 'wrongSecret' };
	}
	if (reasons.some((reason) => /exchange token expired/i.test(reason))) {
		return { kind: 'codeSpent' };
	}
	return { kind: 'refused', serverSays: serverWords(reasons.join(' ') || String(answer.status)) };
}

function codeProblem(answer: IdentityAnswer, fields: Readonly<Record<string, unknown>> | undefined): SignInProblem {
	const error = textField(fields ?? {}, 'error') ?? '';
	switch (error) {
		case 'invalid_grant':
			return { kind: 'codeSpent' };
		case 'invalid_client':
		case 'unauthorized_client':
			return { kind: 'unknownClient' };
		default: {
			const says = textField(fields ?? {}, 'error_description') ?? (error || readReasons(fields).join(' '));
			return { kind: 'refused', serverSays: serverWords(says || String(answer.status)) };
		}
	}
}

/** Reasons of an error body (docs/protocol.md#error-bodies). */
function readReasons(fields: Readonly<Record<string, unknown>> | undefined): readonly string[] {
	const errors = fields?.['errors'];
	return Array.isArray(errors)
		? errors.flatMap((entry: unknown) => (isRecord(entry) ? (textField(entry, 'reason') ?? []) : []))
		: [];
}
