import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { ForgeKey } from '../../listener/forgeKey.ts';
import type { FileLines } from '../../storage/fileLines.ts';
import type { OpenedOrNot, OpenListenerOptions } from '../../state/listening/openedListener.ts';

/** Opens the listener for webhooks. Its bundle is loaded with the first one. */
export type OpenWebhookListener = (options: OpenListenerOptions, signal: AbortSignal) => Promise<OpenedOrNot>;

/** What one listener has seen no later one takes in again, of whichever window. */
export function webhookListener({
	seen,
	clock,
	log,
}: {
	/** Of all windows. */
	readonly seen: FileLines;
	readonly clock: Clock;
	readonly log: Log;
}): OpenWebhookListener {
	return async ({ port, address, hosts, hookAt, misnamed, answer, isAskedAgain, received, forged }, signal) => {
		const { openListener, readForgeKey } = await import('../../listener/main.ts');
		const keys = new Map<string, ForgeKey | undefined>();

		/** Of the same text the same key: it is asked for with every request. */
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
					// Where the key is none, nothing can be its forge's.
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
					// Before the port is free, so that whoever has it next reads all of it.
					void seen.flush();
					listener.dispose();
				},
			},
		};
	};
}
