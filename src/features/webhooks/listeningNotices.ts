import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.ts';
import { notify } from '../../editor/ask/notify.ts';
import type { WebhookParts } from './webhookParts.ts';
import { listeningText } from './webhookWords.ts';

/** Shows once why the listener can't open, and again only after it was open or off. The listener retries itself. */
export function listeningNotices({ listening, problems }: Pick<WebhookParts, 'listening' | 'problems'>): Disposable {
	let isTold = false;

	function look(): void {
		const { state } = listening;
		if (state.kind === 'open' || state.kind === 'off') {
			isTold = false;
		} else if (!isTold && (state.kind === 'portTaken' || state.kind === 'placeRefused')) {
			isTold = true;
			// Not awaited: a notice may stay open for hours.
			tell().catch(problems.log);
		}
	}

	async function tell(): Promise<void> {
		const open = vscode.l10n.t('Open Settings');
		if ((await notify('warning', listeningText(listening.state), open)) === open) {
			await vscode.commands.executeCommand('workbench.action.openSettings', 'forge.webhooks');
		}
	}

	look();
	return listening.onDidChange(look);
}
