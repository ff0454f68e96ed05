import * as vscode from 'vscode';
import { abortReason } from '@forge-desk/base/abort.ts';
import { askFor } from '../../editor/ask/ask.ts';
import { tellBriefly, notify } from '../../editor/ask/notify.ts';
import { withProgress } from '../../editor/ask/progress.ts';
import type { Feature } from '../../editor/commands/feature.ts';
import { isOwnComputer } from 'sourcehut/port/instance.ts';
import { isChoosingPort, type ListeningState } from '../../store/listening/listening.ts';
import { readPublicAddress } from '../../store/listening/publicAddress.ts';
import { removeAllWebhooks } from './removeWebhooks.ts';
import { repairWebhooks, showWebhooks } from './showWebhooks.ts';
import type { WebhookContext } from './webhookContext.ts';
import { listeningText } from './webhookWords.ts';

/** Maximum wait while another window opens a port for the first time. */
const mostChoosingMs = 10_000;

/** Webhook commands and the notice about a failing listener. */
export function webhooksFeature(context: WebhookContext): Feature {
	const { listening, problems, settings } = context;
	let isTold = false;

	/** Shows once why the listener can't open, and again only after it was open or off. The listener retries itself. */
	function warn(): void {
		const { state } = listening;
		if (state.kind === 'open' || state.kind === 'off') {
			isTold = false;
		} else if (!isTold && (state.kind === 'portTaken' || state.kind === 'placeRefused')) {
			isTold = true;
			// Not awaited: a notice may stay open for hours.
			warnWithSettings(listeningText(state)).catch(problems.log);
		}
	}

	warn();
	const watching = listening.onDidChange(warn);
	return {
		commands: {
			'forge.webhooks.receive': (_, signal) => receiveWebhooks(context, signal),
			'forge.webhooks.stop': async () => {
				await settings.setOn(false);
				tellBriefly(vscode.l10n.t('Webhooks are no longer received.'));
			},
			'forge.webhooks.show': (_, signal) => showWebhooks(context, signal),
			'forge.webhooks.check': () => repairWebhooks(context),
			'forge.webhooks.removeAll': (_, signal) => removeAllWebhooks(context, signal),
		},
		dispose: () => watching.dispose(),
	};
}

/** Asks for the public address, starts the listener, and leads to a test of the address. */
async function receiveWebhooks(context: WebhookContext, signal: AbortSignal): Promise<void> {
	const { connections, settings } = context;
	const now = settings.current().publicAddress;
	// A remote forge needs a public address; a local forge does not.
	const isElsewhere = connections
		.all()
		.some(({ instance }) => Object.values(instance.areas).some((each) => each !== undefined && !isOwnComputer(each)));
	if (isElsewhere && now.kind !== 'address') {
		const address = await askFor({
			title: vscode.l10n.t('Receive Webhooks'),
			prompt: vscode.l10n.t(
				'URL under which your forge reaches this computer: of a tunnel, a reverse proxy or a forwarded port.',
			),
			placeHolder: 'https://hooks.example/forge',
			complaint: (value) =>
				readPublicAddress(value).kind === 'address'
					? undefined
					: vscode.l10n.t('Enter a URL that begins with https:// or http://, without a question mark or a password.'),
		});
		await settings.setPublicAddress(address);
	}
	await settings.setOn(true);
	const state = await withProgress(vscode.l10n.t('Opening a port for webhooks…'), signal, (whileOpening) =>
		settled(context, whileOpening),
	);
	if (state.kind === 'noAccount' || state.kind === 'off' || isChoosingPort(state)) {
		await notify('information', listeningText(state));
	} else if (state.kind === 'open' || state.kind === 'elsewhere') {
		const check = vscode.l10n.t('Check Connection');
		if ((await notify('information', listeningText(state), check)) === check) {
			await vscode.commands.executeCommand('forge.checkConnection');
		}
	}
	// The listener's notice explains the failure.
}

/**
 * Waits for the listener's state. Gives up early if another window listens, because its failure stays invisible here.
 */
function settled({ listening, settings, clock }: WebhookContext, signal: AbortSignal): Promise<ListeningState> {
	const known = Promise.withResolvers<ListeningState>();
	let isPatient = true;
	const look = (): void => {
		const { state } = listening;
		// The setting's change event may be late, or another window may report the state.
		const isComing =
			state.kind === 'opening' ||
			(state.kind === 'off' && settings.current().isOn) ||
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

async function warnWithSettings(text: string): Promise<void> {
	const open = vscode.l10n.t('Open Settings');
	if ((await notify('warning', text, open)) === open) {
		await vscode.commands.executeCommand('workbench.action.openSettings', 'forge.webhooks');
	}
}
