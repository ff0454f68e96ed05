import * as vscode from 'vscode';
import type { CommandId } from '../../commands/table.ts';

/** A command that repairs a finding. */
export interface Remedy {
	readonly label: string;
	readonly command: CommandId | 'workbench.action.openSettings' | 'workbench.trust.manage';
	readonly argument?: unknown;
}

/** Renews the token of one account. */
export function signInAgain(sessionId: string): Remedy {
	return { label: vscode.l10n.t('Sign In Again'), command: 'forge.accounts.signIn', argument: { sessionId } };
}

/** Opens settings that contain the text. */
export function openSettings(query: string): Remedy {
	return { label: vscode.l10n.t('Open Settings'), command: 'workbench.action.openSettings', argument: query };
}

export function openGuide(guide: 'troubleshooting' | 'lists' | 'notifications'): Remedy {
	return { label: vscode.l10n.t('Open Guide'), command: 'forge.help', argument: { guide } };
}

export function manageTrust(): Remedy {
	return { label: vscode.l10n.t('Manage Trust…'), command: 'workbench.trust.manage' };
}
