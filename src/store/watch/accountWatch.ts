import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import type { DeliveryReading } from 'sourcehut/port/deliveryHint.ts';
import type { ContentArea } from 'sourcehut/port/instance.ts';
import type { WebhookFamily } from 'sourcehut/port/webhook.ts';
import type { BackgroundTask } from '../background/backgroundLoop.ts';
import { asOfPosition } from '../inbox/inboxBook.ts';
import { thingKey, type InboxEntry } from '../inbox/inboxEntry.ts';
import { hintedReads } from './hintedReads.ts';
import { listWatch } from './listWatch.ts';
import { ownStatus } from './patchsetNews.ts';
import { repositoryWatch } from './repositoryWatch.ts';
import { ticketWatch } from './ticketWatch.ts';
import type { WatchContext } from './watchContext.ts';
import type { WindowLease } from './windowLease.ts';

/** The user may be looking. */
const share = 1;

/**
 * Adds an account's forge events to its inbox while this window holds the lease. The other windows take its results
 * from the inbox.
 */
export function accountWatch(context: WatchContext, lease: WindowLease) {
	const { inbox, lists, clock } = context;
	const owned = new Disposables();
	const openedMs = clock.nowMs();
	let watching: ReturnType<typeof watchAll> | undefined;

	function follow(): void {
		if (!lease.isOwner()) {
			watching?.dispose();
			watching = undefined;
			return;
		}
		// A difference from another window's read after this window opened is new.
		const readMs = inbox.position(asOfPosition)?.sinceMs ?? 0;
		// A future time comes from a clock that was set back.
		const isReadSinceOpened = readMs >= openedMs && readMs <= clock.nowMs();
		watching ??= watchAll(context, isReadSinceOpened);
	}

	owned.add(followElsewhere(context));
	// The polling window reads on its own. Other windows' settings would look like changes by other people.
	owned.add(
		lists.onDidSetStatus(({ ref, patchset }) => {
			if (!watching) {
				inbox.add(ownStatus(inbox, ref.list, patchset));
			}
		}),
	);
	owned.add(lease.onDidChange(follow));
	follow();
	return {
		/** Schedules reads for the things in a delivery. Does nothing unless this window holds the lease. */
		take: (family: WebhookFamily, delivery: DeliveryReading) => watching?.take(family, delivery),
		dispose() {
			owned.dispose();
			watching?.dispose();
		},
	};
}

function watchAll(context: WatchContext, isReadSinceOpened: boolean) {
	const all = new Disposables();
	const tickets = all.add(ticketWatch(context));
	const lists = all.add(listWatch(context, isReadSinceOpened));
	const repositories = all.add(repositoryWatch(context, isReadSinceOpened));
	const hinted = all.add(hintedReads(context, tickets, lists, repositories));
	return {
		take(family: WebhookFamily, { again, push }: DeliveryReading) {
			if (family.kind === 'repository' && push) {
				repositories.said(family.ref, push);
			}
			again.forEach((hint) => hinted.take(hint));
		},
		dispose: () => all.dispose(),
	};
}

/**
 * Repeats another window's reads for the things that this window shows, so both agree with the inbox. Other things load
 * when the user opens them.
 */
export function followElsewhere(context: WatchContext): Disposable {
	const { tickets, lists, repositories, inbox, background, clock } = context;
	const owned = new Disposables();
	/** By thing: several entries of a ticket need one read. Each mail is a thing. */
	const waiting = new Map<string, Pick<BackgroundTask, 'area' | 'read'>>();

	owned.add(
		inbox.onDidChange(({ foundElsewhere }) => {
			foundElsewhere.forEach(({ entry }) => note(entry));
			background.loop.plan();
		}),
	);
	owned.add(
		background.loop.add({
			tasks: () =>
				[...waiting].map(([key, { area, read }]) => ({
					dueMs: clock.nowMs(),
					share,
					area,
					async read(signal) {
						background.budget.spend();
						await read(signal);
						done(key, read);
					},
					// A refused read leaves the old state. Opening the thing shows the error.
					failed: () => done(key, read),
				})),
		}),
	);

	/** News during a read leads to another read. */
	function done(key: string, read: BackgroundTask['read']): void {
		if (waiting.get(key)?.read === read) {
			waiting.delete(key);
		}
	}

	function wait(key: string, area: ContentArea, read: BackgroundTask['read']): void {
		waiting.set(key, { area, read });
	}

	function note({ thing, event }: InboxEntry): void {
		const key = thingKey(thing);
		switch (thing.kind) {
			case 'ticket': {
				const { ref } = thing;
				if (tickets.knownEvents(ref)) {
					wait(`${key} timeline`, 'todo', async (signal) => void (await tickets.rereadEvents(ref, 'renew', signal)));
				}
				if (tickets.knownTicket(ref)) {
					wait(key, 'todo', async (signal) => void (await tickets.renewTicket(ref, signal)));
				}
				return;
			}
			case 'repository':
				// Costs no request unless a view shows it.
				return repositories.apply({ kind: 'referencesMoved', ref: thing.ref });
			case 'thread':
			case 'patchset': {
				const list = thing.kind === 'thread' ? thing.list : thing.ref.list;
				if (event.kind === 'mailArrived' && lists.posts(list).known()) {
					// The other window has read the mail, so the disk usually has it.
					wait(`mail ${event.mailId}`, 'lists', async (signal) =>
						lists.apply({ kind: 'mailArrived', list, mail: await lists.mails.mail(event.mailId, signal) }),
					);
				}
				if (thing.kind === 'patchset' && event.kind !== 'mailArrived') {
					const { ref } = thing;
					wait(key, 'lists', (signal) =>
						lists.knownPatchset(ref)
							? lists.renewPatchset(ref, signal).then(() => undefined)
							: lists.posts(list).known()
								? lists.newest.reread(list, 'patchsets', () => undefined, signal)
								: Promise.resolve(),
					);
				}
			}
		}
	}

	return owned;
}
