import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { RandomBytes } from '../../base/secretText.ts';
import type { WebhookApi } from '../../forge/forge.ts';
import { ownHookPaths } from '../../listener/hookPath.ts';
import { openInbox, type Inbox } from '../../state/inbox/inbox.ts';
import type { WriteJournal } from '../../state/shared/writeJournal.ts';
import { textInMemory, type KeptText } from '../../state/shared/keptText.ts';
import { accountWatch, type AccountWatchParts } from '../../state/watch/accountWatch.ts';
import { accountWebhooks, type AccountWebhooks } from '../../state/webhooks/accountWebhooks.ts';
import { keepAge } from '../../state/watch/keptAge.ts';
import { readOnPages, type ReadOnPagesParts } from '../../state/watch/readOnPages.ts';
import { watchReadings, type WatchReadings } from '../../state/watch/watchReadings.ts';
import { windowLease, type WindowLease } from '../../state/watch/windowLease.ts';
import type { FileTexts } from '../../storage/fileTexts.ts';

/** Shared dependencies of all accounts. */
export interface AccountInboxParts {
	readonly texts: FileTexts;
	/** Held by one window, for all accounts. */
	readonly lease: WindowLease;
	/** A number from 0 to 1. */
	readonly random: () => number;
	/** Unique id of this computer. */
	readonly computer: string;
	/** For unguessable webhook paths. */
	readonly randomBytes: RandomBytes;
	readonly clock: Clock;
}

/** An account with the stores that feed its inbox. */
export interface WatchedAccount
	extends
		Omit<AccountWatchParts, 'inbox' | 'lease' | 'readings' | 'random' | 'clock'>,
		Omit<ReadOnPagesParts, 'inbox' | 'lists' | 'tickets' | 'me'> {
	readonly key: string;
	readonly webhookApi: WebhookApi;
	readonly journal: WriteJournal;
	/** Stores nothing: the sample forge's world ends with its process. */
	readonly isSample: boolean;
}

/** An account's inbox, and its pollers while this window holds the lease. */
export interface AccountInbox extends Disposable {
	readonly inbox: Inbox;
	readonly readings: WatchReadings;
	readonly webhooks: AccountWebhooks;
}

export function accountInbox(
	account: WatchedAccount,
	{ texts, lease: windows, random, computer, randomBytes, clock }: AccountInboxParts,
): AccountInbox {
	const { key, isSample, webhookApi } = account;
	const owned = new Disposables();
	const shared = (kind: string): SharedText =>
		isSample
			? { kept: textInMemory(), onDidWrite: neverWritten }
			: { kept: texts.of(kind, key), onDidWrite: owned.add(texts.watched(kind, key)).onDidWrite };
	const inbox = owned.add(openInbox({ ...shared('inbox'), clock }));
	// Other windows don't know this sample forge.
	const lease = isSample
		? owned.add(windowLease({ kept: textInMemory(), name: key, isThere: () => true, clock }))
		: windows;
	const readings = owned.add(watchReadings(account.background, clock));
	owned.add(keepAge({ inbox, readings }));
	owned.add(readOnPages({ ...account, inbox }));
	const watch = owned.add(accountWatch({ ...account, inbox, lease, readings, random, clock }));
	const paths = ownHookPaths(`${computer} ${key}`, randomBytes);
	const webhooks = owned.add(
		accountWebhooks({
			...account,
			...shared('webhooks'),
			api: webhookApi,
			inbox,
			take: (family, delivery) => watch.take(family, delivery),
			lease,
			paths,
			random,
			clock,
		}),
	);
	return { inbox, readings, webhooks, dispose: () => owned.dispose() };
}

/** A text shared by the account's windows. */
interface SharedText {
	readonly kept: KeptText;
	readonly onDidWrite: Event<void>;
}

/** In-memory texts have no other writers. */
const neverWritten: Event<void> = () => ({ dispose: () => undefined });
