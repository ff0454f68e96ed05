import * as vscode from 'vscode';
import { abortReason } from '@forge-desk/base/abort.ts';
import { chooseSeveral, type TickGroup, askFor, choose } from '../../editor/ask/ask.ts';
import { tellBriefly, notify } from '../../editor/ask/notify.ts';
import { explain, type Problems } from '../../editor/ask/problems.ts';
import { withProgress } from '../../editor/ask/progress.ts';
import type { Feature } from '../../editor/commands/feature.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { isOwnComputer } from 'sourcehut/port/instance.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { ownRepositoryRef, type RepositoryRef } from 'sourcehut/port/repository.ts';
import type { WebhookFamily } from 'sourcehut/port/webhook.ts';
import { isChoosingPort, type ListeningState } from '../../store/listening/listening.ts';
import { probeAddress } from '../../store/listening/probeAddress.ts';
import { readPublicAddress } from '../../store/listening/publicAddress.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import { removeAllWebhooks } from './removeWebhooks.ts';
import { repairWebhooks, showWebhooks } from './showWebhooks.ts';
import type { WebhookContext, WebhookAccount } from './webhookContext.ts';
import { listeningText } from './webhookWords.ts';

/** Maximum wait while another window opens a port for the first time. */
const mostChoosingMs = 10_000;

/** A forge-wide webhook covers every repository. */
const anyRepository: WebhookFamily = { kind: 'repository', ref: { owner: '', name: '' } };

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
			'forge.webhooks.test': (_, signal) => testAddress(context, signal),
			'forge.webhooks.show': (_, signal) => showWebhooks(context, signal),
			'forge.webhooks.check': () => repairWebhooks(context),
			'forge.webhooks.pushMessages': (_, signal) => pushMessages(context, signal),
			'forge.webhooks.removeAll': (_, signal) => removeAllWebhooks(context, signal),
		},
		dispose: () => watching.dispose(),
	};
}

interface Choosable {
	readonly connection: WebhookAccount;
	readonly ref: RepositoryRef;
}

/** Asks for the repositories that show a message to pushers. Each change recreates the webhook. */
export async function pushMessages({ connections, problems }: WebhookContext, signal: AbortSignal): Promise<void> {
	const all = connections.all().filter(({ webhooks }) => webhooks.log.offers(anyRepository).isSyncPossible);
	if (all.length === 0 && connections.all().length > 0) {
		await notify('information', vscode.l10n.t('Your forges do not print messages to those who push.'));
		return;
	}
	const groups = withProgress(vscode.l10n.t('Reading repositories…'), signal, (whileReading) =>
		groupsOf(all, problems, whileReading),
	);
	const chosen = await chooseSeveral(
		vscode.l10n.t('Show Message on Push'),
		vscode.l10n.t('Choose repositories that show a message to those who push'),
		groups,
	);
	const before = (await groups).flatMap(({ choices }) => choices);
	const changed = before.filter(({ picked, value: { connection, ref } }) => {
		const isWanted = chosen.some((each) => each.connection === connection && refText(each.ref) === refText(ref));
		return picked !== isWanted;
	});
	for (const { picked, value } of changed) {
		await value.connection.webhooks.setSync(value.ref, !picked);
	}
	if (changed.length > 0) {
		tellBriefly(vscode.l10n.t('Webhooks are made again for what you changed.'));
	}
}

/** Repositories of each account. An account that can't be loaded gets a message; the others still appear. */
async function groupsOf(
	connections: readonly WebhookAccount[],
	problems: Problems,
	signal: AbortSignal,
): Promise<readonly TickGroup<Choosable>[]> {
	const failed: { readonly connection: WebhookAccount; readonly error: unknown }[] = [];
	const read = connections.map((connection) =>
		repositoriesOf(connection, signal).then(
			(refs): TickGroup<Choosable> => ({
				heading: accountText(connection),
				choices: refs.map((ref) => ({
					label: visibleLine(refText(ref)),
					picked: connection.webhooks.isSync(ref),
					value: { connection, ref },
				})),
			}),
			(error: unknown) => void failed.push({ connection, error }),
		),
	);
	const groups = (await Promise.all(read)).filter((group) => group !== undefined);
	signal.throwIfAborted();
	const [first] = failed;
	if (first && groups.length === 0) {
		throw first.error;
	}
	for (const { connection, error } of failed) {
		// Not awaited: a notice may stay open for hours.
		notify(
			'warning',
			vscode.l10n.t(
				'The repositories of {0} could not be loaded. {1}',
				accountText(connection),
				explain(error).message,
			),
		).catch((reason: unknown) => problems.log(reason));
	}
	return groups;
}

function accountText({ me, instance }: WebhookAccount): string {
	return vscode.l10n.t('{0} on {1}', me, instance.name);
}

/** Own and followed repositories without duplicates. */
async function repositoriesOf(
	{ repositories, me }: WebhookAccount,
	signal: AbortSignal,
): Promise<readonly RepositoryRef[]> {
	let listing = await repositories.own.first(signal);
	while (listing.completeness.kind === 'more') {
		const { length } = listing.items;
		listing = await repositories.own.more(signal);
		if (listing.items.length <= length) {
			break;
		}
	}
	const own = listing.items.map((each) => ownRepositoryRef(each, me));
	return [...new Map([...own, ...repositories.followed.all()].map((ref) => [refText(ref), ref])).values()];
}

/** Asks for the public address, starts the listener, and shows whether it works. */
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
		await testAddress(context, signal);
	}
	// The listener's notice explains the failure.
}

/** Calls the listener at its public address and shows the result. */
async function testAddress(context: WebhookContext, signal: AbortSignal): Promise<void> {
	const { connections, listening } = context;
	const all = connections.all().map(({ instance }) => listening.addressFor(instance));
	const addresses = [...new Set(all)].filter((each) => each !== undefined);
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
		probeAddress(address, listening.beginProbe, context.post, whileTesting),
	);
	switch (probed.kind) {
		case 'reached':
			if (isOwnComputer(address)) {
				return tellBriefly(vscode.l10n.t('Webhooks of forges on this computer arrive.'));
			}
			// The dialog shows the tested address: a test from here can't prove that the forge reaches it.
			return void (await notify('information', vscode.l10n.t('{0} leads to Forge Desk.', address)));
		case 'notOpen':
			return void (await notify('warning', vscode.l10n.t('Webhooks are not received.')));
		case 'otherName': {
			const text = vscode.l10n.t(
				'{0} leads to Forge Desk, but under the name "{1}", under which deliveries are rejected. Set the tunnel or proxy to pass on the header "Host: {2}" as it received it.',
				address,
				visibleLine(probed.host),
				new URL(address).host,
			);
			return warnWithSettings(text);
		}
		case 'otherAnswer': {
			const text = vscode.l10n.t(
				'{0} does not lead to Forge Desk, but to something that responds with the HTTP status {1}. Check where the tunnel or proxy leads.',
				address,
				probed.status,
			);
			return warnWithSettings(text);
		}
		case 'unreached': {
			const why = explain(new ForgeError(probed.problem)).message;
			const text = vscode.l10n.t('{0} could not be reached from this computer. {1}', address, why);
			return warnWithSettings(text);
		}
	}
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

async function tellNoAddress(state: ListeningState): Promise<void> {
	switch (state.kind) {
		case 'open':
		case 'elsewhere': {
			if (isChoosingPort(state)) {
				return void (await notify('information', listeningText(state)));
			}
			const text = vscode.l10n.t(
				'No forge can reach this computer yet: the setting "forge.webhooks.publicAddress" has no usable URL.',
			);
			return warnWithSettings(text);
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
		case 'placeRefused':
			return warnWithSettings(listeningText(state));
	}
}

async function warnWithSettings(text: string): Promise<void> {
	const open = vscode.l10n.t('Open Settings');
	if ((await notify('warning', text, open)) === open) {
		await vscode.commands.executeCommand('workbench.action.openSettings', 'forge.webhooks');
	}
}
