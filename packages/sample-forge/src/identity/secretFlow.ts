import { randomBytes } from 'node:crypto';
import { errorPage, json, Refusal, webPage } from '../shared/answers.ts';
import { type Answer, type Call, type Grant, type OpenRoute, type Scope, open } from '../shared/area.ts';
import {
	type Client,
	sameText,
	consentRoutes,
	type IdentityRoom,
	registrationRoutes,
	sendBack,
	sentText,
} from './identityRoom.ts';
import { knownScopes, readScopes, spellScopes } from './scopes.ts';
import { check, need } from '../shared/checks.ts';

const codeLifeMs = 5 * 60 * 1000;

interface Wish {
	readonly client: Client;
	readonly redirectUri: string;
	readonly scopes: readonly Scope[];
	readonly state: string;
}

/** Grant behind a code or refresh token. */
interface Promised {
	readonly clientId: string;
	readonly userName: string;
	readonly scopes: readonly Scope[];
	readonly expiresMs: number;
}

interface Flow {
	readonly room: IdentityRoom;
	readonly codes: Map<string, Promised>;
	/** By refresh token. */
	readonly renewals: Map<string, Promised>;
}

/** OAuth 2 for clients with a secret and one fixed redirect address (docs/protocol.md#clients-with-a-secret). */
export function secretFlow(room: IdentityRoom): readonly OpenRoute[] {
	const kept = { codes: new Map<string, Promised>(), renewals: new Map<string, Promised>() };
	const flow: Flow = { room, ...room.context.state.part('grants', kept) };
	return [
		open('GET', '/.well-known/oauth-authorization-server', () => metadata(flow)),
		...consentRoutes<Wish>(room, {
			path: '/oauth2/authorize',
			read: (field) => readWish(room, field),
			fields: ({ client, redirectUri, scopes, state }) => ({
				response_type: 'code',
				client_id: client.id,
				redirect_uri: redirectUri,
				scope: spellScopes(room.context.dialect, scopes),
				state,
			}),
			declined: (wish) => sendBack(wish, denied(room, 'access_denied', 'The resource owner denied the request.')),
			granted(wish, { name: userName }, scopes) {
				const code = randomBytes(16).toString('base64url');
				const expiresMs = room.context.nowMs() + codeLifeMs;
				flow.codes.set(code, { clientId: wish.client.id, userName, scopes, expiresMs });
				return sendBack(wish, { code, iss: room.context.origins.meta });
			},
		}),
		open('POST', '/oauth2/access-token', (call) => giveToken(flow, call)),
		open('POST', '/oauth2/introspect', (call) => introspect(room, call)),
		// docs/protocol.md#clients-with-a-secret
		...registrationRoutes(
			room,
			'/oauth2/client-registration',
			{ name: 'client_name', redirectUri: 'redirect_uri' },
			mayRegister,
			webPage('Not registered', '<p>Invalid URL</p>'),
		),
	];
}

/** Services of 2023 had no refresh tokens. */
function renews({ room }: Flow): boolean {
	return room.context.dialect.graphql !== '2023';
}

function metadata(flow: Flow): Answer {
	const { context } = flow.room;
	const issuer = context.origins.meta;
	return openJson(200, {
		issuer,
		authorization_endpoint: `${issuer}/oauth2/authorize`,
		token_endpoint: `${issuer}/oauth2/access-token`,
		scopes_supported: knownScopes(context.dialect).flatMap(({ name }) => [`${name}:RO`, `${name}:RW`]),
		response_types_supported: ['code'],
		grant_types_supported: ['authorization_code', ...(renews(flow) ? ['refresh_token'] : [])],
		service_documentation: `${issuer}/oauth2`,
		introspection_endpoint: `${issuer}/oauth2/introspect`,
		introspection_endpoint_auth_methods_supported: ['none'],
		authorization_response_iss_parameter_supported: true,
	});
}

/** An unknown client or another address than the registered one gets a page, everything else goes back to the client. */
function readWish(room: IdentityRoom, field: (name: string) => string | null): Wish {
	const client = need(room.clients.find(field('client_id') ?? ''), () => notUnderstood('Invalid client ID'));
	if ((field('redirect_uri') ?? client.redirectUri) !== client.redirectUri) {
		throw notUnderstood('The redirect address is not the registered one');
	}
	const { redirectUri } = client;
	const state = field('state') ?? '';
	const refuse = (error: string, description: string): Refusal =>
		new Refusal(sendBack({ redirectUri, state }, denied(room, error, description)));
	if (field('response_type') !== 'code') {
		throw refuse('unsupported_response_type', 'The response type must be code.');
	}
	const read = readScopes(room.context.dialect, field('scope') ?? '');
	if ('details' in read) {
		throw refuse('invalid_scope', read.details);
	}
	check(read.scopes.length > 0, () => refuse('invalid_scope', 'The scope parameter is required.'));
	return { client, redirectUri, scopes: read.scopes, state };
}

function notUnderstood(what: string): Refusal {
	return new Refusal(webPage('Authorization error', `<p>${what}.</p>`));
}

function denied(room: IdentityRoom, error: string, description: string): Readonly<Record<string, string>> {
	return { error, error_description: description, error_uri: `${room.context.origins.meta}/oauth2` };
}

function giveToken(flow: Flow, call: Call): Answer {
	const { room, codes, renewals } = flow;
	if (!/^application\/x-www-form-urlencoded\b/.test(call.headers['content-type'] ?? '')) {
		return refused(room, 400, 'invalid_request', 'Content-Type must be application/x-www-form-urlencoded');
	}
	const client = readClient(room, call);
	if ('status' in client) {
		return client;
	}
	const type = sentText(call, 'grant_type');
	if (type === 'authorization_code') {
		return exchange(flow, client, codes, sentText(call, 'code'));
	}
	if (type !== 'refresh_token' || !renews(flow)) {
		return refused(room, 400, 'unsupported_grant_type', 'The grant type is not supported.');
	}
	const key = sentText(call, 'refresh_token');
	const scope = sentText(call, 'scope');
	const held = renewals.get(key ?? '')?.scopes;
	return scope === null || held === undefined || scope === spellScopes(room.context.dialect, held)
		? exchange(flow, client, renewals, key)
		: refused(room, 400, 'invalid_scope', 'The requested scope is invalid.');
}

/** Authenticates the client by its secret, in form or header; refuses both together. */
function readClient(room: IdentityRoom, call: Call): Client | Answer {
	const proofs = [...proofInHeader(call), ...proofInForm(call)];
	const [proof, another] = proofs;
	if (proof === undefined) {
		return refused(room, 401, 'invalid_client', 'Missing client authorization');
	}
	if (another !== undefined) {
		return refused(room, 400, 'invalid_request', 'Multiple client authentication methods');
	}
	const client = room.clients.find(proof.id);
	return client !== undefined && sameText(proof.secret, client.secret)
		? client
		: refused(room, 401, 'invalid_client', 'Invalid client credentials');
}

interface Proof {
	readonly id: string;
	readonly secret: string;
}

function proofInHeader({ headers }: Call): readonly Proof[] {
	const [, basic] = /^Basic (.+)$/i.exec(headers.authorization ?? '') ?? [];
	const [id = '', secret = ''] = Buffer.from(basic ?? '', 'base64')
		.toString('utf8')
		.split(':');
	return basic === undefined ? [] : [{ id, secret }];
}

function proofInForm(call: Call): readonly Proof[] {
	const secret = sentText(call, 'client_secret');
	return secret === null ? [] : [{ id: sentText(call, 'client_id') ?? '', secret }];
}

/** Redeems a code or refresh token once. The previous access token stays valid. */
function exchange(flow: Flow, client: Client, from: Map<string, Promised>, key: string | null): Answer {
	const { room, renewals } = flow;
	const { context, tokens } = room;
	const promised = from.get(key ?? '');
	if (promised?.clientId !== client.id || promised.expiresMs <= context.nowMs()) {
		return refused(room, 400, 'invalid_grant', 'The access grant was denied.');
	}
	from.delete(key ?? '');
	const grant = tokens.grant(promised.userName, client.id, promised.scopes);
	const renewal = randomBytes(32).toString('base64url');
	renewals.set(renewal, { ...promised, expiresMs: grant.expiresMs });
	return openJson(200, {
		access_token: grant.token,
		token_type: 'bearer',
		expires_in: wrongLife(grant, context.nowMs()),
		scope: spellScopes(context.dialect, promised.scopes),
		...(renews(flow) ? { refresh_token: renewal } : {}),
	});
}

/** The servers observed take the seconds of a difference of days and leave the days out. */
function wrongLife({ expiresMs }: Grant, nowMs: number): number {
	const daySeconds = 24 * 60 * 60;
	return (Math.ceil((expiresMs - nowMs) / 1000) + daySeconds - 1) % daySeconds;
}

function introspect({ context, tokens }: IdentityRoom, call: Call): Answer {
	const token = sentText(call, 'token') ?? '';
	if (!/^[\w+/-]{33,}$/.test(token)) {
		return errorPage(500);
	}
	const grant = tokens.check('meta', token);
	if (typeof grant?.clientId !== 'string') {
		return openJson(200, { active: false });
	}
	return openJson(200, {
		active: true,
		client_id: grant.clientId,
		username: grant.userName,
		token_type: 'bearer',
		exp: Math.floor(grant.expiresMs / 1000),
		iat: Math.floor(grant.issuedMs / 1000),
		scope: spellScopes(context.dialect, grant.scopes),
	});
}

function refused(room: IdentityRoom, status: number, error: string, description: string): Answer {
	return openJson(status, denied(room, error, description));
}

/** JSON that pages of any origin may read. */
function openJson(status: number, value: object): Answer {
	const answer = json(status, value);
	return { ...answer, headers: { ...answer.headers, 'Access-Control-Allow-Origin': '*' } };
}

/** An address of the web, or a scheme of its own that holds a dot. */
function mayRegister(redirectUri: string): boolean {
	return URL.canParse(redirectUri) && /^(https?:\/\/|[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:\/)/.test(redirectUri);
}
