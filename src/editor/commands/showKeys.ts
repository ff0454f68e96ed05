import * as vscode from 'vscode';
import type { CommandTable } from './feature.ts';

/** Opens the editor's own page of keyboard shortcuts with those of Forge Desk. */
export function keyCommands(extensionId: string): CommandTable {
	return {
		'forge.showKeys': async () => {
			await vscode.commands.executeCommand('workbench.action.openGlobalKeybindings', `@ext:${extensionId}`);
		},
	};
}
