import { createHash } from 'node:crypto';
import type { Call, Grant, OpenRoute } from '../shared/area.ts';
import { open, param } from '../shared/area.ts';
import { errorPage, escapeHtml, redirect, stamp, webPage } from '../shared/answers.ts';
import type { IdentityRoom } from './identityRoom.ts';
import { sentText } from './redirects.ts';
import { readScopes, spellScopes } from './scopes.ts';
import { hiddenFields, type Session } from './sessions.ts';

/** Pages for creating and revoking tokens; no API creates one (docs/protocol.md#personal-tokens). */
export function tokenPages(room: IdentityRoom): readonly OpenRoute[] {
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
