import * as vscode from 'vscode';
import type { Event } from '../../base/event.ts';
import type { CommandId } from '../names/commandIds.ts';
import { notify, type Severity } from '../ask/notify.ts';
import { isRecord } from './subjects.ts';

/**
 * The commands that can do nothing without the editor's git or ours, neither of which runs in a window that is not
 * trusted: whatever they are used on, or only on files of this computer. Their menus ask for `isWorkspaceTrusted`, which
 * a test of package.json compares with this.
 */
export const gitCommands: Readonly<Partial<Record<CommandId, 'always' | 'onFiles'>>> = {
	'forge.repositories.clone': 'always',
	'forge.repositories.continueInClone': 'always',
	'forge.repositories.openTwin': 'always',
	'forge.patchsets.apply': 'always',
	'forge.submit.prepare': 'always',
	'forge.submit.preview': 'always',
	'forge.submit.editMail': 'always',
	'forge.submit.send': 'always',
	'forge.patchsets.push': 'always',
	'forge.patchsets.removeWorktrees': 'always',
	'forge.apply.show': 'always',
	'forge.apply.openConflicts': 'always',
	'forge.apply.continue': 'always',
	'forge.apply.skip': 'always',
	'forge.apply.abort': 'always',
	'forge.tickets.startWork': 'always',
	'forge.tickets.unpushed': 'always',
	'forge.repositories.fileHistory': 'onFiles',
	'forge.repositories.copyPermalink': 'onFiles',
	'forge.repositories.openPermalink': 'onFiles',
};

/** Whether the person trusts what is open in this window. It may be granted while the window is open, and is never taken back. */
export interface WindowTrust {
	readonly isTrusted: () => boolean;
	readonly onDidGrant: Event<void>;
}

/** True for a command that cannot work here before the window is trusted. Without a subject it is about what is in front. */
export function needsGit(command: CommandId, subject: unknown): boolean {
	const need = gitCommands[command];
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
