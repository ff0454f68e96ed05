import { Emitter } from '@forge-desk/base/event.ts';
import type { AccountWebhooks, KnownWebhook } from '../../src/store/webhooks/accountWebhooks.ts';
import type { LostWebhook } from '../../src/store/webhooks/webhookBook.ts';
import type { WebhookRemoval } from '../../src/store/webhooks/webhookRemoval.ts';

/** Scripted webhooks with a record of calls. */
export interface FakeAccountWebhooks {
	readonly webhooks: AccountWebhooks;
	readonly asked: readonly string[];
	known: readonly KnownWebhook[];
	lost: readonly LostWebhook[];
	removal: (signal: AbortSignal) => Promise<WebhookRemoval>;
}

export function fakeAccountWebhooks(): FakeAccountWebhooks {
	const changed = new Emitter<void>();
	const asked: string[] = [];
	const ask = async (what: string): Promise<void> => void asked.push(what);
	const faked: FakeAccountWebhooks = {
		asked,
		known: [],
		lost: [],
		removal: () => Promise.resolve({ removed: faked.known.length, left: [] }),
		webhooks: {
			listenAt: (address) => void asked.push(`listen at ${address}`),
			at: (path) => faked.known.find((each) => each.path === path),
			all: () => faked.known,
			lost: () => faked.lost,
			forgetLost: () => ask('forget lost'),
			repair: () => ask('repair'),
			tokenReplaced: () => ask('token replaced'),
			async removeAll(at, signal) {
				await ask(at === 'everything' ? 'remove all, looking at everything' : 'remove all');
				return faked.removal(signal);
			},
			makeAgain: () => ask('make again'),
			deliveries: { read: () => ({ again: [], push: undefined }), take: () => undefined, missed: () => undefined },
			onDidChange: changed.event,
			dispose: () => changed.dispose(),
		},
	};
	return faked;
}
