import type { Clock } from '../../base/clock.ts';
import type { Problems } from '../../editor/ask/problems.ts';
import type { Connection } from '../../store/connection.ts';
import type { Listening } from '../../store/listening/listening.ts';
import type { PostDelivery } from '../../store/listening/probeAddress.ts';
import type { WebhookSettings } from './webhookSettings.ts';

/** The used part of an account. */
export type WebhookAccount = Pick<Connection, 'me' | 'instance' | 'webhooks' | 'repositories'>;

export interface WebhookDesk {
	readonly connections: { all(): readonly WebhookAccount[] };
	readonly listening: Listening;
	readonly settings: WebhookSettings;
	/** Calls the listener by its public address. */
	readonly post: PostDelivery;
	readonly problems: Problems;
	readonly clock: Clock;
}
