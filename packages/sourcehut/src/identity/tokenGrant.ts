import { dateMs } from '@forge-desk/base/dateMs.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { ForgeProtocol } from '../port/forgeProtocol.ts';
import type { IdentityAnswer, IdentityHttp } from './identityHttp.ts';
import { SignInError, serverWords, type SignInProblem } from './signInError.ts';
import { Token } from './token.ts';

/** The object of a JSON body; `undefined` for other values and broken JSON. */
export function readJsonObject(body: string): Readonly<Record<string, unknown>> | undefined {
	try {
		const value: unknown = JSON.parse(body);
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** True for an object other than an array. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A nonempty text field. */
export function textField(fields: Readonly<Record<string, unknown>>, name: string): string | undefined {
	const value = fields[name];
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Texts of an array field. Skips other values. */
export function textsField(fields: Readonly<Record<string, unknown>>, name: string): readonly string[] | undefined {
	const value = fields[name];
	return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}

/** A client of a token endpoint. A client without a secret uses PKCE. */
export interface TokenClient {
	/** Path with a leading slash. */
	readonly tokenPath: string;
	readonly clientId: string;
	readonly clientSecret: Token | undefined;
	readonly protocol: ForgeProtocol;
}

/** Result of redeeming a code. `undefined` scopes: the server granted the request, or stated the scopes earlier. */
export type RedeemedToken = Awaited<ReturnType<typeof redeem>>;

export const exchangePath = '/oauth/exchange';

/** Redeems an exchange code (docs/protocol.md#exchange-flow). Never retries: a code works once. */
export async function redeemExchange(
	{ tokenPath, clientId, clientSecret }: TokenClient,
	code: string,
	http: IdentityHttp,
	signal: AbortSignal,
): Promise<RedeemedToken> {
	const wish = { client_id: clientId, client_secret: clientSecret?.reveal(), exchange: code };
	const content = { type: 'application/json', text: JSON.stringify(wish) } as const;
	const answer = await http({ method: 'POST', path: tokenPath, content }, signal);
	const fields = readJsonObject(answer.text) ?? {};
	if (answer.status !== 200) {
		throw new SignInError(exchangeProblem(answer, fields));
	}
	const expiresMs = dateMs(textField(fields, 'expires') ?? '');
	return {
		token: readToken(fields, 'token', tokenPath),
		expiresMs: Number.isNaN(expiresMs) ? undefined : expiresMs,
		refresh: undefined,
		scopes: undefined,
	};
}

/** Form that redeems a code (RFC 6749 4.1.3), with its PKCE verifier if there is one (RFC 7636 4.5). */
export function codeForm(code: string, redirectUri: string, verifier: string | undefined): Form {
	return {
		grant_type: 'authorization_code',
		code,
		redirect_uri: redirectUri,
		...(verifier === undefined ? {} : { code_verifier: verifier }),
	};
}

/** Form that renews a token. A refresh token works once. */
export function renewalForm(refresh: Token): Form {
	return { grant_type: 'refresh_token', refresh_token: refresh.reveal() };
}

type Form = Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, unknown>>;

/**
 * Redeems a code, or renews a token (docs/protocol.md#clients-with-a-secret). Never retries: both work once. Sends the
 * secret in the form only: servers refuse it if a header repeats it.
 */
export async function redeem(
	{ tokenPath, clientId, clientSecret, protocol }: TokenClient,
	wish: Form,
	http: IdentityHttp,
	clock: Clock,
	signal: AbortSignal,
) {
	const nowMs = clock.nowMs();
	const form = {
		...wish,
		client_id: clientId,
		...(clientSecret === undefined ? {} : { client_secret: clientSecret.reveal() }),
	};
	const content = { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(form).toString() } as const;
	const answer = await http({ method: 'POST', path: tokenPath, content }, signal);
	const fields = readJsonObject(answer.text) ?? {};
	if (answer.status !== 200) {
		const problem = codeProblem(answer, fields);
		const isOfSecret = problem.kind === 'unknownClient' && clientSecret !== undefined;
		throw new SignInError(isOfSecret ? { kind: 'wrongSecret' } : problem);
	}
	const token = readToken(fields, 'access_token', tokenPath);
	const scopes = textField(fields, 'scope');
	if (clientSecret === undefined) {
		const { expires_in: expiresIn } = fields;
		const lifeSeconds = typeof expiresIn === 'number' && Number.isFinite(expiresIn) ? expiresIn : undefined;
		const expiresMs = lifeSeconds === undefined ? undefined : nowMs + lifeSeconds * 1000;
		return { token, expiresMs, refresh: undefined, scopes };
	}
	// The server's `expires_in` is wrong for these clients; the token itself states its expiry.
	const reading = protocol.readToken(token.reveal());
	const hasRefresh = textField(fields, 'refresh_token') !== undefined;
	return {
		token,
		expiresMs: reading.kind === 'told' ? reading.expiresMs : undefined,
		/** Single-use token that replaces this one. */
		refresh: hasRefresh ? readToken(fields, 'refresh_token', tokenPath) : undefined,
		scopes,
	};
}

function readToken(fields: Fields, name: string, tokenPath: string): Token {
	const text = textField(fields, name);
	if (text === undefined || !/^[\u0021-\u007e]{8,4096}$/.test(text)) {
		throw new SignInError({ kind: 'notUnderstood', where: `POST ${tokenPath}: ${name}` });
	}
	return new Token(text);
}

function exchangeProblem(answer: IdentityAnswer, fields: Fields): SignInProblem {
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

function codeProblem(answer: IdentityAnswer, fields: Fields): SignInProblem {
	const error = textField(fields, 'error') ?? '';
	switch (error) {
		case 'invalid_grant':
			return { kind: 'codeSpent' };
		case 'invalid_client':
		case 'unauthorized_client':
			return { kind: 'unknownClient' };
		default: {
			const says = textField(fields, 'error_description') ?? (error || readReasons(fields).join(' '));
			return { kind: 'refused', serverSays: serverWords(says || String(answer.status)) };
		}
	}
}

/** Reasons of an error body (docs/protocol.md#error-bodies). */
function readReasons(fields: Fields): readonly string[] {
	const errors = fields['errors'];
	return Array.isArray(errors)
		? errors.flatMap((entry: unknown) => (isRecord(entry) ? (textField(entry, 'reason') ?? []) : []))
		: [];
}
