import type { Answer, Call, OpenRoute, Users } from '../shared/area.ts';
import { open } from '../shared/area.ts';
import { errorPage, escapeHtml, redirect, webPage } from '../shared/answers.ts';
import { hiddenFields, type Sessions } from './sessions.ts';

/** The people that the login page offers: no passwords, this forge guards nothing. */
const offered = ['alice', 'bob'] as const;

export function loginPages(users: Users, sessions: Sessions): readonly OpenRoute[] {
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
