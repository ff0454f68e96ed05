import * as vscode from 'vscode';
import { agoText } from '../../editor/ask/readBefore.ts';
import { explain } from '../../editor/ask/problems.ts';
import { thingIcon } from '../../editor/names/thingIcon.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { ticketRefText } from 'sourcehut/port/ticket.ts';
import type { WebhookFamily } from 'sourcehut/port/webhook.ts';
import { isChoosingPort, type ListeningState } from '../../store/listening/listening.ts';
import type { ListenAddress } from '../../store/listening/openedListener.ts';
import type { WebhookState } from '../../store/webhooks/accountWebhooks.ts';
import { visibleLine } from '../../engine/text/visible.ts';

/** Purpose of a webhook. */
export function familyTitle(family: WebhookFamily): string {
	switch (family.kind) {
		case 'user':
			return {
				todo: vscode.l10n.t('Your trackers'),
				git: vscode.l10n.t('Your repositories'),
				lists: vscode.l10n.t('Your mailing lists and messages'),
			}[family.area];
		case 'ticket':
			return visibleLine(ticketRefText(family.ref));
		case 'list':
		case 'tracker':
		case 'repository':
			return visibleLine(refText(family.ref));
	}
}

/** The kind of thing, as the icon of the row. */
export function familyIcon({ kind }: WebhookFamily): string {
	return kind === 'user' ? 'account' : thingIcon({ kind });
}

/** State of a webhook in a few words. */
export function webhookStateText(
	state: WebhookState,
	{ lastArrivalMs, isElsewhere }: { readonly lastArrivalMs: number | undefined; readonly isElsewhere: boolean },
	nowMs: number,
): string {
	switch (state.kind) {
		case 'wanted':
			return vscode.l10n.t('not created yet');
		case 'made':
			if (lastArrivalMs !== undefined) {
				return vscode.l10n.t('last received {0}', agoText(lastArrivalMs, nowMs, 'long'));
			}
			// Only the window that listens knows, and only since it does.
			return isElsewhere
				? vscode.l10n.t('received by another window')
				: vscode.l10n.t('no delivery in this window yet');
		case 'refused':
			return vscode.l10n.t('not offered by the server; read regularly instead');
		case 'failed':
			return vscode.l10n.t('could not be created');
		case 'leaving':
			return vscode.l10n.t('being removed');
	}
}

/** Problem of a webhook in a sentence; `undefined` if it has none. */
export function webhookTroubleText(state: WebhookState): string | undefined {
	switch (state.kind) {
		case 'refused':
			return explain(new ForgeError(state.problem)).message;
		case 'failed':
			return state.problem === undefined
				? vscode.l10n.t('What is known of the webhooks could not be saved.')
				: explain(new ForgeError(state.problem)).message;
		case 'wanted':
		case 'made':
		case 'leaving':
			return undefined;
	}
}

/** Warns of a delivery with a wrong signature, with a next step. */
export function forgedText(atMs: number, nowMs: number): string {
	return vscode.l10n.t(
		'What came {0} was ignored: it is not signed with the key of this forge. Check "webhookKey" in the settings.',
		agoText(atMs, nowMs, 'long'),
	);
}

/** State of the listener in a sentence. */
export function listeningText(state: ListeningState): string {
	switch (state.kind) {
		case 'off':
			return vscode.l10n.t('Webhooks are not received.');
		case 'noAccount':
			return vscode.l10n.t('Webhooks are received as soon as an account is signed in.');
		case 'elsewhere':
			return isChoosingPort(state)
				? vscode.l10n.t('Webhooks are about to be received by another window.')
				: vscode.l10n.t('Webhooks are received by another window.');
		case 'opening':
			return vscode.l10n.t('Webhooks are about to be received.');
		case 'open':
			return vscode.l10n.t('Webhooks are received at {0}.', placeText(state.place));
		case 'portTaken':
			return vscode.l10n.t(
				'Webhooks are not received: another program uses {0}. Close it, or choose another port in the settings.',
				placeText(state.place),
			);
		case 'placeRefused':
			return vscode.l10n.t(
				'Webhooks are not received: this computer does not allow listening at {0} ({1}). Choose another address or port in the settings.',
				placeText(state.place),
				state.code,
			);
	}
}

/** As people write it: `127.0.0.1:4000`. */
function placeText({ address, port }: ListenAddress): string {
	return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
