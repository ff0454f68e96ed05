import type { Log } from '../../base/log.ts';
import type { FileLines } from '../../machine/storage/fileLines.ts';
import type { ListenerOptions, Opening } from '../../store/listening/openedListener.ts';

/** Opens the webhook listener. Remembers deliveries across listeners and windows in `seen`, to reject replays. */
export function webhookListener(seen: FileLines, log: Log) {
	return async (options: ListenerOptions, signal: AbortSignal): Promise<Opening> => {
		// Loads the bundle on first use.
		const { openListener } = await import('../../machine/listener/openListener.ts');
		const opening = await openListener(options, seen, log, signal);
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
