import { createHash } from 'node:crypto';
import type { Call, Grant, OpenRoute } from '../shared/area.ts';
import { open, param } from '../shared/area.ts';
import { errorPage, escapeHtml, redirect, stamp, webPage } from '../shared/answers.ts';
import type { IdentityRoom } from './identityRoom.ts';
import { spellScope } from './scopes.ts';
import { hiddenFields, type Session } from './sessions.ts';

/** Pages on which people make and revoke tokens; no API makes one (docs/protocol.md#personal-tokens). */
export function tokenPages(room: IdentityRoom): readonly OpenRoute[] {
	const { sessions, tokens } = room;
	return [
		open('GET', '/', () =>
			webPage(
				'Sample forge: your account',
				'<p><a href="/oauth">Grants and tokens</a> · <a href="/logout">Sign out</a></p>',
			),
		),
		open('GET', '/oauth', (call) => grantsPage(room, sessions.require(call))),
		open('POST', '/oauth/revoke/:key', (call) => revoke(room, call)),
		open('GET', '/oauth/personal-token', (call) => {
			const session = sessions.require(call);
			return webPage(
				'New personal token',
				`<p>It may do everything that you may do, for one year.</p>
<form method="post" action="/oauth/personal-token">${hiddenFields({ _csrf_token: session.csrf })}
<label>Comment <input name="comment" maxlength="128"></label><button>Make a token</button></form>`,
			);
		}),
		open('POST', '/oauth/personal-token', (call) => {
			const { user } = sessions.requireForm(call);
			const grant = tokens.mintPersonal(user.name);
			return webPage(
				'Your personal token',
				`<p>It is shown only now. Copy it:</p><pre id="token">${grant.token}</pre>`,
			);
		}),
	];
}

function grantsPage(room: IdentityRoom, session: Session): ReturnType<OpenRoute['handle']> {
	const { dialect } = room.context;
	const rows = room.tokens.ofUser(session.user.name).map((grant) => {
		const client = grant.clientId === null ? 'Personal token' : (room.clients.find(grant.clientId)?.name ?? '?');
		const scopes = grant.scopes === '*' ? '*' : grant.scopes.map((scope) => spellScope(dialect, scope)).join(', ');
		return `<li>${escapeHtml(client)}: <code>${escapeHtml(scopes)}</code>, until ${stamp(grant.expiresMs)}
<form method="post" action="/oauth/revoke/${keyOf(grant)}">${hiddenFields({ _csrf_token: session.csrf })}<button>Revoke</button></form></li>`;
	});
	return webPage(
		'Grants and tokens',
		`<ul>${rows.join('\n')}</ul><p><a href="/oauth/personal-token">New personal token</a></p>`,
	);
}

function revoke(room: IdentityRoom, call: Call): ReturnType<OpenRoute['handle']> {
	const { user } = room.sessions.requireForm(call);
	const grant = room.tokens.ofUser(user.name).find((each) => keyOf(each) === param(call, 'key'));
	if (grant === undefined) {
		return errorPage(404);
	}
	room.tokens.revoke(grant.token);
	return redirect('/oauth');
}

/** Names a token on a page without showing it. */
function keyOf(grant: Grant): string {
	return createHash('sha512').update(grant.token).digest('hex').slice(0, 32);
}
