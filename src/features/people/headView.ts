import * as vscode from 'vscode';
import { unsentText } from '../../editor/ask/extraFields.ts';
import { isForgeError } from '../../forge/port/forgeError.ts';
import type { OwnerName, User } from '../../forge/port/user.ts';
import type { PersonHeadView, ProfileFact, ProfileView } from '../../pages/protocol/personView.ts';
import type { Connection } from '../../store/connection.ts';
import type { Person } from '../../store/people/person.ts';
import { safeLink } from '../../engine/text/linkPolicy.ts';
import { visibleLine } from '../../engine/text/visible.ts';

export interface HeadParts {
	readonly connection: Connection;
	/** The name from the page's address. */
	readonly name: OwnerName;
	/** `undefined` until the first answer. */
	readonly person: Person | undefined;
	/** Rendered Markdown; `undefined` while the renderer is not loaded. */
	readonly html: ((markdown: string) => string) | undefined;
	readonly explain: (error: unknown) => string;
}

/** True if the page shows the account's own person, under any of their names. */
export function isOneself({ me }: Connection, name: OwnerName, person: Person | undefined): boolean {
	return (person?.account ?? name).toLowerCase() === me.toLowerCase();
}

/** Nobody of this name has shown up on the forge. */
export function isUnknown(person: Person | undefined): boolean {
	return person?.profile.kind === 'failed' && isNotFound(person.profile.error);
}

/** True if the person doesn't exist or is private. */
export function isNotFound(error: unknown): boolean {
	return isForgeError(error) && error.problem.kind === 'notFound';
}

/** Names and profile of the person. */
export function headView(parts: HeadParts): PersonHeadView {
	const { connection, name, person } = parts;
	const account = person?.account ?? (name.startsWith('~') ? name : undefined);
	return {
		title: visibleLine(account === undefined ? name : account.slice(1)),
		account: account === undefined || isUnknown(person) ? undefined : visibleLine(account),
		isMe: isOneself(connection, name, person),
		profile: profileView(parts),
	};
}

function profileView({ connection, name, person, html, explain }: HeadParts): ProfileView {
	const { profile } = person ?? {};
	switch (profile?.kind) {
		case undefined:
		case 'reading':
			return { kind: 'loading' };
		case 'failed':
			return isNotFound(profile.error)
				? {
						kind: 'none',
						text: vscode.l10n.t('{0} has no account named {1}.', connection.instance.name, visibleLine(name)),
					}
				: { kind: 'failed', reason: explain(profile.error) };
		case 'known':
			return profile.value
				? profileOf(profile.value, html)
				: {
						kind: 'none',
						text: vscode.l10n.t('No account on {0} has this email address.', connection.instance.name),
					};
	}
}

function profileOf(user: User, html: HeadParts['html']): ProfileView {
	const bio = user.bio?.trim() ?? '';
	return { kind: 'profile', facts: factsOf(user), bioHtml: bio === '' ? '' : html?.(bio), unsent: unsentText([user]) };
}

function factsOf({ email, url, location }: User): readonly ProfileFact[] {
	return [
		...factOf('address', email, (text) => safeLink(`mailto:${text}`, 'https://forge.invalid/')?.href),
		// Profile links must be absolute; a relative link would point to our forge.
		...factOf('url', url, (text) => safeLink(text, text)?.href),
		...factOf('location', location, () => undefined),
	];
}

function factOf(
	kind: ProfileFact['kind'],
	written: string | undefined,
	linkOf: (text: string) => string | undefined,
): readonly ProfileFact[] {
	const text = visibleLine(written ?? '');
	return text === '' ? [] : [{ kind, text, href: linkOf((written ?? '').trim()) }];
}
