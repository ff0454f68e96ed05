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
	/** Of all windows of the account one watches, and the others see in the inbox what it finds. */
	readonly lease: WindowLease;
}

export interface AccountWatch extends Disposable {
	/** Makes what a delivery names due now, while this window is the one that watches; otherwise nothing happens. */
	take(family: WebhookFamily, delivery: DeliveryReading): void;
}

/** Brings to an account's inbox what happens on its forge, while this window is the one that watches. */
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
		// What is different now from what another window read after this one was opened happened since: it is told as new.
		const readMs = parts.inbox.position(asOfPosition)?.sinceMs ?? 0;
		// A time to come is of a clock that was set back.
		const isReadSinceOpened = readMs >= openedMs && readMs <= parts.clock.nowMs();
		watching ??= watchAll({ ...parts, isReadSinceOpened });
	}

	owned.add(followElsewhere(parts));
	// The window that watches does so by itself; to it what another window sets would look like what others set.
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
