import type { Answer, Call, Scope } from '../shared/area.ts';
import { escapeHtml, webPage } from '../shared/answers.ts';
import type { Dialect } from '../shared/dialect.ts';
import { knownScopes, spellScope, splitScope } from './scopes.ts';
import { hiddenFields, type Session } from './sessions.ts';

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
