import * as vscode from 'vscode';
import { askFor, choose } from '../../editor/ask/ask.ts';
import { notify } from '../../editor/ask/notify.ts';
import { withProgress } from '../../editor/ask/progress.ts';
import {
	areasOfHost,
	forgeHost,
	hubsOfHost,
	readEntries,
	serviceHost,
	sourceHut,
} from '../../editor/accounts/forgeEntry.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { Area, ForgeInstance, Protocol } from 'sourcehut/port/instance.ts';
import type { AccountNet, AccountsContext } from './accountsContext.ts';

/** Why a text cannot name a forge. */
export function noHostText(text: string): string {
	const host = serviceHost(text);
	return host === undefined ? vscode.l10n.t('Enter a host name such as forge.example.') : oneServiceText(host);
}

/** Why the host of a single service is not enough. */
export function oneServiceText(host: string): string {
	return vscode.l10n.t(
		'{0} is one service, and the others of its forge have other URLs. Enter all of them in the settings.',
		host,
	);
}

/** Opens the settings in place of the question. */
export async function enterInSettings(): Promise<never> {
	await vscode.commands.executeCommand('workbench.action.openSettings', 'forge.forges');
	throw new DOMException('The addresses are entered elsewhere', 'AbortError');
}

/**
 * Adds a forge to the user's settings. Asks for a host name or a URL unless `typed` has one. Adds nothing when no
 * service answers.
 */
export async function addForge(
	{ settings, forges, net }: AccountsContext,
	typed: string | undefined,
	signal: AbortSignal,
): Promise<ForgeInstance | undefined> {
	const host =
		typed ??
		forgeHost(
			await askFor({
				title: vscode.l10n.t('Add a forge'),
				prompt: vscode.l10n.t('Enter the host name of the forge, or paste the URL of any of its pages.'),
				placeHolder: 'forge.example',
				complaint: (value) => (forgeHost(value) === undefined ? noHostText(value) : undefined),
			}),
		);
	if (host === undefined) {
		return undefined;
	}
	const areas = areasOfHost(host);
	const known = (): ForgeInstance | undefined => forges.all().find((one) => one.areas.meta === areas.meta);
	if (known() === undefined) {
		await confirmAddresses(host, areas);
		const found = await look(host, net, signal);
		if (!found) {
			void notify(
				'error',
				vscode.l10n.t('None of the URLs of {0} responds. Check the host name, or your connection.', host),
			);
			return undefined;
		}
		const { hub } = found;
		await settings.add(hub !== undefined && (await wantsProjects(host, hub, found.protocols)) ? { host, hub } : host);
	}
	return known();
}

/** Services found at a host. */
interface Found {
	readonly protocols: ForgeInstance['protocols'];
	/** Of repositories that speak REST there are no projects, wherever they are. */
	readonly hub: string | undefined;
}

/** `undefined` when no area answers in any protocol. */
async function look(host: string, net: AccountNet, signal: AbortSignal): Promise<Found | undefined> {
	const [instance] = readEntries([host]).instances;
	const none: Found = { protocols: {}, hub: undefined };
	try {
		return await withProgress(vscode.l10n.t('Connecting to {0}…', host), signal, async (whileAsking) => {
			if (instance === undefined) {
				return none;
			}
			const { protocols } = await net.withProtocols(instance, whileAsking);
			const hub = protocols.git === 'graphql' ? await net.findHub(hubsOfHost(host), whileAsking) : undefined;
			return { protocols, hub };
		});
	} catch (error) {
		if (!isForgeError(error)) {
			throw error;
		}
		// The user can set the protocol in the settings.
		return error.problem.kind === 'notUnderstood' ? none : undefined;
	}
}

/** Nothing is ever sent to addresses that the user has not seen. */
async function confirmAddresses(host: string, areas: Readonly<Record<Area, string>>): Promise<void> {
	const wanted = await choose(vscode.l10n.t('Is the forge {0} at these URLs?', host), [
		{
			label: vscode.l10n.t('Add This Forge'),
			detail: [areas.meta, areas.todo, areas.lists, areas.git].join('  '),
			// Asked as well, without a token.
			description: vscode.l10n.t('Also checks {0} and {1} for projects', ...hubsOfHost(host)),
			iconPath: new vscode.ThemeIcon('check'),
			value: true,
		},
		{
			label: vscode.l10n.t('Enter Other URLs in the Settings'),
			iconPath: new vscode.ThemeIcon('settings-gear'),
			value: false,
		},
	]);
	if (!wanted) {
		await enterInSettings();
	}
}

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
function wantsProjects(host: string, hub: string, protocols: ForgeInstance['protocols']): Promise<boolean> {
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
