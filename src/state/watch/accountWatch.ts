import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { TicketIndex } from '../tickets/index/ticketIndexer.ts';
import type { TicketStore } from '../tickets/ticketStore.ts';
import type { RepositoryStore } from '../repositories/repositoryStore.ts';
import { followElsewhere } from './followElsewhere.ts';
import { listWatch, type ListWatchParts } from './listWatch.ts';
import { repositoryWatch } from './repositoryWatch.ts';
import { ticketWatch } from './ticketWatch.ts';
import type { WindowLease } from './windowLease.ts';

export interface AccountWatchParts extends ListWatchParts {
	readonly tickets: TicketStore;
	readonly index: TicketIndex;
	readonly repositories: RepositoryStore;
	/** Of all windows of the account one watches, and the others see in the inbox what it finds. */
	readonly lease: WindowLease;
}

/** Brings to an account's inbox what happens on its forge, while this window is the one that watches. */
export function accountWatch(parts: AccountWatchParts): Disposable {
	const owned = new Disposables();
	let watching: Disposable | undefined;

	function follow(): void {
		if (!parts.lease.isHeld()) {
			watching?.dispose();
			watching = undefined;
			return;
		}
		watching ??= watchAll(parts);
	}

	owned.add(followElsewhere(parts));
	owned.add(parts.lease.onDidChange(follow));
	follow();
	return {
		dispose() {
			owned.dispose();
			watching?.dispose();
		},
	};
}

function watchAll(parts: AccountWatchParts): Disposable {
	const all = new Disposables();
	all.add(ticketWatch({ ...parts, store: parts.tickets }));
	all.add(listWatch(parts));
	all.add(repositoryWatch(parts));
	return all;
}
