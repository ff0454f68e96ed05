import { randomBytes } from 'node:crypto';
import type { Answer, Call, OpenRoute, Scope, User } from '../shared/area.ts';
import { open } from '../shared/area.ts';
import { errorPage, escapeHtml, invalid, json, problems, Refusal, stamp, webPage } from '../shared/answers.ts';
import { validate } from '../shared/body.ts';
import { check, need } from '../shared/checks.ts';
import {
	type IdentityRoom,
	outOfBand,
	sameText,
	type Client,
	consentRoutes,
	registrationRoutes,
	sendBack,
} from './identityRoom.ts';
import { readScopes, spellScope } from './scopes.ts';

const codeLifeMs = 15 * 60 * 1000;

interface Exchange {
	readonly clientId: string;
	readonly userName: string;
	readonly scopes: readonly Scope[];
	readonly expiresMs: number;
}

/** A request for authorization that has passed its checks. */
interface Wish {
	readonly client: Client;
	readonly redirectUri: string;
	readonly scopes: readonly Scope[];
	readonly state: string | null;
}

/**
 * The older flow (docs/protocol.md#exchange-flow): a registered client with a secret and a fixed redirect address, no
 * PKCE.
 */
export function exchangeFlow(room: IdentityRoom): readonly OpenRoute[] {
	const { context, tokens } = room;
	const { exchanges } = context.state.part('grants', { exchanges: new Map<string, Exchange>() });
	const spell = (scopes: readonly Scope[]): string =>
		scopes.map((scope) => spellScope(context.dialect, scope)).join(',');
	const granted = (wish: Wish, { name: userName }: User, chosen: readonly Scope[]): Answer => {
		const code = randomBytes(6).toString('hex');
		const scopes = [...new Set<Scope>([...chosen, 'profile:read'])];
		const expiresMs = context.nowMs() + codeLifeMs;
		exchanges.set(code, { clientId: wish.client.id, userName, scopes, expiresMs });
		return answerClient(wish.redirectUri, { exchange: code, scopes: spell(scopes), ...stateOf(wish) });
	};
	return [
		...consentRoutes<Wish>(room, {
			path: '/oauth/authorize',
			read: (field) => readWish(room, field),
			fields: (wish) => ({
				client_id: wish.client.id,
				redirect_uri: wish.redirectUri,
				scopes: spell(wish.scopes),
				...stateOf(wish),
			}),
			skip(wish, user) {
				const held = tokens.ofClient(user.name, wish.client.id)?.scopes ?? [];
				const asked = new Set<Scope>([...wish.scopes, 'profile:read']);
				const isHeld = held !== '*' && held.length === asked.size && held.every((scope) => asked.has(scope));
				return isHeld ? granted(wish, user, wish.scopes) : undefined;
			},
			declined: ({ redirectUri }) =>
				answerClient(redirectUri, { error: 'user_declined', details: 'The user declined your request' }),
			granted,
		}),
		open('POST', '/oauth/exchange', (call) => exchange(room, exchanges, call)),
		...registrationRoutes(
			room,
			'/oauth/register',
			{ name: 'client-name', redirectUri: 'redirect-uri' },
			isRegistrable,
			webPage('Not registered', '<p>A name and an http address are needed.</p>', 400),
		),
	];
}

function stateOf({ state }: Wish): Readonly<Record<string, string>> {
	return state === null ? {} : { state };
}

/** True for a registrable address: http, https, gemini, gopher, or out of band. */
function isRegistrable(redirectUri: string): boolean {
	return redirectUri === outOfBand || (URL.canParse(redirectUri) && /^(https?|gemini|gopher):/.test(redirectUri));
}

/** Checks a request; an unknown client gets a page, everything else goes back to the client, without state. */
function readWish(room: IdentityRoom, field: (name: string) => string | null): Wish {
	const client = need(room.clients.find(field('client_id') ?? ''), () => new Refusal(errorPage(400)));
	const given = field('redirect_uri') ?? '';
	// Observed servers test in this direction: the sent address must be a prefix of the registered one.
	if (given !== '' && !(URL.canParse(given) && client.redirectUri.startsWith(given))) {
		const details = 'The URI provided must use be a subdirectory of your configured redirect URI';
		throw new Refusal(answerClient(client.redirectUri, { error: 'invalid_redirect', details }));
	}
	const redirectUri = given === '' ? client.redirectUri : given;
	const read = readScopes(room.context.dialect, field('scopes') ?? field('scope') ?? '');
	if ('details' in read) {
		throw new Refusal(answerClient(redirectUri, { error: 'invalid_scope', details: read.details }));
	}
	return { client, redirectUri, scopes: read.scopes, state: field('state') };
}

/** Back to the client, or onto a page when it is out of band. */
function answerClient(redirectUri: string, result: Readonly<Record<string, string>>): Answer {
	if (redirectUri !== outOfBand) {
		return sendBack({ redirectUri, state: '' }, result);
	}
	const said = result['exchange'] ?? result['error'] ?? '';
	return webPage(
		result['exchange'] === undefined ? 'Not granted' : 'Your code',
		`<p>Copy this into the program that asked for it:</p><pre id="code">${escapeHtml(said)}</pre>`,
	);
}

function exchange(room: IdentityRoom, exchanges: Map<string, Exchange>, call: Call): Answer {
	const sent = validate(room.context.dialect, call.body);
	const clientId = sent.text('client_id', { required: true }) ?? '';
	const secret = sent.text('client_secret', { required: true }) ?? '';
	const code = sent.text('exchange', { required: true }) ?? '';
	sent.done();
	const client = need(room.clients.find(clientId), () => invalid('Unknown client ID', 'client_id'));
	check(sameText(secret, client.secret), () => invalid('Invalid client secret', 'client_secret'));
	const found = exchanges.get(code);
	exchanges.delete(code);
	if (found === undefined || found.clientId !== clientId || found.expiresMs <= room.context.nowMs()) {
		return problems(400, [{ reason: 'Exchange token expired' }]);
	}
	const grant = room.tokens.grant(found.userName, clientId, found.scopes);
	return json(200, { token: grant.token, expires: stamp(grant.expiresMs) });
}
