import * as vscode from 'vscode';
import { abortReason } from '../../base/abort.ts';
import { askFor, choose } from '../../editor/ask/ask.ts';
import { notify, tellBriefly } from '../../editor/ask/notify.ts';
import { explain } from '../../editor/ask/problems.ts';
import { withProgress } from '../../editor/ask/progress.ts';
import { ForgeError } from '../../forge/forgeError.ts';
import { isOwnComputer } from '../../forge/instance.ts';
import { isChoosingPort, type ListeningState } from '../../state/listening/listeningState.ts';
import { probeAddress, type Probed } from '../../state/listening/probeAddress.ts';
import { readPublicAddress } from '../../state/listening/publicAddress.ts';
import { visibleLine } from '../../text/visible.ts';
import type { WebhookParts } from './webhookParts.ts';
import { listeningText } from './webhookWords.ts';

/** Asks for the public address, starts the listener, and shows whether it works. */
export async function receiveWebhooks(parts: WebhookParts, signal: AbortSignal): Promise<void> {
	const { settings } = parts;
	if (needsAddress(parts)) {
		await settings.setPublicAddress(await askAddress(settings.wish().publicAddress));
	}
	await settings.setOn(true);
	const state = await withProgress(vscode.l10n.t('Opening a port for webhooks…'), signal, (whileOpening) =>
		settled(parts, whileOpening),
	);
	if (state.kind === 'noAccount' || state.kind === 'off' || isChoosingPort(state)) {
		await notify('information', listeningText(state));
	} else if (state.kind === 'open' || state.kind === 'elsewhere') {
		await testAddress(parts, signal);
	}
	// The listener's notice explains the failure.
}

/** Calls the listener at its public address and shows the result. */
export async function testAddress(parts: WebhookParts, signal: AbortSignal): Promise<void> {
	const { listening } = parts;
	const addresses = addressesOf(parts);
	const [first, ...others] = addresses;
	if (first === undefined) {
		return tellNoAddress(listening.state);
	}
	const address =
		others.length === 0
			? first
			: await choose(
					vscode.l10n.t('Choose a URL to test'),
					addresses.map((each) => ({ label: each, value: each })),
				);
	const probed = await withProgress(vscode.l10n.t('Testing {0}…', address), signal, (whileTesting) =>
		probeAddress(address, parts, whileTesting),
	);
	await tellProbed(address, probed);
}

/** Listener addresses of signed-in forges, without duplicates. */
function addressesOf({ connections, listening }: WebhookParts): readonly string[] {
	const addresses = connections.all().map(({ instance }) => listening.addressFor(instance));
	return [...new Set(addresses)].filter((each) => each !== undefined);
}

/** A remote forge needs a public address; a local forge does not. */
function needsAddress({ connections, settings }: WebhookParts): boolean {
	const isElsewhere = connections.all().some(({ instance }) => !Object.values(instance.areas).every(isOwnComputer));
	return isElsewhere && settings.wish().publicAddress.kind !== 'address';
}

function askAddress(now: ReturnType<typeof readPublicAddress>): Promise<string> {
	return askFor({
		title: vscode.l10n.t('Receive Webhooks'),
		prompt: vscode.l10n.t(
			'URL under which your forge reaches this computer: of a tunnel, a reverse proxy or a forwarded port.',
		),
		placeHolder: 'https://hooks.example/forge',
		...(now.kind === 'address' ? { value: now.address } : {}),
		complaint: (value) =>
			readPublicAddress(value).kind === 'address'
				? undefined
				: vscode.l10n.t('Enter a URL that begins with https:// or http://, without a question mark or a password.'),
	});
}

/** Maximum wait while another window opens a port for the first time. */
const mostChoosingMs = 10_000;

/**
 * Waits for the listener's state. Gives up early if another window listens, because its failure stays invisible here.
 */
function settled({ listening, settings, clock }: WebhookParts, signal: AbortSignal): Promise<ListeningState> {
	const known = Promise.withResolvers<ListeningState>();
	let isPatient = true;
	const look = (): void => {
		const { state } = listening;
		// The setting's change event may be late, or another window may report the state.
		const isComing =
			state.kind === 'opening' ||
			(state.kind === 'off' && settings.wish().isOn) ||
			(isPatient && isChoosingPort(state));
		if (!isComing) {
			known.resolve(state);
		}
	};
	const watching = listening.onDidChange(look);
	const waited = clock.after(mostChoosingMs, () => {
		isPatient = false;
		look();
	});
	const giveUp = (): void => known.reject(abortReason(signal));
	signal.addEventListener('abort', giveUp, { once: true });
	look();
	return known.promise.finally(() => {
		watching.dispose();
		waited.dispose();
		signal.removeEventListener('abort', giveUp);
	});
}

async function tellNoAddress(state: ListeningState): Promise<void> {
	switch (state.kind) {
		case 'open':
		case 'elsewhere': {
			if (isChoosingPort(state)) {
				return void (await notify('information', listeningText(state)));
			}
			const enter = vscode.l10n.t('Open Settings');
			const text = vscode.l10n.t(
				'No forge can reach this computer yet: the setting "forge.webhooks.publicAddress" has no usable URL.',
			);
			return openSettingsIf((await notify('warning', text, enter)) === enter);
		}
		case 'off': {
			const begin = vscode.l10n.t('Receive Webhooks');
			if ((await notify('information', listeningText(state), begin)) === begin) {
				await vscode.commands.executeCommand('forge.webhooks.receive');
			}
			return;
		}
		case 'noAccount':
		case 'opening':
			return void (await notify('information', listeningText(state)));
		case 'portTaken':
		case 'placeRefused': {
			const open = vscode.l10n.t('Open Settings');
			return openSettingsIf((await notify('warning', listeningText(state), open)) === open);
		}
	}
}

async function openSettingsIf(isWanted: boolean): Promise<void> {
	if (isWanted) {
		await vscode.commands.executeCommand('workbench.action.openSettings', 'forge.webhooks');
	}
}

async function tellProbed(address: string, probed: Probed): Promise<void> {
	const open = vscode.l10n.t('Open Settings');
	switch (probed.kind) {
		case 'reached':
			return tellReached(address);
		case 'notOpen':
			return void (await notify('warning', vscode.l10n.t('Webhooks are not received.')));
		case 'otherName': {
			const text = vscode.l10n.t(
				'{0} leads to Forge Desk, but under the name "{1}", under which deliveries are rejected. Set the tunnel or proxy to pass on the header "Host: {2}" as it received it.',
				address,
				visibleLine(probed.host),
				new URL(address).host,
			);
			return openSettingsIf((await notify('warning', text, open)) === open);
		}
		case 'otherAnswer': {
			const text = vscode.l10n.t(
				'{0} does not lead to Forge Desk, but to something that responds with the HTTP status {1}. Check where the tunnel or proxy leads.',
				address,
				probed.status,
			);
			return openSettingsIf((await notify('warning', text, open)) === open);
		}
		case 'unreached': {
			const why = explain(new ForgeError(probed.problem)).message;
			const text = vscode.l10n.t('{0} could not be reached from this computer. {1}', address, why);
			return openSettingsIf((await notify('warning', text, open)) === open);
		}
	}
}

/** The dialog shows the tested address: a test from here can't prove that the forge reaches it. */
async function tellReached(address: string): Promise<void> {
	if (isOwnComputer(address)) {
		return tellBriefly(vscode.l10n.t('Webhooks of forges on this computer arrive.'));
	}
	await notify('information', vscode.l10n.t('{0} leads to Forge Desk.', address));
}
