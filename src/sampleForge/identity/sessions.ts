import { randomBytes } from 'node:crypto';
import type { Call, User, Users } from '../shared/area.ts';
import { errorPage, escapeHtml, redirect, Refusal } from '../shared/answers.ts';

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
