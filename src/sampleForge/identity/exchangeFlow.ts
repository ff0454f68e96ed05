import { randomBytes } from 'node:crypto';
import type { Answer, Call, OpenRoute, Scope } from '../shared/area.ts';
import { open } from '../shared/area.ts';
import {
	errorPage,
	escapeHtml,
	invalid,
	json,
	problems,
	redirect,
	Refusal,
	stamp,
	webPage,
} from '../shared/answers.ts';
import { validate } from '../shared/body.ts';
import {
	type IdentityRoom,
	isRegistrable,
	outOfBand,
	sameText,
	type Client,
	consentPage,
	tickedScopes,
	hiddenFields,
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
	const exchanges = new Map<string, Exchange>();
	const finish = (wish: Wish, userName: string, scopes: readonly Scope[]): Answer => {
		const code = randomBytes(6).toString('hex');
		const granted: readonly Scope[] = [...new Set<Scope>([...scopes, 'profile:read'])];
		const expiresMs = room.context.nowMs() + codeLifeMs;
		exchanges.set(code, { clientId: wish.client.id, userName, scopes: granted, expiresMs });
		const spelled = granted.map((scope) => spellScope(room.context.dialect, scope)).join(',');
		return sendBack(wish, { exchange: code, scopes: spelled, ...(wish.state === null ? {} : { state: wish.state }) });
	};
	return [
		open('GET', '/oauth/authorize', (call) => askUser(room, call, finish)),
		open('POST', '/oauth/authorize', (call) => takeChoice(room, call, finish)),
		open('POST', '/oauth/exchange', (call) => exchange(room, exchanges, call)),
		open('GET', '/oauth/register', (call) => registerForm(room, call)),
		open('POST', '/oauth/register', (call) => register(room, call)),
	];
}

type Finish = (wish: Wish, userName: string, scopes: readonly Scope[]) => Answer;

function askUser(room: IdentityRoom, call: Call, finish: Finish): Answer {
	const session = room.sessions.require(call);
	const wish = readWish(room, (name) => call.query.get(name));
	const held = room.tokens.ofClient(session.user.name, wish.client.id);
	const asked = new Set<Scope>([...wish.scopes, 'profile:read']);
	const covers = (scope: Scope): boolean => held?.scopes !== '*' && held?.scopes.includes(scope) === true;
	if (held?.scopes.length === asked.size && [...asked].every(covers)) {
		return finish(wish, session.user.name, wish.scopes);
	}
	const { dialect } = room.context;
	return consentPage(dialect, session, {
		action: '/oauth/authorize',
		fields: {
			client_id: wish.client.id,
			redirect_uri: wish.redirectUri,
			scopes: wish.scopes.map((scope) => spellScope(dialect, scope)).join(','),
			...(wish.state === null ? {} : { state: wish.state }),
		},
		clientName: wish.client.name,
		scopes: wish.scopes,
	});
}

function takeChoice(room: IdentityRoom, call: Call, finish: Finish): Answer {
	const session = room.sessions.requireForm(call);
	const wish = readWish(room, (name) => {
		const value = call.body.fields[name];
		return typeof value === 'string' ? value : null;
	});
	if (!Object.hasOwn(call.body.fields, 'accept')) {
		return sendBack(wish, { error: 'user_declined', details: 'The user declined your request' });
	}
	return finish(wish, session.user.name, tickedScopes(room.context.dialect, call, wish.scopes));
}

/** Checks a request; an unknown client gets a page, everything else goes back to the client, without state. */
function readWish(room: IdentityRoom, field: (name: string) => string | null): Wish {
	const client = room.clients.find(field('client_id') ?? '');
	if (client === undefined) {
		throw new Refusal(errorPage(400));
	}
	const given = field('redirect_uri') ?? '';
	// Observed servers test in this direction: the sent address must be a prefix of the registered one.
	if (given !== '' && !(URL.canParse(given) && client.redirectUri.startsWith(given))) {
		const details = 'The URI provided must use be a subdirectory of your configured redirect URI';
		throw new Refusal(sendBack({ client, redirectUri: client.redirectUri }, { error: 'invalid_redirect', details }));
	}
	const redirectUri = given === '' ? client.redirectUri : given;
	const read = readScopes(room.context.dialect, field('scopes') ?? field('scope') ?? '');
	if ('details' in read) {
		throw new Refusal(sendBack({ client, redirectUri }, { error: 'invalid_scope', details: read.details }));
	}
	return { client, redirectUri, scopes: read.scopes, state: field('state') };
}

/** Back to the client, or onto a page when it is out of band. */
function sendBack(
	{ redirectUri }: Pick<Wish, 'client' | 'redirectUri'>,
	result: Readonly<Record<string, string>>,
): Answer {
	if (redirectUri === outOfBand) {
		const said = result['exchange'] ?? result['error'] ?? '';
		return webPage(
			result['exchange'] === undefined ? 'Not granted' : 'Your code',
			`<p>Copy this into the program that asked for it:</p><pre id="code">${escapeHtml(said)}</pre>`,
		);
	}
	const target = new URL(redirectUri);
	for (const [name, value] of Object.entries(result)) {
		target.searchParams.append(name, value);
	}
	return redirect(target.href);
}

function exchange(room: IdentityRoom, exchanges: Map<string, Exchange>, call: Call): Answer {
	const sent = validate(room.context.dialect, call.body);
	const clientId = sent.text('client_id', { required: true }) ?? '';
	const secret = sent.text('client_secret', { required: true }) ?? '';
	const code = sent.text('exchange', { required: true }) ?? '';
	sent.done();
	const client = room.clients.find(clientId);
	if (client === undefined) {
		throw invalid('Unknown client ID', 'client_id');
	}
	if (!sameText(secret, client.secret)) {
		throw invalid('Invalid client secret', 'client_secret');
	}
	const found = exchanges.get(code);
	exchanges.delete(code);
	if (found === undefined || found.clientId !== clientId || found.expiresMs <= room.context.nowMs()) {
		return problems(400, [{ reason: 'Exchange token expired' }]);
	}
	const grant = room.tokens.grant(found.userName, clientId, found.scopes);
	return json(200, { token: grant.token, expires: stamp(grant.expiresMs) });
}

function registerForm(room: IdentityRoom, call: Call): Answer {
	const session = room.sessions.require(call);
	return webPage(
		'Register a client',
		`<form method="post" action="/oauth/register">${hiddenFields({ _csrf_token: session.csrf })}
<label>Name <input name="client-name"></label><label>Redirect address <input name="redirect-uri"></label>
<button>Register</button></form>`,
	);
}

function register(room: IdentityRoom, call: Call): Answer {
	room.sessions.requireForm(call);
	const { 'client-name': name, 'redirect-uri': redirectUri } = call.body.fields;
	if (typeof name !== 'string' || name === '' || typeof redirectUri !== 'string' || !isRegistrable(redirectUri)) {
		return webPage('Not registered', '<p>A name and an http address are needed.</p>', 400);
	}
	const client = room.clients.add(name, redirectUri);
	return webPage(
		'Client registered',
		`<p>The secret is shown only now.</p><pre id="client-id">${client.id}</pre><pre id="client-secret">${client.secret}</pre>`,
	);
}
