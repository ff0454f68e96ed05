import * as vscode from 'vscode';
import { choose } from '../../editor/ask/ask.ts';
import { withProgress } from '../../editor/ask/progress.ts';
import { hubsOfHost, sourceHut } from '../../editor/accounts/forgeEntry.ts';
import type { ForgeInstance, Protocol } from '../../forge/port/instance.ts';
import type { AccountsContext } from './accountsContext.ts';

/** A forge before the sign-in. */
export interface ReachedForge {
	readonly instance: ForgeInstance;
	/** The projects service to save in the settings after the sign-in. */
	readonly foundHub?: string;
}

/**
 * Offers to add the projects service when the settings name only the host and one answers there. Ask before requesting
 * the token, because the service needs a permission. `instance`: with the protocol of each area.
 */
export async function withProjects(
	{ settings, net }: AccountsContext,
	instance: ForgeInstance,
	signal: AbortSignal,
): Promise<ReachedForge> {
	const host = settings.hostAlone(instance.id);
	if (host !== undefined && instance.id === sourceHut.id && sourceHut.hub !== undefined) {
		return { instance: { ...instance, hub: sourceHut.hub }, foundHub: sourceHut.hub };
	}
	// Of repositories that speak REST there are no projects, wherever they are.
	if (host === undefined || instance.isSample || instance.protocols.git !== 'graphql') {
		return { instance };
	}
	const hub = await withProgress(vscode.l10n.t('Connecting to {0}…', instance.name), signal, (whileAsking) =>
		net.findHub(hubsOfHost(host), whileAsking),
	);
	const isWanted = hub !== undefined && (await wantsProjects(host, hub, instance.protocols));
	return isWanted ? { instance: { ...instance, hub }, foundHub: hub } : { instance };
}

/** A token goes to no service that the user has not agreed to. */
export function wantsProjects(host: string, hub: string, protocols: ForgeInstance['protocols']): Promise<boolean> {
	return choose(vscode.l10n.t('Do you want to connect to the project hub of {0}, too?', host), [
		{
			label: vscode.l10n.t('Connect'),
			detail: vscode.l10n.t(
				'It links repositories with their trackers and lists. Found tickets ({0}), lists ({1}), repositories ({2}) and the hub {3}. Your token is sent there, too.',
				spoken(protocols.todo),
				spoken(protocols.lists),
				spoken(protocols.git),
				hub,
			),
			iconPath: new vscode.ThemeIcon('check'),
			value: true,
		},
		{ label: vscode.l10n.t('Continue Without Project Hub'), iconPath: new vscode.ThemeIcon('close'), value: false },
	]);
}

function spoken(protocol: Protocol | undefined): string {
	switch (protocol) {
		case 'graphql':
			return 'GraphQL';
		case 'rest':
			return 'REST';
		case undefined:
			return vscode.l10n.t('unknown');
	}
}
