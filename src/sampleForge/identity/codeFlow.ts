import { createHash, randomBytes } from 'node:crypto';
import type { Answer, Call, OpenRoute, Scope } from '../shared/area.ts';
import { open } from '../shared/area.ts';
import { json, Refusal, webPage } from '../shared/answers.ts';
import { consentPage, tickedScopes } from './consentPage.ts';
import type { IdentityRoom } from './identityRoom.ts';
import { sendBack, sentText } from './redirects.ts';
import { knownScopes, readScopes } from './scopes.ts';
import { tokenLifeMs } from './tokens.ts';

const codeLifeMs = 5 * 60 * 1000;

interface Code {
	readonly wish: Wish;
	readonly userName: string;
	readonly scopes: readonly Scope[];
	readonly expiresMs: number;
}

interface Wish {
	readonly clientId: string;
	readonly clientName: string;
	readonly redirectUri: string;
	readonly challenge: string;
	readonly scopes: readonly Scope[];
	readonly state: string;
}

/** The code grant of RFC 6749 with PKCE (RFC 7636, S256 only) for a public client on any free loopback port (RFC 8252). */
export function codeFlow(room: IdentityRoom): readonly OpenRoute[] {
	const codes = new Map<string, Code>();
	return [
		open('GET', '/.well-known/oauth-authorization-server', () => metadata(room)),
		open('GET', '/oauth2/authorize', (call) => {
			const session = room.sessions.require(call);
			const wish = readWish(room, (name) => call.query.get(name));
			return consentPage(room.context.dialect, session, {
				action: '/oauth2/authorize',
				fields: fieldsOf(wish),
				clientName: wish.clientName,
				scopes: wish.scopes,
			});
		}),
		open('POST', '/oauth2/authorize', (call) => {
			const session = room.sessions.requireForm(call);
			const wish = readWish(room, (name) => sentText(call, name));
			if (!Object.hasOwn(call.body.fields, 'accept')) {
				return sendBack(wish, { error: 'access_denied', error_description: 'The user refused' });
			}
			const scopes = tickedScopes(room.context.dialect, call, wish.scopes);
			const code = randomBytes(16).toString('base64url');
			const expiresMs = room.context.nowMs() + codeLifeMs;
			codes.set(code, { wish, userName: session.user.name, scopes, expiresMs });
			return sendBack(wish, { code });
		}),
		open('POST', '/oauth2/access-token', (call) => exchange(room, codes, call)),
	];
}

function metadata(room: IdentityRoom): Answer {
	const issuer = room.context.origins.meta;
	const names = knownScopes(room.context.dialect).flatMap(({ name, writable }) =>
		writable ? [`${name}:read`, `${name}:write`] : [`${name}:read`],
	);
	return json(200, {
		issuer,
		authorization_endpoint: `${issuer}/oauth2/authorize`,
		token_endpoint: `${issuer}/oauth2/access-token`,
		response_types_supported: ['code'],
		grant_types_supported: ['authorization_code'],
		code_challenge_methods_supported: ['S256'],
		token_endpoint_auth_methods_supported: ['none'],
		scopes_supported: names,
	});
}

function readWish(room: IdentityRoom, field: (name: string) => string | null): Wish {
	const client = room.clients.find(field('client_id') ?? '');
	const redirectUri = field('redirect_uri') ?? '';
	if (client === undefined || !isLoopback(redirectUri)) {
		const what = client === undefined ? 'This client is not known here' : 'The redirect address is no loopback address';
		throw new Refusal(webPage('Request not understood', `<p>${what}.</p>`, 400));
	}
	const state = field('state') ?? '';
	const refuse = (error: string, description: string): Refusal =>
		new Refusal(sendBack({ redirectUri, state }, { error, error_description: description }));
	if (field('response_type') !== 'code') {
		throw refuse('unsupported_response_type', 'response_type must be code');
	}
	const challenge = readChallenge(field);
	if (challenge === undefined) {
		throw refuse('invalid_request', 'PKCE with S256 is needed');
	}
	const read = readScopes(room.context.dialect, field('scope') ?? '');
	if ('details' in read) {
		throw refuse('invalid_scope', read.details);
	}
	return { clientId: client.id, clientName: client.name, redirectUri, challenge, scopes: read.scopes, state };
}

function readChallenge(field: (name: string) => string | null): string | undefined {
	const challenge = field('code_challenge') ?? '';
	return field('code_challenge_method') === 'S256' && /^[\w-]{43}$/.test(challenge) ? challenge : undefined;
}

function fieldsOf(wish: Wish): Readonly<Record<string, string>> {
	return {
		response_type: 'code',
		client_id: wish.clientId,
		redirect_uri: wish.redirectUri,
		code_challenge: wish.challenge,
		code_challenge_method: 'S256',
		scope: wish.scopes.join(' '),
		state: wish.state,
	};
}

/** Codes work once, for the same client and redirect address, with the verifier that fits. */
function exchange(room: IdentityRoom, codes: Map<string, Code>, call: Call): Answer {
	if (sentText(call, 'grant_type') !== 'authorization_code') {
		return tokenError('unsupported_grant_type', 'Only authorization_code is known here');
	}
	const key = sentText(call, 'code') ?? '';
	const code = codes.get(key);
	codes.delete(key);
	const verifier = sentText(call, 'code_verifier') ?? '';
	const challenge = createHash('sha256').update(verifier).digest('base64url');
	const fits =
		code !== undefined &&
		code.expiresMs > room.context.nowMs() &&
		code.wish.clientId === sentText(call, 'client_id') &&
		code.wish.redirectUri === sentText(call, 'redirect_uri') &&
		code.wish.challenge === challenge;
	if (!fits) {
		return tokenError('invalid_grant', 'The code is unknown, used, expired or not yours');
	}
	const grant = room.tokens.grant(code.userName, code.wish.clientId, code.scopes);
	const answer = json(200, {
		access_token: grant.token,
		token_type: 'bearer',
		expires_in: Math.floor(tokenLifeMs(room.context.dialect) / 1000),
		scope: code.scopes.join(' '),
	});
	return { ...answer, headers: { ...answer.headers, 'Cache-Control': 'no-store' } };
}

function tokenError(error: string, description: string): Answer {
	return json(400, { error, error_description: description });
}

function isLoopback(address: string): boolean {
	if (!URL.canParse(address)) {
		return false;
	}
	const { protocol, hostname } = new URL(address);
	return protocol === 'http:' && (hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost');
}
