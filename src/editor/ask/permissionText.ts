import * as vscode from 'vscode';
import type { BesidesScopes } from 'sourcehut/port/forgeError.ts';
import type { Scope } from 'sourcehut/port/scope.ts';

/** Noun for a permission, for use in a list. */
export function permissionText(permission: Scope | BesidesScopes): string {
	return {
		'tickets:read': vscode.l10n.t('tickets'),
		'tickets:write': vscode.l10n.t('changing tickets'),
		'trackers:read': vscode.l10n.t('trackers'),
		'trackers:write': vscode.l10n.t('changing trackers'),
		'lists:read': vscode.l10n.t('mailing lists'),
		'lists:write': vscode.l10n.t('changing mailing lists'),
		'emails:read': vscode.l10n.t('email'),
		'patches:read': vscode.l10n.t('patchsets'),
		'patches:write': vscode.l10n.t('changing patchsets'),
		'subs:read': vscode.l10n.t('subscriptions'),
		'subs:write': vscode.l10n.t('changing subscriptions'),
		'info:read': vscode.l10n.t('repositories'),
		'info:write': vscode.l10n.t('changing repositories'),
		'data:read': vscode.l10n.t('files and commits'),
		projects: vscode.l10n.t('projects'),
		ticketSubscriptions: vscode.l10n.t('following tickets by email'),
		listRights: vscode.l10n.t('your permissions on mailing lists'),
	}[permission];
}
