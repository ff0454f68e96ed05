import type { Clock } from '@forge-desk/base/clock.ts';
import { Disposables, onDispose, type Disposable } from '@forge-desk/base/lifecycle.ts';
import type { Inbox } from '../inbox/inbox.ts';
import { asOfPosition, refreshPosition, type InboxPosition } from '../inbox/inboxBook.ts';
import { asOfMs, type WatchReadings } from './watchReadings.ts';

/** Each write rewrites the whole inbox file. */
const everyMs = 5 * 60_000;

/** Stores the age of the inbox for the other windows, and refreshes at their request. */
export function keepAge(inbox: Inbox, readings: WatchReadings): Disposable {
	const owned = new Disposables();
	const ending = new AbortController();
	/** A request from before this window opened belongs to an earlier lease holder. */
	let refreshedMs = inbox.position(refreshPosition)?.sinceMs ?? 0;

	function keep(afterMs: number): void {
		const sinceMs = asOfMs(readings.all());
		const keptMs = inbox.position(asOfPosition)?.sinceMs ?? 0;
		if (sinceMs !== undefined && sinceMs - keptMs >= afterMs) {
			inbox.add({ entries: [], positions: positionAt(asOfPosition, sinceMs) });
		}
	}

	owned.add(readings.onDidRead(() => keep(everyMs)));
	owned.add(
		inbox.onDidChange(() => {
			const askedMs = inbox.position(refreshPosition)?.sinceMs ?? 0;
			if (askedMs > refreshedMs) {
				refreshedMs = askedMs;
				if (readings.all().length > 0) {
					void readings.refresh(ending.signal).then(() => keep(1));
				}
			}
		}),
	);
	owned.add(onDispose(() => ending.abort()));
	return owned;
}

/** Asks the polling window for a refresh. */
export function askForRefresh(inbox: Inbox, nowMs: number): void {
	inbox.add({ entries: [], positions: positionAt(refreshPosition, nowMs) });
}

function positionAt(name: string, sinceMs: number): ReadonlyMap<string, InboxPosition> {
	return new Map([[name, { sinceMs, newestId: 0, detail: '' }]]);
}

/**
 * Age of the inbox: the readings of this window, or the stored age until they are complete. Milliseconds since 1970;
 * `undefined` before any reading.
 */
export function inboxAsOfMs(
	{ inbox, inboxReadings }: { readonly inbox: Inbox; readonly inboxReadings: WatchReadings },
	clock: Clock,
): number | undefined {
	const keptMs = inbox.position(asOfPosition)?.sinceMs;
	// The clock may have moved back.
	return asOfMs(inboxReadings.all()) ?? (keptMs === undefined ? undefined : Math.min(keptMs, clock.nowMs()));
}
