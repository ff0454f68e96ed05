import * as vscode from 'vscode';
import { choose, type Choice } from '../ask/ask.ts';
import type { CommandTable } from './feature.ts';
import { isRecord } from './subjects.ts';

/** A command with its arguments. */
type Way = readonly [command: string, ...args: readonly unknown[]];

/** Guides that open directly. */
const guides = ['troubleshooting', 'lists', 'notifications'] as const;

/** Lists the bundled guides and other help, and opens the walkthrough of the manifest. */
export function helpCommands({ id, extensionUri }: vscode.Extension<unknown>): CommandTable {
	const guide = (name: string): Way => [
		'markdown.showPreview',
		vscode.Uri.joinPath(extensionUri, 'docs', `${name}.md`),
	];
	const book = new vscode.ThemeIcon('book');
	return {
		'forge.getStarted': async () => {
			await vscode.commands.executeCommand('workbench.action.openWalkthrough', `${id}#start`, false);
		},
		'forge.help': async (subject) => {
			const named = isRecord(subject) ? guides.find((name) => name === subject['guide']) : undefined;
			if (named !== undefined) {
				const [preview, ...file] = guide(named);
				await vscode.commands.executeCommand(preview, ...file);
				return;
			}
			const rows: readonly Choice<Way>[] = [
				{
					label: vscode.l10n.t('Get Started'),
					description: vscode.l10n.t('a tour in five steps'),
					iconPath: new vscode.ThemeIcon('rocket'),
					value: ['forge.getStarted'],
				},
				{ label: vscode.l10n.t('Working with tickets'), iconPath: book, value: guide('tickets') },
				{ label: vscode.l10n.t('Reviewing patches'), iconPath: book, value: guide('review') },
				{ label: vscode.l10n.t('Working with lists and patches'), iconPath: book, value: guide('lists') },
				{ label: vscode.l10n.t('Reviewing patches of email archives'), iconPath: book, value: guide('archives') },
				{ label: vscode.l10n.t('Working with repositories'), iconPath: book, value: guide('repositories') },
				{ label: vscode.l10n.t('Notifications'), iconPath: book, value: guide('notifications') },
				{ label: vscode.l10n.t('Forges, tokens and sign-in'), iconPath: book, value: guide('forges') },
				{ label: vscode.l10n.t('Troubleshooting'), iconPath: book, value: guide('troubleshooting') },
				{
					label: vscode.l10n.t('Keyboard Shortcuts'),
					iconPath: new vscode.ThemeIcon('keyboard'),
					value: ['forge.showKeys'],
				},
				{
					label: vscode.l10n.t('Try the Sample Forge'),
					description: vscode.l10n.t('runs a small forge on this computer'),
					iconPath: new vscode.ThemeIcon('beaker'),
					value: ['forge.sample.start'],
				},
				{
					label: vscode.l10n.t('Settings'),
					iconPath: new vscode.ThemeIcon('gear'),
					value: ['workbench.action.openSettings', 'forge.'],
				},
			];
			const [command, ...args] = await choose(vscode.l10n.t('Help for Forge Desk'), rows);
			await vscode.commands.executeCommand(command, ...args);
		},
	};
}

/** Opens the editor's own page of keyboard shortcuts with those of Forge Desk. */
export function keyCommands(extensionId: string): CommandTable {
	return {
		'forge.showKeys': async () => {
			await vscode.commands.executeCommand('workbench.action.openGlobalKeybindings', `@ext:${extensionId}`);
		},
	};
}
