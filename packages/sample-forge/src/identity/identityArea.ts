import { createHash, randomBytes } from 'node:crypto';
import { json, Refusal, webPage, errorPage, escapeHtml, redirect, list, stamp } from '../shared/answers.ts';
import {
	type Context,
	type OpenRoute,
	type Answer,
	type Call,
	type Scope,
	open,
	type Users,
	type ApiCall,
	type Route,
	api,
	type Grant,
	param,
} from '../shared/area.ts';
import { validate } from '../shared/body.ts';
import {
	type Client,
	type Clients,
	consentRoutes,
	type IdentityRoom,
	openIdentityRoom,
	sendBack,
	sentText,
	hiddenFields,
	type Sessions,
	type Session,
} from './identityRoom.ts';
import { exchangeFlow } from './exchangeFlow.ts';
import { knownScopes, readScopes, spellScopes } from './scopes.ts';
import { secretFlow } from './secretFlow.ts';
import { type Tokens, tokenLifeMs } from './tokens.ts';
import { showUser } from './users.ts';
import { check, need } from '../shared/checks.ts';

/** The people that the login page offers: no passwords, this forge guards nothing. */
const offered = ['alice', 'bob'] as const;

const codeLifeMs = 5 * 60 * 1000;

/** The identity service: sign-in page, consent, tokens, profile (docs/protocol.md#identity). */
export function createIdentityArea(context: Context, tokens: Tokens, clients: Clients) {
	const room = openIdentityRoom(context, tokens, clients);
	return {
		room,
		routes: [
			...flowOf(room),
			...loginPages(context.users, room.sessions),
			...tokenPages(room),
			...profileRoutes(context),
		],
	};
}

function flowOf(room: IdentityRoom): readonly OpenRoute[] {
	const { dialect } = room.context;
	if (dialect.graphql !== null) {
		return secretFlow(room);
	}
	return dialect.exchangeFlow ? exchangeFlow(room) : codeFlow(room);
}

interface Code {
	readonly wish: Wish;
	readonly userName: string;
	readonly scopes: readonly Scope[];
	readonly expiresMs: number;
}

interface Wish {
	readonly client: Client;
	readonly redirectUri: string;
	readonly challenge: string;
	readonly scopes: readonly Scope[];
	readonly state: string;
}

/** The code grant of RFC 6749 with PKCE (RFC 7636, S256 only) for a public client on any free loopback port (RFC 8252). */
function codeFlow(room: IdentityRoom): readonly OpenRoute[] {
	const { codes } = room.context.state.part('grants', { codes: new Map<string, Code>() });
	return [
		open('GET', '/.well-known/oauth-authorization-server', () => metadata(room)),
		...consentRoutes<Wish>(room, {
			path: '/oauth2/authorize',
			read: (field) => readWish(room, field),
			fields: ({ client, redirectUri, challenge, scopes, state }) => ({
				response_type: 'code',
				client_id: client.id,
				redirect_uri: redirectUri,
				code_challenge: challenge,
				code_challenge_method: 'S256',
				scope: scopes.join(' '),
				state,
			}),
			declined: (wish) => sendBack(wish, { error: 'access_denied', error_description: 'The user refused' }),
			granted(wish, { name: userName }, scopes) {
				const code = randomBytes(16).toString('base64url');
				codes.set(code, { wish, userName, scopes, expiresMs: room.context.nowMs() + codeLifeMs });
				return sendBack(wish, { code });
			},
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
	check(field('response_type') === 'code', () => refuse('unsupported_response_type', 'response_type must be code'));
	const challenge = need(readChallenge(field), () => refuse('invalid_request', 'PKCE with S256 is needed'));
	const read = readScopes(room.context.dialect, field('scope') ?? '');
	if ('details' in read) {
		throw refuse('invalid_scope', read.details);
	}
	return { client, redirectUri, challenge, scopes: read.scopes, state };
}

function readChallenge(field: (name: string) => string | null): string | undefined {
	const challenge = field('code_challenge') ?? '';
	return field('code_challenge_method') === 'S256' && /^[\w-]{43}$/.test(challenge) ? challenge : undefined;
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
		code.wish.client.id === sentText(call, 'client_id') &&
		code.wish.redirectUri === sentText(call, 'redirect_uri') &&
		code.wish.challenge === challenge;
	if (!fits) {
		return tokenError('invalid_grant', 'The code is unknown, used, expired or not yours');
	}
	const grant = room.tokens.grant(code.userName, code.wish.client.id, code.scopes);
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

function loginPages(users: Users, sessions: Sessions): readonly OpenRoute[] {
	return [
		open('GET', '/login', (call) => loginPage(users, call)),
		open('POST', '/login', (call) => {
			const { user, return_to: returnTo } = call.body.fields;
			const cookie = typeof user === 'string' ? sessions.begin(user) : undefined;
			if (cookie === undefined) {
				return errorPage(400);
			}
			const answer = redirect(localPath(returnTo));
			return { ...answer, headers: { ...answer.headers, 'Set-Cookie': cookie } };
		}),
		open('GET', '/logout', (call) => {
			const answer = redirect('/login');
			return { ...answer, headers: { ...answer.headers, 'Set-Cookie': sessions.end(call) } };
		}),
	];
}

function loginPage(users: Users, call: Call): Answer {
	const returnTo = localPath(call.query.get('return_to'));
	const buttons = offered.map((name) => {
		const fullName = users.byName(name)?.fullName ?? name;
		return `<button name="user" value="${name}">Continue as ${escapeHtml(fullName)} (~${name})</button>`;
	});
	return webPage(
		'Sign in to the sample forge',
		`<p>This forge lives on your machine only. Choose who you are.</p>
<form method="post" action="/login">${hiddenFields({ return_to: returnTo })}${buttons.join('\n')}</form>`,
	);
}

/** A path of this site; anything else becomes "/", to prevent an open redirect. */
function localPath(value: unknown): string {
	return typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : '/';
}

/** The identity service's own API (docs/protocol.md#profile). There is no `/api/user` here. */
function profileRoutes(context: Context): readonly Route[] {
	const show = ({ user, grant }: ApiCall): object => {
		const { canonical_name: canonicalName, name, ...rest } = showUser(user);
		const trusted = grant.clientId === null ? { user_type: 'active_non_paying', suspension_notice: null } : {};
		return { canonical_name: canonicalName, name, ...trusted, ...rest, use_pgp_key: null };
	};
	const nothing = (call: ApiCall): ReturnType<Route['handle']> =>
		list(context.dialect, call, { rows: [], id: () => 0, show: () => null });
	return [
		api('GET', '/api/user/profile', 'profile:read', (call) => json(200, show(call))),
		api('PUT', '/api/user/profile', 'profile:write', (call) => {
			const sent = validate(context.dialect, call.body);
			for (const field of ['url', 'location', 'bio'] as const) {
				const value = sent.text(field, { nullable: true });
				if (sent.has(field)) {
					call.user[field] = value === undefined || value === '' ? null : value;
				}
			}
			const email = sent.text('email');
			sent.expect(email === undefined || /^\S+@\S+$/.test(email), 'Invalid email address', 'email');
			sent.done();
			if (email !== undefined) {
				call.user.email = email;
			}
			return json(200, show(call));
		}),
		api('GET', '/api/user/ssh-keys', 'keys:read', nothing),
		api('GET', '/api/user/pgp-keys', 'keys:read', nothing),
		api('GET', '/api/user/audit-log', 'audit:read', nothing),
	];
}

/** Pages for creating and revoking tokens; no API creates one (docs/protocol.md#personal-tokens). */
function tokenPages(room: IdentityRoom): readonly OpenRoute[] {
	const { sessions, tokens, context } = room;
	const base = pagesOf(room);
	const limited = context.dialect.graphql !== null;
	return [
		open('GET', '/', () =>
			webPage(
				'Sample forge: your account',
				`<p><a href="${base}">Grants and tokens</a> · <a href="/logout">Sign out</a></p>`,
			),
		),
		open('GET', base, (call) => grantsPage(room, sessions.require(call))),
		open('POST', `${base}/revoke/:key`, (call) => revoke(room, call)),
		open('GET', `${base}/personal-token`, (call) => {
			const session = sessions.require(call);
			return webPage(
				'New personal token',
				`<p>It may do ${limited ? 'what you grant it' : 'everything that you may do'}, for one year.</p>
<form method="post" action="${base}/personal-token">${hiddenFields({ _csrf_token: session.csrf })}
${limited ? grantsField(call) : ''}<label>Comment <input name="comment" maxlength="128"></label><button>Make a token</button></form>`,
			);
		}),
		open('POST', `${base}/personal-token`, (call) => {
			const { user } = sessions.requireForm(call);
			const wish = readScopes(context.dialect, (limited ? sentText(call, 'grants') : null) ?? '');
			if ('details' in wish) {
				return webPage('No token was made', `<p>${escapeHtml(wish.details)}</p>`, 400);
			}
			const choice = wish.scopes.length === 0 ? {} : { scopes: wish.scopes };
			const grant = tokens.mintPersonal(user.name, { ...choice, comment: sentText(call, 'comment') ?? '' });
			return webPage(
				'Your personal token',
				`<p>It is shown only now. Copy it:</p><pre id="token">${grant.token}</pre>`,
			);
		}),
	];
}

/** Base path of the pages. */
function pagesOf({ context }: IdentityRoom): string {
	return context.dialect.graphql === null ? '/oauth' : '/oauth2';
}

/** Requested permissions from the page's address (docs/protocol.md#grant-tokens). */
function grantsField(call: Call): string {
	const grants = escapeHtml(call.query.get('grants') ?? '');
	return `<label>Grants, nothing for everything <input name="grants" size="60" value="${grants}"></label>\n`;
}

function grantsPage(room: IdentityRoom, session: Session): ReturnType<OpenRoute['handle']> {
	const { dialect } = room.context;
	const rows = room.tokens.ofUser(session.user.name).map((grant) => {
		const client = grant.clientId === null ? 'Personal token' : (room.clients.find(grant.clientId)?.name ?? '?');
		const scopes = spellScopes(dialect, grant.scopes).replaceAll(',', ', ');
		return `<li>${escapeHtml(client)}: <code>${escapeHtml(scopes)}</code>, until ${stamp(grant.expiresMs)}
<form method="post" action="${pagesOf(room)}/revoke/${keyOf(grant)}">${hiddenFields({ _csrf_token: session.csrf })}<button>Revoke</button></form></li>`;
	});
	return webPage(
		'Grants and tokens',
		`<ul>${rows.join('\n')}</ul><p><a href="${pagesOf(room)}/personal-token">New personal token</a></p>`,
	);
}

function revoke(room: IdentityRoom, call: Call): ReturnType<OpenRoute['handle']> {
	const { user } = room.sessions.requireForm(call);
	const grant = room.tokens.ofUser(user.name).find((each) => keyOf(each) === param(call, 'key'));
	if (grant === undefined) {
		return errorPage(404);
	}
	room.tokens.revoke(grant.token);
	return redirect(pagesOf(room));
}

/** Names a token on a page without showing it. */
function keyOf(grant: Grant): string {
	return createHash('sha512').update(grant.token).digest('hex').slice(0, 32);
}
