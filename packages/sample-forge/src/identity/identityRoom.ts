import { randomBytes, timingSafeEqual } from 'node:crypto';
import { errorPage, escapeHtml, redirect, Refusal, webPage } from '../shared/answers.ts';
import {
	type Call,
	type User,
	type Answer,
	type Scope,
	type Context,
	type Dialect,
	type OpenRoute,
	open,
} from '../shared/area.ts';
import { knownScopes, spellScope, splitScope } from './scopes.ts';
import type { State } from '../shared/state.ts';
import type { Tokens } from './tokens.ts';
import { check } from '../shared/checks.ts';

/** A registered third-party client (docs/protocol.md#registered-clients). */
export interface Client {
	/** 16 hex digits, or a UUID in some dialects. */
	readonly id: string;
	/** 32 hex digits, shown once. */
	readonly secret: string;
	readonly name: string;
	/** An http address, or `urn:ietf:wg:oauth:2.0:oob`. */
	readonly redirectUri: string;
}

export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

export type Clients = ReturnType<typeof createClients>;

export function createClients(known: readonly Client[], newId: () => string, state: State) {
	const { clients } = state.part('clients', { clients: new Map(known.map((client) => [client.id, client])) });
	return {
		find: (id: string) => clients.get(id),
		add(name: string, redirectUri: string) {
			const client: Client = {
				id: newId(),
				secret: randomBytes(16).toString('hex'),
				name,
				redirectUri,
			};
			clients.set(client.id, client);
			return client;
		},
	};
}

/** Whether a secret is the right one, in the same time for every wrong one of its length. */
export function sameText(given: string, known: string): boolean {
	const [one, other] = [Buffer.from(given), Buffer.from(known)];
	return one.length === other.length && timingSafeEqual(one, other);
}

/** A signed-in browser session. */
export interface Session {
	readonly user: User;
	/** Required in every form. */
	readonly csrf: string;
}

const cookieName = 'forge-session';

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions({ users, state }: Context) {
	const { sessions } = state.part('sessions', { sessions: new Map<string, Session>() });
	const find = (call: Call): Session | undefined => sessions.get(cookieOf(call) ?? '');
	const requireSession = (call: Call): Session => {
		const session = find(call);
		if (session === undefined) {
			const here = call.request.url ?? '/';
			throw new Refusal(redirect(`/login?return_to=${encodeURIComponent(here)}`));
		}
		return session;
	};
	return {
		/** Value of the Set-Cookie header of a new session. */
		begin(userName: string) {
			const user = users.byName(userName);
			if (user === undefined) {
				return undefined;
			}
			const key = randomBytes(16).toString('hex');
			sessions.set(key, { user, csrf: randomBytes(16).toString('hex') });
			return `${cookieName}=${key}; HttpOnly; SameSite=Lax; Path=/`;
		},
		/** The session of a page; sends the browser to the login page when there is none. */
		require: requireSession,
		/** For form submissions; refuses forms from outside this session's pages. */
		requireForm(call: Call) {
			const session = requireSession(call);
			check(call.body.fields['_csrf_token'] === session.csrf, () => new Refusal(errorPage(403)));
			return session;
		},
		/** Set-Cookie value that ends the session. */
		end(call: Call) {
			sessions.delete(cookieOf(call) ?? '');
			return `${cookieName}=; Max-Age=0; Path=/`;
		},
	};
}

function cookieOf(call: Call): string | undefined {
	const cookies = (call.headers.cookie ?? '').split(/;\s*/);
	return cookies.find((cookie) => cookie.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1);
}

/** Hidden fields of a form. */
export function hiddenFields(fields: Readonly<Record<string, string>>): string {
	return Object.entries(fields)
		.map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
		.join('\n');
}

/** Redirect target and the client's state. */
interface Return {
	readonly redirectUri: string;
	readonly state: string;
}

/** Redirects to the client with a result, with its state if it sent one. */
export function sendBack({ redirectUri, state }: Return, result: Readonly<Record<string, string>>): Answer {
	const target = new URL(redirectUri);
	for (const [name, value] of Object.entries({ ...result, ...(state === '' ? {} : { state }) })) {
		target.searchParams.append(name, value);
	}
	return redirect(target.href);
}

/** A field of a submitted form. */
export function sentText(call: Call, name: string): string | null {
	const value = call.body.fields[name];
	return typeof value === 'string' ? value : null;
}

/** A request of a client for authorization. */
interface Asked {
	readonly client: Client;
	readonly scopes: readonly Scope[];
}

/** Steps of a flow that asks the user for consent. */
interface ConsentFlow<Wish extends Asked> {
	readonly path: string;
	/** Reads the fields of a request, or throws the answer to an invalid one. */
	readonly read: (field: (name: string) => string | null) => Wish;
	/** Fields that make the same request again. */
	readonly fields: (wish: Wish) => Readonly<Record<string, string>>;
	/** Answers a request that needs no consent. */
	readonly skip?: (wish: Wish, user: User) => Answer | undefined;
	readonly declined: (wish: Wish) => Answer;
	readonly granted: (wish: Wish, user: User, scopes: readonly Scope[]) => Answer;
}

/** The consent page of a flow, and the answer to its form. */
export function consentRoutes<Wish extends Asked>(room: IdentityRoom, flow: ConsentFlow<Wish>): readonly OpenRoute[] {
	const { sessions, context } = room;
	const { path } = flow;
	return [
		open('GET', path, (call) => {
			const session = sessions.require(call);
			const wish = flow.read((name) => call.query.get(name));
			return flow.skip?.(wish, session.user) ?? consentPage(context.dialect, session, path, wish, flow.fields(wish));
		}),
		open('POST', path, (call) => {
			const { user } = sessions.requireForm(call);
			const wish = flow.read((name) => sentText(call, name));
			const { fields } = call.body;
			if (Object.hasOwn(fields, 'reject') || !Object.hasOwn(fields, 'accept')) {
				return flow.declined(wish);
			}
			const isTicked = (scope: Scope): boolean => fields[spellScope(context.dialect, scope)] === 'on';
			return flow.granted(wish, user, wish.scopes.filter(isTicked));
		}),
	];
}

/** One removable checkbox for each scope. */
function consentPage(
	dialect: Dialect,
	{ user, csrf }: Session,
	path: string,
	{ client, scopes }: Asked,
	fields: Readonly<Record<string, string>>,
): Answer {
	const boxes = scopes.map((scope) => {
		const name = escapeHtml(spellScope(dialect, scope));
		return `<label><input type="checkbox" name="${name}" checked> ${escapeHtml(sayScope(dialect, scope))} <code>${name}</code></label>`;
	});
	return webPage(
		`Let ${client.name} use your account?`,
		`<p>Signed in as <strong>${escapeHtml(user.fullName)}</strong> (~${escapeHtml(user.name)}).
<a href="/logout">Somebody else?</a></p>
<form method="post" action="${path}">
${hiddenFields({ ...fields, _csrf_token: csrf })}
<fieldset><legend>It asks for</legend>
${boxes.join('\n')}
</fieldset>
<p><button type="submit" name="accept">Allow</button><button type="submit" name="reject">Refuse</button></p>
</form>`,
	);
}

function sayScope(dialect: Dialect, scope: Scope): string {
	const [name, access] = splitScope(scope);
	const says = knownScopes(dialect).find((entry) => entry.name === name)?.says ?? name;
	return access === 'write' ? `read and change ${says}` : `read ${says}`;
}

/** Where people register a client with a secret. */
export function registrationRoutes(
	{ sessions, clients }: IdentityRoom,
	path: string,
	names: { readonly name: string; readonly redirectUri: string },
	mayRegister: (redirectUri: string) => boolean,
	refused: Answer,
): readonly OpenRoute[] {
	return [
		open('GET', path, (call) => {
			const { csrf } = sessions.require(call);
			return webPage(
				'Register a client',
				`<form method="post" action="${path}">${hiddenFields({ _csrf_token: csrf })}
<label>Name <input name="${names.name}"></label><label>Redirect address <input name="${names.redirectUri}"></label>
<button>Register</button></form>`,
			);
		}),
		open('POST', path, (call) => {
			sessions.requireForm(call);
			const name = sentText(call, names.name) ?? '';
			const redirectUri = sentText(call, names.redirectUri) ?? '';
			if (name === '' || !mayRegister(redirectUri)) {
				return refused;
			}
			const { id, secret } = clients.add(name, redirectUri);
			return webPage(
				'Client registered',
				`<p>The secret is shown only now.</p><pre id="client-id">${id}</pre><pre id="client-secret">${secret}</pre>`,
			);
		}),
	];
}

/** Shared state of the identity service's pages. */
export type IdentityRoom = ReturnType<typeof openIdentityRoom>;

export function openIdentityRoom(context: Context, tokens: Tokens, clients: Clients) {
	return { context, tokens, clients, sessions: createSessions(context) };
}
