import type { Answer, Call, OpenRoute } from '../shared/area.ts';
import { open } from '../shared/area.ts';
import { escapeHtml, webPage } from '../shared/answers.ts';
import type { IdentityRoom } from './identityRoom.ts';
import { sentText } from './redirects.ts';
import { hiddenFields } from './sessions.ts';

/** Where people register a client with a secret (docs/protocol.md#clients-with-a-secret). */
export function clientPages(room: IdentityRoom): readonly OpenRoute[] {
	return [
		open('GET', '/oauth2/client-registration', (call) => registerForm(room, call)),
		open('POST', '/oauth2/client-registration', (call) => register(room, call)),
	];
}

function registerForm(room: IdentityRoom, call: Call): Answer {
	const session = room.sessions.require(call);
	return webPage(
		'Register a client',
		`<form method="post" action="/oauth2/client-registration">${hiddenFields({ _csrf_token: session.csrf })}
<label>Name <input name="client_name"></label><label>Redirect address <input name="redirect_uri"></label>
<button>Register</button></form>`,
	);
}

function register(room: IdentityRoom, call: Call): Answer {
	room.sessions.requireForm(call);
	const name = sentText(call, 'client_name') ?? '';
	const redirectUri = sentText(call, 'redirect_uri') ?? '';
	if (name === '' || !mayRegister(redirectUri)) {
		return webPage('Not registered', '<p>Invalid URL</p>');
	}
	const client = room.clients.add(name, redirectUri);
	return webPage(
		'Client registered',
		`<p>The secret is shown only now.</p><pre id="client-id">${escapeHtml(client.id)}</pre><pre id="client-secret">${client.secret}</pre>`,
	);
}

/** An address of the web, or a scheme of its own that holds a dot. */
function mayRegister(redirectUri: string): boolean {
	return URL.canParse(redirectUri) && /^(https?:\/\/|[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:\/)/.test(redirectUri);
}
