import type { Fault } from '../fault.ts';
import { inRoom } from './inRoom.ts';

export const webhooksFaults: readonly Fault[] = [
	...inRoom('features/webhooks', [
		{
			name: 'webhooks-made-again',
			kind: 'guard',
			file: 'removeWebhooks.ts',
			text: 'await settings.setOn(false);',
			replacement: '',
			harm: 'webhooks that were removed are made again in a moment',
		},
		{
			name: 'webhooks-first-account',
			kind: 'account',
			file: 'removeWebhooks.ts',
			text: 'of accounts) {',
			replacement: 'of accounts.slice(0, 1)) {',
			harm: 'the webhooks of a second account stay on its forge',
		},
		{
			name: 'delivery-all-taken',
			kind: 'boundary',
			file: 'showDeliveries.ts',
			text: 'responseStatus >= 200 && responseStatus < 300',
			replacement: 'responseStatus >= 200',
			harm: 'a delivery that failed has the mark of one that arrived',
		},
		{
			name: 'push-message-inverted',
			kind: 'operator',
			file: 'pushMessages.ts',
			text: 'setSync(value.ref, !picked)',
			replacement: 'setSync(value.ref, picked)',
			harm: 'checking a repository to show a message changes nothing',
		},
		{
			name: 'port-taken-told-again',
			kind: 'guard',
			file: 'listeningNotices.ts',
			text: 'isTold = true;',
			replacement: 'isTold = false;',
			harm: 'each try to open a port that is taken brings another warning',
		},
		{
			name: 'port-out-of-range',
			kind: 'boundary',
			file: 'webhookSettings.ts',
			text: ' && value <= 65_535',
			replacement: '',
			harm: 'a port that there cannot be ends the listener instead of any free one being taken',
		},
		{
			name: 'forged-once-for-ever',
			kind: 'operator',
			file: 'showWebhooks.ts',
			text: 'forgedMs !== undefined && isKeyInDoubt',
			replacement: 'forgedMs !== undefined',
			harm: 'one request of a stranger marks a webhook that works as broken',
		},
		{
			name: 'own-computer-asked',
			kind: 'guard',
			file: 'receiveWebhooks.ts',
			text: 'return isElsewhere && settings',
			replacement: 'return settings',
			harm: 'for a forge on this computer an address of a tunnel is asked for',
		},
	]),
];
