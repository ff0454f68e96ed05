import * as vscode from 'vscode';
import { choose, type Choice } from '../../editor/ask/ask.ts';
import { copyText } from '../../editor/ask/copyText.ts';
import { notify, tellBriefly } from '../../editor/ask/notify.ts';
import type { KnownWebhook } from '../../store/webhooks/accountWebhooks.ts';
import { clockTime } from '../../engine/text/age.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import type { WebhookAccount, WebhookContext } from './webhookContext.ts';
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
export async function showWebhooks(context: WebhookContext, signal: AbortSignal): Promise<void> {
	const rows = context.connections.all().flatMap((connection) => {
		const { webhooks, me, instance } = connection;
		const known = webhooks.all().map((webhook) => webhookRow(context, connection, webhook));
		const lost = webhooks.lost().map(({ url, family }): Choice<Step> => ({
			label: familyTitle(family),
			iconPath: new vscode.ThemeIcon('warning'),
			description: vscode.l10n.t('could not be removed'),
			detail: visibleLine(url),
			async value() {
				const forget = vscode.l10n.t('Remove from List');
				const addresses = webhooks.lost().map((each) => visibleLine(each.url));
				const text = vscode.l10n.t(
					'Forge Desk cannot remove these webhooks: they were made with a token that is gone, or the forge does not allow it. Remove them on the pages of the forge; what they send is ignored.',
				);
				if ((await notify('information', `${text}\n${addresses.join('\n')}`, forget)) === forget) {
					await webhooks.forgetLost();
				}
			},
		}));
		// A heading has no value; it cannot be chosen.
		const heading: Choice<Step> = {
			label: vscode.l10n.t('{0} on {1}', me, instance.name),
			kind: vscode.QuickPickItemKind.Separator,
			value: () => Promise.resolve(),
		};
		return known.length + lost.length === 0 ? [] : [heading, ...known, ...lost];
	});
	const status = listeningText(context.listening.state);
	if (rows.length === 0) {
		return void (await notify('information', status));
	}
	const step = await choose(status, rows, vscode.l10n.t('Choose a webhook'));
	await step(signal);
}

function webhookRow(context: WebhookContext, connection: WebhookAccount, webhook: KnownWebhook): Choice<Step> {
	const { family, state, path, events } = webhook;
	const lastMs = path === undefined ? undefined : context.listening.lastArrivalMs(path);
	const forgedMs = path === undefined ? undefined : context.listening.lastForgedMs(path);
	const nowMs = context.clock.nowMs();
	const stateText = webhookStateText(
		state,
		{ lastArrivalMs: lastMs, isElsewhere: context.listening.state.kind === 'elsewhere' },
		nowMs,
	);
	// An accepted delivery proves the key; somebody else sends the unsigned ones after it.
	const isKeyInDoubt = !connection.webhooks
		.all()
		.some((each) => each.path !== undefined && context.listening.lastArrivalMs(each.path) !== undefined);
	const isForged = forgedMs !== undefined && isKeyInDoubt;
	const trouble = webhookTroubleText(state) ?? (isForged ? forgedText(forgedMs, nowMs) : undefined);
	return {
		label: familyTitle(family),
		iconPath: new vscode.ThemeIcon(trouble === undefined ? familyIcon(family) : 'warning'),
		description: stateText,
		detail: trouble ?? events.join(', '),
		value: (signal) => chooseStep(context, webhook, signal),
	};
}

async function chooseStep(context: WebhookContext, webhook: KnownWebhook, signal: AbortSignal): Promise<void> {
	const { family, url } = webhook;
	const steps: Choice<Step>[] = [];
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
		value: () => repairWebhooks(context),
	});
	const step = await choose(familyTitle(family), steps);
	await step(signal);
}

/** Compares the webhooks of all accounts with their forges, or says why it has to wait. */
export async function repairWebhooks({ connections, clock }: WebhookContext): Promise<void> {
	await Promise.all(connections.all().map(({ webhooks }) => webhooks.repair()));
	const known = connections.all().flatMap(({ webhooks }) => webhooks.all());
	if (known.length === 0) {
		const text = vscode.l10n.t('There are no webhooks to check. Run "Forge: Receive Webhooks…" first.');
		return void (await notify('information', text));
	}
	const nowMs = clock.nowMs();
	const waiting = known.flatMap(({ state }) =>
		state.kind === 'failed' && state.againMs > nowMs && Number.isFinite(state.againMs) ? [state] : [],
	);
	const [first] = waiting.toSorted((a, b) => b.againMs - a.againMs);
	if (!first) {
		return tellBriefly(vscode.l10n.t('Checking the webhooks…'));
	}
	await notify(
		'warning',
		vscode.l10n.t(
			'Webhooks that have to wait: {0}. {1} Forge Desk checks them after {2}.',
			waiting.length,
			webhookTroubleText(first) ?? '',
			clockTime(first.againMs, nowMs, vscode.env.language),
		),
	);
}
