import * as vscode from 'vscode';
import { permissionText } from '../../editor/ask/permissionText.ts';
import type { TokenReading } from '../../forge/forgeProtocol.ts';
import { contentAreas } from '../../forge/instance.ts';
import { areaOfScope, covers, scopes, type HeldScopes, type Scope } from '../../forge/scope.ts';
import { areaText, dayText } from './signInTexts.ts';

/** A longer list is read by nobody, and would push the line away under which it stands. */
const mostNamed = 3;

/** What a token says of itself: whose it is, until when, and what will not work with it. Two sentences at most. */
export function toldTokenText({ owner, expiresMs, scopes: held }: Extract<TokenReading, { kind: 'told' }>): string {
	const whose = vscode.l10n.t('This token of {0} is valid until {1}.', owner, dayText(expiresMs));
	const lacking = lackingText(held);
	return lacking === undefined ? whose : `${whose} ${lacking}`;
}

/** What a token does not permit, in one sentence; `undefined` where it permits all that there is. */
function lackingText(held: HeldScopes): string | undefined {
	const names = lackingNames(held);
	if (names.length === 0) {
		return undefined;
	}
	const list = new Intl.ListFormat(vscode.env.language);
	if (names.length <= mostNamed + 1) {
		return vscode.l10n.t('It does not permit: {0}.', list.format(names));
	}
	const rest = vscode.l10n.t('{0} more', names.length - mostNamed);
	return vscode.l10n.t('It does not permit: {0}.', list.format([...names.slice(0, mostNamed), rest]));
}

/** A whole area by one name; changing something where reading it is permitted. */
function lackingNames(held: HeldScopes): readonly string[] {
	const missing = held === 'all' ? [] : scopes.filter((scope) => !covers(held, scope));
	const isWhole = (scope: Scope): boolean =>
		scopes.every((other) => areaOfScope(other) !== areaOfScope(scope) || missing.includes(other));
	const areas = contentAreas.filter((area) => missing.some((scope) => areaOfScope(scope) === area && isWhole(scope)));
	const single = missing.filter((scope) => !isWhole(scope) && !isImplied(scope, missing));
	const inOrder = [
		...single.filter((scope) => scope.endsWith(':read')),
		...single.filter((scope) => scope.endsWith(':write')),
	];
	return [...areas.map(areaText), ...inOrder.map(permissionText)];
}

/** What cannot be read cannot be changed either. */
function isImplied(scope: Scope, missing: readonly Scope[]): boolean {
	return scope.endsWith(':write') && missing.some((other) => other === scope.replace(/:write$/, ':read'));
}
