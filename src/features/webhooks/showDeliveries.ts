import * as vscode from 'vscode';
import { unsentText } from '../../editor/ask/extraFields.ts';
import { agoText } from '../../editor/ask/readBefore.ts';
import { choose, type Choice } from '../../editor/ask/ask.ts';
import { notify, tellBriefly } from '../../editor/ask/notify.ts';
import { withProgress } from '../../editor/ask/progress.ts';
import type { WebhookDelivery, WebhookFamily } from '../../forge/port/webhook.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import type { WebhookAccount, WebhookDesk } from './webhookDesk.ts';
import { deliveryStateText, familyTitle } from './webhookWords.ts';

/** A webhook that the forge has. */
export interface MadeWebhook {
	readonly connection: WebhookAccount;
	readonly family: WebhookFamily;
	readonly id: number;
	/** Of its deliveries; secret. */
	readonly path: string;
}

/** Lost deliveries are among the newest. */
const mostDeliveries = 100;

/** Lists a webhook's deliveries, newest first, with their results. The user can open or resend one. */
export async function showDeliveries(
	{ clock, listening }: WebhookDesk,
	webhook: MadeWebhook,
	signal: AbortSignal,
): Promise<void> {
	const title = vscode.l10n.t('Deliveries to the webhook of {0}', familyTitle(webhook.family));
	const { items: all, isPart } = await withProgress(vscode.l10n.t('Reading deliveries…'), signal, (whileReading) =>
		newest(webhook, whileReading),
	);
	if (all.length === 0) {
		return void (await notify('information', vscode.l10n.t('The forge has sent nothing to this webhook yet.')));
	}
	const nowMs = clock.nowMs();
	const delivery = await choose(
		title,
		all.map((each): Choice<WebhookDelivery> => rowOf(each, nowMs)),
		isPart ? vscode.l10n.t('The newest {0} deliveries. Older ones are not listed.', all.length) : undefined,
	);
	const step = await choose(visibleLine(delivery.event), stepsOf(listening, webhook, delivery));
	await step(signal);
}

async function newest(
	{ connection, family, id }: MadeWebhook,
	signal: AbortSignal,
): Promise<{ readonly items: readonly WebhookDelivery[]; readonly isPart: boolean }> {
	const all: WebhookDelivery[] = [];
	let hasMore = false;
	for await (const { items, completeness } of connection.webhooks.log.deliveries(family, id, signal)) {
		all.push(...items);
		hasMore = completeness.kind === 'more';
		if (all.length >= mostDeliveries) {
			break;
		}
	}
	return { items: all.slice(0, mostDeliveries), isPart: hasMore || all.length > mostDeliveries };
}

function rowOf(delivery: WebhookDelivery, nowMs: number): Choice<WebhookDelivery> {
	const { event, createdMs, responseStatus, response } = delivery;
	const detail = [unsentText([delivery]), visibleLine(response ?? '')].filter((text) => text !== '').join(' ');
	const isTaken = responseStatus >= 200 && responseStatus < 300;
	return {
		label: visibleLine(event),
		iconPath: new vscode.ThemeIcon(isTaken ? 'check' : 'warning'),
		description: vscode.l10n.t('{0}, {1}', agoText(createdMs, nowMs, 'long'), deliveryStateText(delivery)),
		...(detail === '' ? {} : { detail }),
		value: delivery,
	};
}

type Step = (signal: AbortSignal) => Promise<void>;

function stepsOf(
	listening: WebhookDesk['listening'],
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
	const json = readable(payload);
	const document = await vscode.workspace.openTextDocument({
		content: json ?? payload.slice(0, mostShown),
		language: json === undefined ? 'plaintext' : 'json',
	});
	await vscode.window.showTextDocument(document);
	if (json === undefined && payload.length > mostShown) {
		await notify('warning', vscode.l10n.t('The content is too large. Only its beginning is shown.'));
	}
}

/** `undefined` for invalid JSON and large payloads: the indentation of deep nesting grows quadratically. */
function readable(payload: string): string | undefined {
	if (payload.length > mostShown) {
		return undefined;
	}
	try {
		const text = JSON.stringify(JSON.parse(payload), undefined, '\t');
		return text.length > mostShown ? undefined : text;
	} catch {
		return undefined;
	}
}
