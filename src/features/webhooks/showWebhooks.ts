import * as vscode from 'vscode';
import { choose, type Choice } from '../../editor/ask/ask.ts';
import { copyText } from '../../editor/ask/copyText.ts';
import { notify, tellBriefly } from '../../editor/ask/notify.ts';
import type { KnownWebhook } from '../../store/webhooks/accountWebhooks.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import { showDeliveries } from './showDeliveries.ts';
import type { WebhookAccount, WebhookDesk } from './webhookDesk.ts';
import {
	familyIcon,
	familyTitle,
	forgedText,
	listeningText,
	webhookStateText,
	webhookTroubleText,
} from './webhookWords.ts';

type Step = (signal: AbortSignal) => Promise<void>;

/** Lists all webhooks of all accounts with their actions. */
export async function showWebhooks(desk: WebhookDesk, signal: AbortSignal): Promise<void> {
	const rows = desk.connections.all().flatMap((connection) => rowsOf(desk, connection));
	const status = listeningText(desk.listening.state);
	if (rows.length === 0) {
		return void (await notify('information', status));
	}
	const step = await choose(status, rows, vscode.l10n.t('Choose a webhook'));
	await step(signal);
}

function rowsOf(desk: WebhookDesk, connection: WebhookAccount): readonly Choice<Step>[] {
	const { webhooks, me, instance } = connection;
	const account = vscode.l10n.t('{0} on {1}', me, instance.name);
	const known = webhooks.all().map((webhook) => webhookRow(desk, connection, webhook));
	const lost = webhooks.lost().map(({ url, family }): Choice<Step> => ({
		label: familyTitle(family),
		iconPath: new vscode.ThemeIcon('warning'),
		description: vscode.l10n.t('could not be removed'),
		detail: visibleLine(url),
		value: () => removeFromLost(connection),
	}));
	// A heading has no value; it cannot be chosen.
	const heading: Choice<Step> = {
		label: account,
		kind: vscode.QuickPickItemKind.Separator,
		value: () => Promise.resolve(),
	};
	return known.length + lost.length === 0 ? [] : [heading, ...known, ...lost];
}

function webhookRow(desk: WebhookDesk, connection: WebhookAccount, webhook: KnownWebhook): Choice<Step> {
	const { family, state, path, events, isSync } = webhook;
	const lastMs = path === undefined ? undefined : desk.listening.lastArrivalMs(path);
	const forgedMs = path === undefined ? undefined : desk.listening.lastForgedMs(path);
	const nowMs = desk.clock.nowMs();
	const stateText = webhookStateText(
		state,
		{ lastArrivalMs: lastMs, isElsewhere: desk.listening.state.kind === 'elsewhere' },
		nowMs,
	);
	// An accepted delivery proves the key; later unsigned deliveries come from somebody else.
	const isKeyInDoubt = !connection.webhooks
		.all()
		.some((each) => each.path !== undefined && desk.listening.lastArrivalMs(each.path) !== undefined);
	const isForged = forgedMs !== undefined && isKeyInDoubt;
	const trouble = webhookTroubleText(state) ?? (isForged ? forgedText(forgedMs, nowMs) : undefined);
	return {
		label: familyTitle(family),
		iconPath: new vscode.ThemeIcon(trouble === undefined ? familyIcon(family) : 'warning'),
		description: isSync ? vscode.l10n.t('{0}, shows a message on push', stateText) : stateText,
		detail: trouble ?? events.join(', '),
		value: (signal) => chooseStep(desk, connection, webhook, signal),
	};
}

async function chooseStep(
	desk: WebhookDesk,
	connection: WebhookAccount,
	webhook: KnownWebhook,
	signal: AbortSignal,
): Promise<void> {
	const { family, url, path, state } = webhook;
	const { webhooks } = connection;
	const steps: Choice<Step>[] = [];
	if (state.kind === 'made' && path !== undefined) {
		steps.push({
			label: vscode.l10n.t('Show Deliveries…'),
			iconPath: new vscode.ThemeIcon('history'),
			value: (whileShown) => showDeliveries(desk, { connection, family, id: state.id, path }, whileShown),
		});
	}
	if (family.kind === 'repository' && webhooks.log.offers(family).isSyncPossible) {
		const isSync = webhooks.isSync(family.ref);
		steps.push({
			label: isSync ? vscode.l10n.t('Show No Message on Push') : vscode.l10n.t('Show Message on Push'),
			iconPath: new vscode.ThemeIcon('terminal'),
			detail: vscode.l10n.t('The message is printed in the terminal of those who push. Its text is a setting.'),
			value: () => webhooks.setSync(family.ref, !isSync),
		});
	}
	if (url !== undefined) {
		steps.push({
			label: vscode.l10n.t('Copy URL'),
			iconPath: new vscode.ThemeIcon('copy'),
			value: () => copyText(url),
		});
	}
	steps.push({
		label: vscode.l10n.t('Check All Webhooks'),
		iconPath: new vscode.ThemeIcon('sync'),
		detail: vscode.l10n.t('Lists what the forge has, and creates what is missing.'),
		value: () => repairWebhooks(desk),
	});
	const step = await choose(familyTitle(family), steps);
	await step(signal);
}

async function removeFromLost({ webhooks }: WebhookAccount): Promise<void> {
	const forget = vscode.l10n.t('Remove from List');
	const addresses = webhooks.lost().map(({ url }) => visibleLine(url));
	const text = vscode.l10n.t(
		'Forge Desk cannot remove these webhooks: they were made with a token that is gone, or the forge does not allow it. Remove them on the pages of the forge; what they send is ignored.',
	);
	if ((await notify('information', `${text}\n${addresses.join('\n')}`, forget)) === forget) {
		await webhooks.forgetLost();
	}
}

/** Compares the webhooks of all accounts with their forges. */
export async function repairWebhooks({ connections }: WebhookDesk): Promise<void> {
	await Promise.all(connections.all().map(({ webhooks }) => webhooks.repair()));
	tellBriefly(vscode.l10n.t('Checking the webhooks…'));
}
