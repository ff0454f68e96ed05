import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { DeliveryReading } from '../../forge/deliveryHint.ts';
import type { WebhookFamily } from '../../forge/webhook.ts';
import { asOfPosition } from '../inbox/inboxBook.ts';
import type { TicketIndex } from '../tickets/index/ticketIndexer.ts';
import type { TicketStore } from '../tickets/ticketStore.ts';
import type { RepositoryStore } from '../repositories/repositoryStore.ts';
import { followElsewhere } from './followElsewhere.ts';
import { hintedReads } from './hintedReads.ts';
import { listWatch, type ListWatchParts } from './listWatch.ts';
import { ownStatus } from './patchsetNews.ts';
import { repositoryWatch } from './repositoryWatch.ts';
import { ticketWatch } from './ticketWatch.ts';
import type { WindowLease } from './windowLease.ts';

export interface AccountWatchParts extends Omit<ListWatchParts, 'isReadSinceOpened'> {
	readonly tickets: TicketStore;
	readonly index: TicketIndex;
	readonly repositories: RepositoryStore;
	/** One window per account polls. The others take its results from the inbox. */
	readonly lease: WindowLease;
}

export interface AccountWatch extends Disposable {
	/** Schedules reads for the things in a delivery. Does nothing unless this window holds the lease. */
	take(family: WebhookFamily, delivery: DeliveryReading): void;
}

/** Adds an account's forge events to its inbox while this window holds the lease. */
export function accountWatch(parts: AccountWatchParts): AccountWatch {
	const owned = new Disposables();
	const openedMs = parts.clock.nowMs();
	let watching: AccountWatch | undefined;

	function follow(): void {
		if (!parts.lease.isHeld()) {
			watching?.dispose();
			watching = undefined;
			return;
		}
		// A difference from another window's read after this window opened is new.
		const readMs = parts.inbox.position(asOfPosition)?.sinceMs ?? 0;
		// A future time comes from a clock that was set back.
		const isReadSinceOpened = readMs >= openedMs && readMs <= parts.clock.nowMs();
		watching ??= watchAll({ ...parts, isReadSinceOpened });
	}

	owned.add(followElsewhere(parts));
	// The polling window reads on its own. Other windows' settings would look like changes by other people.
	owned.add(
		parts.lists.onDidSetStatus(({ ref, patchset }) => {
			if (!watching) {
				parts.inbox.add(ownStatus(parts.inbox, ref.list, patchset));
			}
		}),
	);
	owned.add(parts.lease.onDidChange(follow));
	follow();
	return {
		take: (family, delivery) => watching?.take(family, delivery),
		dispose() {
			owned.dispose();
			watching?.dispose();
		},
	};
}

function watchAll(parts: AccountWatchParts & Pick<ListWatchParts, 'isReadSinceOpened'>): AccountWatch {
	const all = new Disposables();
	const watches = {
		ticketWatch: all.add(ticketWatch({ ...parts, store: parts.tickets })),
		listWatch: all.add(listWatch(parts)),
		repositoryWatch: all.add(repositoryWatch(parts)),
	};
	const hinted = all.add(hintedReads({ ...parts, ...watches }));
	return {
		take(family, { again, push }) {
			if (family.kind === 'repository' && push) {
				watches.repositoryWatch.said(family.ref, push);
			}
			again.forEach((hint) => hinted.take(hint));
		},
		dispose: () => all.dispose(),
	};
}
