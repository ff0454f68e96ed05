import * as vscode from 'vscode';
import { addressInFront } from './addressInFront.ts';
import type { Event } from '@forge-desk/base/event.ts';
import { commandTable, type CommandId } from '../../commands/table.ts';
import { notify, type Severity } from '../ask/notify.ts';
import { isRecord } from './subjects.ts';

/** Workspace trust. The user can grant it while the window is open, and never revokes it. */
export interface WindowTrust {
	readonly isTrusted: () => boolean;
	readonly onDidGrant: Event<void>;
}

/** True if the command needs trust here. Without a subject, the active document counts. */
export function needsGit(command: CommandId, subject: unknown): boolean {
	const need = commandTable[command].git;
	const meant = subject ?? addressInFront();
	return need === 'always' || (need === 'onFiles' && isRecord(meant) && meant['scheme'] === 'file');
}

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
