import * as vscode from 'vscode';
import { showDocument } from '../../editor/documents/showDocument.ts';
import { pushAll } from '@forge-desk/base/longArrays.ts';
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
	deliveryStateText,
} from './webhookWords.ts';
import { unsentText } from '../../editor/ask/extraFields.ts';
import { agoText } from '../../editor/ask/readBefore.ts';
import { withProgress } from '../../editor/ask/progress.ts';
import type { WebhookDelivery, WebhookFamily } from 'sourcehut/port/webhook.ts';

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
	const { family, state, path, events, isSync } = webhook;
	const lastMs = path === undefined ? undefined : context.listening.lastArrivalMs(path);
	const forgedMs = path === undefined ? undefined : context.listening.lastForgedMs(path);
	const nowMs = context.clock.nowMs();
	const stateText = webhookStateText(
		state,
		{ lastArrivalMs: lastMs, isElsewhere: context.listening.state.kind === 'elsewhere' },
		nowMs,
	);
	// An accepted delivery proves the key; later unsigned deliveries come from somebody else.
	const isKeyInDoubt = !connection.webhooks
		.all()
		.some((each) => each.path !== undefined && context.listening.lastArrivalMs(each.path) !== undefined);
	const isForged = forgedMs !== undefined && isKeyInDoubt;
	const trouble = webhookTroubleText(state) ?? (isForged ? forgedText(forgedMs, nowMs) : undefined);
	return {
		label: familyTitle(family),
		iconPath: new vscode.ThemeIcon(trouble === undefined ? familyIcon(family) : 'warning'),
		description: isSync ? vscode.l10n.t('{0}, shows a message on push', stateText) : stateText,
		detail: trouble ?? events.join(', '),
		value: (signal) => chooseStep(context, connection, webhook, signal),
	};
}

async function chooseStep(
	context: WebhookContext,
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
			value: (whileShown) => showDeliveries(context, { connection, family, id: state.id, path }, whileShown),
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

/** A webhook that the forge has. */
interface MadeWebhook {
	readonly connection: WebhookAccount;
	readonly family: WebhookFamily;
	readonly id: number;
	/** Of its deliveries; secret. */
	readonly path: string;
}

/** Lost deliveries are among the newest. */
const mostDeliveries = 100;

/** Lists a webhook's deliveries, newest first, with their results. The user can open or resend one. */
async function showDeliveries(
	{ clock, listening }: WebhookContext,
	webhook: MadeWebhook,
	signal: AbortSignal,
): Promise<void> {
	const { connection, family, id } = webhook;
	const title = vscode.l10n.t('Deliveries to the webhook of {0}', familyTitle(family));
	const all: WebhookDelivery[] = [];
	let hasMore = false;
	await withProgress(vscode.l10n.t('Reading deliveries…'), signal, async (whileReading) => {
		for await (const { items, completeness } of connection.webhooks.log.deliveries(family, id, whileReading)) {
			pushAll(all, items);
			hasMore = completeness.kind === 'more';
			if (all.length >= mostDeliveries) {
				break;
			}
		}
	});
	if (all.length === 0) {
		return void (await notify('information', vscode.l10n.t('The forge has sent nothing to this webhook yet.')));
	}
	const nowMs = clock.nowMs();
	const newest = all.slice(0, mostDeliveries);
	const delivery = await choose(
		title,
		newest.map((each): Choice<WebhookDelivery> => {
			const detail = [unsentText([each]), visibleLine(each.response ?? '')].filter((text) => text !== '').join(' ');
			const isTaken = each.responseStatus >= 200 && each.responseStatus < 300;
			return {
				label: visibleLine(each.event),
				iconPath: new vscode.ThemeIcon(isTaken ? 'check' : 'warning'),
				description: vscode.l10n.t('{0}, {1}', agoText(each.createdMs, nowMs, 'long'), deliveryStateText(each)),
				...(detail === '' ? {} : { detail }),
				value: each,
			};
		}),
		hasMore || all.length > mostDeliveries
			? vscode.l10n.t('The newest {0} deliveries. Older ones are not listed.', newest.length)
			: undefined,
	);
	const step = await choose(visibleLine(delivery.event), stepsOf(listening, webhook, delivery));
	await step(signal);
}

function stepsOf(
	listening: WebhookContext['listening'],
	webhook: MadeWebhook,
	delivery: WebhookDelivery,
): readonly Choice<Step>[] {
	const { connection, family, path, id: webhookId } = webhook;
	const { redeliver } = connection.webhooks.log.offers(family);
	const content: Choice<Step> = {
		label: vscode.l10n.t('Show Content'),
		iconPath: new vscode.ThemeIcon('json'),
		...(redeliver ? {} : { detail: vscode.l10n.t('This forge does not send a delivery again.') }),
		value: () => showContent(delivery.payload),
	};
	// A resent delivery is a hint like any other, so its effects are idempotent.
	const again: Choice<Step> = {
		label: vscode.l10n.t('Send Again'),
		iconPath: new vscode.ThemeIcon('debug-restart'),
		async value(signal) {
			await listening.takeAgain({ path, id: delivery.id });
			await connection.webhooks.sendAgain(family, { webhookId, delivery }, signal);
			tellBriefly(vscode.l10n.t('The forge sends the delivery again.'));
		},
	};
	return redeliver ? [content, again] : [content];
}

/** Forges cut what they send long before that; the editor stops working over documents of any length. */
const mostShown = 1_000_000;

/** Opens the payload in a new document. A payload that the forge cut is not JSON and stays unformatted. */
async function showContent(payload: string): Promise<void> {
	let json: string | undefined;
	// The indentation of deep nesting grows quadratically.
	if (payload.length <= mostShown) {
		try {
			const text = JSON.stringify(JSON.parse(payload), undefined, '\t');
			json = text.length > mostShown ? undefined : text;
		} catch {
			json = undefined;
		}
	}
	const document = await vscode.workspace.openTextDocument({
		content: json ?? payload.slice(0, mostShown),
		language: json === undefined ? 'plaintext' : 'json',
	});
	await showDocument(document);
	if (json === undefined && payload.length > mostShown) {
		await notify('warning', vscode.l10n.t('The content is too large. Only its beginning is shown.'));
	}
}
