import type { Clock } from '../../base/clock.ts';
import { Disposables, onDispose, type Disposable } from '../../base/lifecycle.ts';
import type { Inbox } from '../inbox/inbox.ts';
import { asOfPosition, refreshPosition, type InboxPosition } from '../inbox/inboxBook.ts';
import { asOfMs, type WatchReadings } from './watchReadings.ts';

/** All of the inbox is written for it. */
const everyMs = 5 * 60_000;

/** Keeps the age of the inbox for windows that do not watch, and refreshes when one of them asks for it. */
export function keepAge({
	inbox,
	readings,
}: {
	readonly inbox: Pick<Inbox, 'add' | 'position' | 'onDidChange'>;
	readonly readings: Pick<WatchReadings, 'all' | 'onDidRead' | 'refresh'>;
}): Disposable {
	const owned = new Disposables();
	const ending = new AbortController();
	/** A refresh that another window asked for before this one was opened is that one's, and over. */
	let refreshedMs = inbox.position(refreshPosition)?.sinceMs ?? 0;

	function keep(afterMs: number): void {
		const sinceMs = asOfMs(readings.all());
		const keptMs = inbox.position(asOfPosition)?.sinceMs ?? 0;
		if (sinceMs !== undefined && sinceMs - keptMs >= afterMs) {
			inbox.add({ entries: [], positions: positionAt(asOfPosition, sinceMs) });
		}
	}

	async function refreshIfAsked(): Promise<void> {
		const askedMs = inbox.position(refreshPosition)?.sinceMs ?? 0;
		if (askedMs > refreshedMs) {
			refreshedMs = askedMs;
			if (readings.all().length > 0) {
				await readings.refresh(ending.signal);
				keep(1);
			}
		}
	}

	owned.add(readings.onDidRead(() => keep(everyMs)));
	owned.add(inbox.onDidChange(() => void refreshIfAsked()));
	owned.add(onDispose(() => ending.abort()));
	return owned;
}

/** Asks the window that watches to refresh the inbox. */
export function askForRefresh(inbox: Pick<Inbox, 'add'>, nowMs: number): void {
	inbox.add({ entries: [], positions: positionAt(refreshPosition, nowMs) });
}

function positionAt(name: string, sinceMs: number): ReadonlyMap<string, InboxPosition> {
	return new Map([[name, { sinceMs, newestId: 0, detail: '' }]]);
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
