import type { Clock } from '../../base/clock.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { DeliveryReading } from '../../forge/port/deliveryHint.ts';
import type { WebhookFamily } from '../../forge/port/webhook.ts';
import type { Background, BackgroundTask } from '../background/backgroundLoop.ts';
import { budgetedTask } from '../background/budgetedTask.ts';
import type { Inbox } from '../inbox/inbox.ts';
import { asOfPosition } from '../inbox/inboxBook.ts';
import { thingKey, type InboxEntry } from '../inbox/inboxEntry.ts';
import type { ListStore } from '../lists/listStore.ts';
import type { RepositoryStore } from '../repositories/repositoryStore.ts';
import type { TicketIndex } from '../tickets/index/ticketIndexer.ts';
import type { TicketStore } from '../tickets/ticketStore.ts';
import { hintedReads } from './hintedReads.ts';
import { listWatch, type ListWatchParts } from './listWatch.ts';
import { ownStatus } from './patchsetNews.ts';
import { repositoryWatch } from './repositoryWatch.ts';
import { ticketWatch } from './ticketWatch.ts';
import type { WindowLease } from './windowLease.ts';

/** The user may be looking. */
const share = 1;

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

interface FollowElsewhereParts {
	readonly tickets: Pick<TicketStore, 'knownTicket' | 'knownEvents' | 'renewTicket' | 'rereadEvents'>;
	readonly lists: Pick<ListStore, 'apply' | 'knownPatchset' | 'knownPosts' | 'mail' | 'renewPatchset' | 'newest'>;
	readonly repositories: RepositoryStore;
	readonly inbox: Inbox;
	readonly background: Background;
	readonly clock: Clock;
}

/**
 * Repeats another window's reads for the things that this window shows, so both agree with the inbox. Other things load
 * when the user opens them.
 */
export function followElsewhere({
	tickets,
	lists,
	repositories,
	inbox,
	background,
	clock,
}: FollowElsewhereParts): Disposable {
	const owned = new Disposables();
	/** By thing: several entries of a ticket need one read. Each mail is a thing. */
	const waiting = new Map<string, BackgroundTask['read']>();

	owned.add(
		inbox.onDidChange(({ foundElsewhere }) => {
			foundElsewhere.forEach(({ entry }) => note(entry));
			background.loop.plan();
		}),
	);
	owned.add(
		background.loop.add({
			tasks: (times) =>
				[...waiting].map(([key, read]) =>
					budgetedTask(times, {
						budget: background.budget,
						share,
						wishedMs: clock.nowMs(),
						// The other window has just reached the forge.
						isApart: false,
						async read(signal) {
							background.budget.spend();
							await read(signal);
							done(key, read);
						},
						// A refused read leaves the old state. Opening the thing shows the error.
						failed: () => done(key, read),
					}),
				),
			hurry: () => undefined,
			clockWentBack: () => undefined,
		}),
	);

	/** News during a read leads to another read. */
	function done(key: string, read: BackgroundTask['read']): void {
		if (waiting.get(key) === read) {
			waiting.delete(key);
		}
	}

	function note({ thing, event }: InboxEntry): void {
		const key = thingKey(thing);
		switch (thing.kind) {
			case 'ticket': {
				const { ref } = thing;
				if (tickets.knownEvents(ref)) {
					waiting.set(`${key} timeline`, async (signal) => void (await tickets.rereadEvents(ref, 'renew', signal)));
				}
				if (tickets.knownTicket(ref)) {
					waiting.set(key, async (signal) => void (await tickets.renewTicket(ref, signal)));
				}
				return;
			}
			case 'repository':
				// Costs no request unless a view shows it.
				return repositories.apply({ kind: 'referencesMoved', ref: thing.ref });
			case 'thread':
			case 'patchset': {
				const list = thing.kind === 'thread' ? thing.list : thing.ref.list;
				if (event.kind === 'mailArrived' && lists.knownPosts(list)) {
					// The other window has read the mail, so the disk usually has it.
					waiting.set(`mail ${event.mailId}`, async (signal) =>
						lists.apply({ kind: 'mailArrived', list, mail: await lists.mail(event.mailId, signal) }),
					);
				}
				if (thing.kind === 'patchset' && event.kind !== 'mailArrived') {
					const { ref } = thing;
					waiting.set(key, (signal) =>
						lists.knownPatchset(ref)
							? lists.renewPatchset(ref, signal).then(() => undefined)
							: lists.knownPosts(list)
								? lists.newest.reread(list, 'patchsets', () => undefined, signal)
								: Promise.resolve(),
					);
				}
			}
		}
	}

	return owned;
}
