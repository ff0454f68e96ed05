import * as vscode from 'vscode';
import { choose, type Choice } from '../ask/ask.ts';
import type { CommandTable } from './feature.ts';
import { listedCommands } from './keyList.ts';

/** Lists every command with its chord; choosing one runs it. The chords are those of the start, the editor has the rest. */
export function keyCommands(
	extension: Pick<vscode.Extension<unknown>, 'id' | 'packageJSON'>,
	isMac: boolean,
): CommandTable {
	const manifest: unknown = extension.packageJSON;
	return {
		'forge.showKeys': async () => {
			const listed = listedCommands(manifest, isMac).filter(({ command }) => command !== 'forge.showKeys');
			const rows: readonly Choice<readonly string[]>[] = listed.map(({ command, title, chord }) => ({
				label: listed.some((other) => other.title === title && other.command !== command)
					? vscode.l10n.t('{0} ({1})', title, areaOf(command))
					: title,
				description: chord ?? vscode.l10n.t('no shortcut'),
				value: [command],
			}));
			const own: Choice<readonly string[]> = {
				label: vscode.l10n.t('Change Keyboard Shortcuts…'),
				iconPath: new vscode.ThemeIcon('keyboard'),
				alwaysShow: true,
				value: ['workbench.action.openGlobalKeybindings', `@ext:${extension.id}`],
			};
			const [command = '', ...rest] = await choose(
				vscode.l10n.t('Keyboard shortcuts of Forge Desk: choose a command to run'),
				[...rows, own],
			);
			await vscode.commands.executeCommand(command, ...rest);
		},
	};
}

/** What tells commands of the same title apart. */
function areaOf(command: string): string {
	if (command.startsWith('forge.inbox.')) {
		return vscode.l10n.t('Inbox');
	}
	return command.startsWith('forge.lists.') ? vscode.l10n.t('Lists') : vscode.l10n.t('Tickets');
}
