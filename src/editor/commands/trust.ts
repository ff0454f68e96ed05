import * as vscode from 'vscode';
import type { Event } from '../../base/event.ts';
import { commandTable, type CommandId } from '../../commands/table.ts';
import { notify, type Severity } from '../ask/notify.ts';
import { isRecord } from './subjects.ts';

/** Whether the person trusts what is open in this window. It may be granted while the window is open, and is never taken back. */
export interface WindowTrust {
	readonly isTrusted: () => boolean;
	readonly onDidGrant: Event<void>;
}

/** True for a command that cannot work here before the window is trusted. Without a subject it is about what is in front. */
export function needsGit(command: CommandId, subject: unknown): boolean {
	const need = commandTable[command].git;
	const meant = subject ?? vscode.window.activeTextEditor?.document.uri;
	return need === 'always' || (need === 'onFiles' && isRecord(meant) && meant['scheme'] === 'file');
}

/** Why nothing that runs git works here, and what to do. */
export function notTrustedText(): string {
	return vscode.l10n.t('Git is disabled in Restricted Mode. Trust this window, then try again.');
}

/** Says that git is not run here, and offers the way out. Resolves when the notice is gone. */
export async function tellNotTrusted(severity: Severity): Promise<void> {
	const manage = vscode.l10n.t('Manage Trust…');
	if ((await notify(severity, notTrustedText(), manage)) === manage) {
		await vscode.commands.executeCommand('workbench.trust.manage');
	}
}
