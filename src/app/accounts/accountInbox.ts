import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import { openInbox, type Inbox } from '../../state/inbox/inbox.ts';
import { textInMemory } from '../../state/shared/keptText.ts';
import { accountWatch, type AccountWatchParts } from '../../state/watch/accountWatch.ts';
import { readOnPages, type ReadOnPagesParts } from '../../state/watch/readOnPages.ts';
import { watchReadings, type WatchReadings } from '../../state/watch/watchReadings.ts';
import { windowLease } from '../../state/watch/windowLease.ts';
import type { FileTexts } from '../../storage/fileTexts.ts';

/** What the inboxes of all accounts have in common. */
export interface AccountInboxParts {
	readonly texts: FileTexts;
	/** Names this window, and no other one. */
	readonly windowName: string;
	/** A number from 0 to 1. */
	readonly random: () => number;
	readonly clock: Clock;
}

/** Whose inbox it is, and the stores that it is filled from. */
export interface WatchedAccount
	extends
		Omit<AccountWatchParts, 'inbox' | 'lease' | 'readings' | 'random' | 'clock'>,
		Omit<ReadOnPagesParts, 'inbox' | 'lists'> {
	readonly key: string;
	/** Nothing of it is kept: its world ends with its process. */
	readonly isSample: boolean;
}

/** The inbox of an account, and what fills it while this window is the one that watches. */
export function accountInbox(
	account: WatchedAccount,
	{ texts, windowName, random, clock }: AccountInboxParts,
): { readonly inbox: Inbox; readonly readings: WatchReadings } & Disposable {
	const { key, isSample } = account;
	const owned = new Disposables();
	const inbox = owned.add(
		openInbox(
			isSample
				? { kept: textInMemory(), onDidWrite: neverWritten, clock }
				: { kept: texts.of('inbox', key), onDidWrite: owned.add(texts.watched('inbox', key)).onDidWrite, clock },
		),
	);
	owned.add(readOnPages({ ...account, inbox }));
	const kept = isSample ? textInMemory() : texts.of('watcher', key);
	const lease = owned.add(windowLease({ kept, name: windowName, clock }));
	const readings = owned.add(watchReadings(account.background));
	owned.add(accountWatch({ ...account, inbox, lease, readings, random, clock }));
	return { inbox, readings, dispose: () => owned.dispose() };
}

/** No other window has a text that is in memory. */
const neverWritten: Event<void> = () => ({ dispose: () => undefined });
