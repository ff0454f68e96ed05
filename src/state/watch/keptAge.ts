import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Inbox } from '../inbox/inbox.ts';
import { asOfPosition } from '../inbox/inboxBook.ts';
import { asOfMs, type WatchReadings } from './watchReadings.ts';

/** All of the inbox is written for it. */
const everyMs = 5 * 60_000;

/** Keeps of when the inbox is, for windows that read nothing for it and those that have only begun to. */
export function keepAge({
	inbox,
	readings,
}: {
	readonly inbox: Pick<Inbox, 'add' | 'position'>;
	readonly readings: Pick<WatchReadings, 'all' | 'onDidRead'>;
}): Disposable {
	return readings.onDidRead(() => {
		const sinceMs = asOfMs(readings.all());
		const keptMs = inbox.position(asOfPosition)?.sinceMs ?? 0;
		if (sinceMs !== undefined && sinceMs - keptMs >= everyMs) {
			inbox.add({ entries: [], positions: new Map([[asOfPosition, { sinceMs, newestId: 0, detail: '' }]]) });
		}
	});
}

/**
 * Of when an account's inbox is: as this window reads it, and before it has read all of it, or where another one does, as it
 * was kept. Milliseconds since 1970; `undefined` where nothing was ever read.
 */
export function inboxAsOfMs(
	{
		inbox,
		inboxReadings,
	}: { readonly inbox: Pick<Inbox, 'position'>; readonly inboxReadings: Pick<WatchReadings, 'all'> },
	clock: Pick<Clock, 'nowMs'>,
): number | undefined {
	const keptMs = inbox.position(asOfPosition)?.sinceMs;
	// The clock may have been set back since.
	return asOfMs(inboxReadings.all()) ?? (keptMs === undefined ? undefined : Math.min(keptMs, clock.nowMs()));
}
