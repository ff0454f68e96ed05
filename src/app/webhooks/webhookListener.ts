import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { ForgeKey } from '../../machine/listener/forgeKey.ts';
import type { FileLines } from '../../machine/storage/fileLines.ts';
import type { OpenedOrNot, OpenListenerOptions } from '../../store/listening/openedListener.ts';

/** Opens the webhook listener; lazily loads its bundle. */
export type OpenWebhookListener = (options: OpenListenerOptions, signal: AbortSignal) => Promise<OpenedOrNot>;

/** Remembers deliveries across listeners and windows, to reject replays. */
export function webhookListener({
	seen,
	clock,
	log,
}: {
	/** Shared by all windows. */
	readonly seen: FileLines;
	readonly clock: Clock;
	readonly log: Log;
}): OpenWebhookListener {
	return async ({ port, address, hosts, hookAt, misnamed, answer, isAskedAgain, received, forged }, signal) => {
		const { openListener, readForgeKey } = await import('../../machine/listener/main.ts');
		const keys = new Map<string, ForgeKey | undefined>();

		/** Cached, because every request needs the key. */
		function keyOf(text: string): ForgeKey | undefined {
			if (!keys.has(text)) {
				const reading = readForgeKey(text);
				keys.set(text, reading.kind === 'key' ? reading.key : undefined);
			}
			return keys.get(text);
		}

		const opening = await openListener(
			{
				port,
				address,
				hosts,
				hookAt(path) {
					const hook = hookAt(path);
					if (hook?.publicKey === undefined) {
						return hook && { key: undefined };
					}
					const key = keyOf(hook.publicKey);
					// With an invalid key, no delivery can be genuine.
					return key && { key };
				},
				misnamed,
				answer,
				isAskedAgain,
				received,
				forged,
				seen,
				clock,
				log,
			},
			signal,
		);
		if (opening.kind !== 'open') {
			return opening;
		}
		const { listener } = opening;
		return {
			kind: 'open',
			listener: {
				port: listener.port,
				dispose() {
					// Flush before the port is free, so that the next listener reads everything.
					void seen.flush();
					listener.dispose();
				},
			},
		};
	};
}
