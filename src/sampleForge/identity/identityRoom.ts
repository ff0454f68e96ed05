import { randomBytes, timingSafeEqual } from 'node:crypto';
import { errorPage, escapeHtml, redirect, Refusal, webPage } from '../shared/answers.ts';
import type { Call, User, Users, Answer, Scope, Context, Dialect } from '../shared/area.ts';
import { knownScopes, spellScope, splitScope } from './scopes.ts';
import type { Tokens } from './tokens.ts';

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

/** True for a registrable address: http, https, gemini, gopher, or out of band. */
export function isRegistrable(redirectUri: string): boolean {
	return redirectUri === outOfBand || (URL.canParse(redirectUri) && /^(https?|gemini|gopher):/.test(redirectUri));
}

export type Clients = ReturnType<typeof createClients>;

export function createClients(known: readonly Client[], newId: () => string) {
	const clients = new Map(known.map((client) => [client.id, client]));
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

export function createSessions(users: Users) {
	const sessions = new Map<string, Session>();
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
			if (call.body.fields['_csrf_token'] !== session.csrf) {
				throw new Refusal(errorPage(403));
			}
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
export interface Return {
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

/** Target and hidden fields of the form. */
export interface Consent {
	readonly action: string;
	readonly fields: Readonly<Record<string, string>>;
	readonly clientName: string;
	readonly scopes: readonly Scope[];
}

/** Consent page with one removable checkbox per scope. */
export function consentPage(dialect: Dialect, session: Session, consent: Consent): Answer {
	const boxes = consent.scopes.map((scope) => {
		const name = escapeHtml(spellScope(dialect, scope));
		return `<label><input type="checkbox" name="${name}" checked> ${escapeHtml(sayScope(dialect, scope))} <code>${name}</code></label>`;
	});
	return webPage(
		`Let ${consent.clientName} use your account?`,
		`<p>Signed in as <strong>${escapeHtml(session.user.fullName)}</strong> (~${escapeHtml(session.user.name)}).
<a href="/logout">Somebody else?</a></p>
<form method="post" action="${escapeHtml(consent.action)}">
${hiddenFields({ ...consent.fields, _csrf_token: session.csrf })}
<fieldset><legend>It asks for</legend>
${boxes.join('\n')}
</fieldset>
<p><button type="submit" name="accept">Allow</button><button type="submit" name="reject">Refuse</button></p>
</form>`,
	);
}

export function tickedScopes(dialect: Dialect, call: Call, asked: readonly Scope[]): readonly Scope[] {
	return asked.filter((scope) => call.body.fields[spellScope(dialect, scope)] === 'on');
}

function sayScope(dialect: Dialect, scope: Scope): string {
	const [name, access] = splitScope(scope);
	const says = knownScopes(dialect).find((entry) => entry.name === name)?.says ?? name;
	return access === 'write' ? `read and change ${says}` : `read ${says}`;
}

/** Shared state of the identity service's pages. */
export type IdentityRoom = ReturnType<typeof openIdentityRoom>;

export function openIdentityRoom(context: Context, tokens: Tokens, clients: Clients) {
	return { context, tokens, clients, sessions: createSessions(context.users) };
}
