import * as vscode from 'vscode';
import type { BesidesScopes } from '../../forge/port/forgeError.ts';
import type { Scope } from '../../forge/port/scope.ts';

/** Noun for a permission, for use in a list. */
export function permissionText(permission: Scope | BesidesScopes): string {
	switch (permission) {
		case 'tickets:read':
			return vscode.l10n.t('tickets');
		case 'tickets:write':
			return vscode.l10n.t('changing tickets');
		case 'trackers:read':
			return vscode.l10n.t('trackers');
		case 'trackers:write':
			return vscode.l10n.t('changing trackers');
		case 'lists:read':
			return vscode.l10n.t('mailing lists');
		case 'lists:write':
			return vscode.l10n.t('changing mailing lists');
		case 'emails:read':
			return vscode.l10n.t('email');
		case 'patches:read':
			return vscode.l10n.t('patchsets');
		case 'patches:write':
			return vscode.l10n.t('changing patchsets');
		case 'subs:read':
			return vscode.l10n.t('subscriptions');
		case 'subs:write':
			return vscode.l10n.t('changing subscriptions');
		case 'info:read':
			return vscode.l10n.t('repositories');
		case 'info:write':
			return vscode.l10n.t('changing repositories');
		case 'data:read':
			return vscode.l10n.t('files and commits');
		case 'projects':
			return vscode.l10n.t('projects');
		case 'ticketSubscriptions':
			return vscode.l10n.t('following tickets by email');
		case 'listRights':
			return vscode.l10n.t('your permissions on mailing lists');
	}
}
