import * as vscode from 'vscode';
import { permissionText } from '../../editor/ask/permissionText.ts';
import type { TokenReading } from '../../forge/forgeProtocol.ts';
import { contentAreas, type ContentArea } from '../../forge/instance.ts';
import { areaOfScope, covers, scopes, type HeldScopes, type Scope } from '../../forge/scope.ts';
import { areaText, dayText } from './signInTexts.ts';

/** A longer list would push its own first line out of the box. */
const mostNamed = 3;

/** Owner, expiry date and permissions of a token, and features that it can't use. At most three sentences. */
export function toldTokenText({ owner, expiresMs, scopes: held, lacks }: ToldToken): string {
	const whose = vscode.l10n.t('This token of {0} is valid until {1}.', owner, dayText(expiresMs));
	const lacking = [...lackingNames(held), ...lacks.map(permissionText)];
	if (lacking.length === 0) {
		return `${whose} ${vscode.l10n.t('It grants everything that Forge Desk needs.')}`;
	}
	const names = heldNames(held);
	const may = names.length === 0 ? [] : [vscode.l10n.t('It permits: {0}.', listed(names))];
	return [whose, ...may, vscode.l10n.t('It does not permit: {0}.', listed(lacking))].join(' ');
}

type ToldToken = Extract<TokenReading, { readonly kind: 'told' }>;

function listed(names: readonly string[]): string {
	const list = new Intl.ListFormat(vscode.env.language);
	if (names.length <= mostNamed + 1) {
		return list.format(names);
	}
	const rest = vscode.l10n.t('{0} more', names.length - mostNamed);
	return list.format([...names.slice(0, mostNamed), rest]);
}

/** Areas that the token can read completely, and things it can change. */
function heldNames(held: HeldScopes): readonly string[] {
	const all = scopes.filter((scope) => held === 'all' || covers(held, scope));
	const read = scopes.filter((scope) => scope.endsWith(':read'));
	const isWhole = (area: ContentArea): boolean =>
		read.every((scope) => areaOfScope(scope) !== area || all.includes(scope));
	const areas = contentAreas.filter(isWhole);
	const single = all.filter((scope) => read.includes(scope) && !areas.includes(areaOfScope(scope)));
	const changing = all.filter((scope) => !read.includes(scope));
	return [...areas.map(areaText), ...[...single, ...changing].map(permissionText)];
}

/** Missing areas by one name; missing writes only where the token can read. */
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

/** A missing read permission implies the missing write permission. */
function isImplied(scope: Scope, missing: readonly Scope[]): boolean {
	return scope.endsWith(':write') && missing.some((other) => other === scope.replace(/:write$/, ':read'));
}
