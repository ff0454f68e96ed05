import { Disposables } from '../../base/lifecycle.ts';
import { tellBriefly } from '../../editor/ask/notify.ts';
import type { CommandTable, Feature } from '../../editor/commands/feature.ts';
import * as vscode from 'vscode';
import { pushMessages } from './pushMessages.ts';
import { listeningNotices } from './listeningNotices.ts';
import { receiveWebhooks, testAddress } from './receiveWebhooks.ts';
import { removeAllWebhooks } from './removeWebhooks.ts';
import { repairWebhooks, showWebhooks } from './showWebhooks.ts';
import type { WebhookParts } from './webhookParts.ts';

/** Webhook commands and the notice about a failing listener. */
export function webhooksFeature(parts: WebhookParts): Feature {
	const owned = new Disposables();
	owned.add(listeningNotices(parts));
	return { commands: webhookCommands(parts), dispose: () => owned.dispose() };
}

function webhookCommands(parts: WebhookParts): CommandTable {
	return {
		'forge.webhooks.receive': (_, signal) => receiveWebhooks(parts, signal),
		'forge.webhooks.stop': async () => {
			await parts.settings.setOn(false);
			tellBriefly(vscode.l10n.t('Webhooks are no longer received.'));
		},
		'forge.webhooks.test': (_, signal) => testAddress(parts, signal),
		'forge.webhooks.show': (_, signal) => showWebhooks(parts, signal),
		'forge.webhooks.check': () => repairWebhooks(parts),
		'forge.webhooks.pushMessages': (_, signal) => pushMessages(parts, signal),
		'forge.webhooks.removeAll': (_, signal) => removeAllWebhooks(parts, signal),
	};
}
