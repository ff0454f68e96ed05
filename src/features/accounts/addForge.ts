import * as vscode from 'vscode';
import { askFor, choose } from '../../editor/ask/ask.ts';
import { areasOfHost, forgeHost } from '../../editor/accounts/forgeEntry.ts';
import type { ForgeSettings } from '../../editor/accounts/forgeSettings.ts';
import type { Area, ForgeInstance } from '../../forge/instance.ts';

/** Why a text cannot name a forge. */
export function noHostText(): string {
	return vscode.l10n.t('Enter a host name such as forge.example.');
}

/** Writes a forge into the user's settings; asks for its host name or any of its addresses unless the host is known. */
export async function addForge(settings: ForgeSettings, typed: string | undefined): Promise<ForgeInstance | undefined> {
	const host = typed ?? forgeHost(await askForHost());
	if (host === undefined) {
		return undefined;
	}
	const areas = areasOfHost(host);
	const known = (): ForgeInstance | undefined => settings.instances().find((one) => one.areas.meta === areas.meta);
	if (known() === undefined) {
		await confirmAddresses(host, areas);
		await settings.add(host);
	}
	return known();
}

function askForHost(): Promise<string> {
	return askFor({
		title: vscode.l10n.t('Add a forge'),
		prompt: vscode.l10n.t('Enter the host name of the forge, or paste the address of any of its pages.'),
		placeHolder: 'forge.example',
		complaint: (value) => (forgeHost(value) === undefined ? noHostText() : undefined),
	});
}

/** Nothing is ever sent to addresses that the user has not seen. */
async function confirmAddresses(host: string, areas: Readonly<Record<Area, string>>): Promise<void> {
	const wanted = await choose(vscode.l10n.t('Is the forge {0} at these addresses?', host), [
		{
			label: vscode.l10n.t('Add This Forge'),
			detail: [areas.meta, areas.todo, areas.lists, areas.git].join('  '),
			iconPath: new vscode.ThemeIcon('check'),
			value: true,
		},
		{
			label: vscode.l10n.t('Enter Other Addresses in the Settings'),
			iconPath: new vscode.ThemeIcon('settings-gear'),
			value: false,
		},
	]);
	if (!wanted) {
		await vscode.commands.executeCommand('workbench.action.openSettings', 'forge.forges');
		throw new DOMException('The addresses are entered elsewhere', 'AbortError');
	}
}
