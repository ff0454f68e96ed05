import type { Clock } from '../../base/clock.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { Background, BackgroundTask } from '../background/backgroundLoop.ts';
import { budgetedTask } from '../background/budgetedTask.ts';
import type { Inbox } from '../inbox/inbox.ts';
import { thingKey, type InboxEntry } from '../inbox/inboxEntry.ts';
import type { ListStore } from '../lists/listStore.ts';
import type { RepositoryStore } from '../repositories/repositoryStore.ts';
import type { TicketStore } from '../tickets/ticketStore.ts';

export interface FollowElsewhereParts {
	readonly tickets: Pick<TicketStore, 'knownTicket' | 'knownEvents' | 'renewTicket' | 'rereadEvents'>;
	readonly lists: Pick<ListStore, 'apply' | 'knownPatchset' | 'knownPosts' | 'mail' | 'renewPatchset' | 'newest'>;
	readonly repositories: Pick<RepositoryStore, 'apply'>;
	readonly inbox: Inbox;
	readonly background: Background;
	readonly clock: Clock;
}

/** Somebody may look at it now. */
const share = 1;

/**
 * What another window found is read here as well where this window shows it: what is known here of a ticket, a list or a
 * repository is not older than what the inbox says of it. What this window does not know is read when somebody looks.
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
	/** By thing: of several entries of a ticket one reading is enough. A mail is one by itself. */
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
						// The window that found it has just had answers.
						isApart: false,
						async read(signal) {
							background.budget.spend();
							await read(signal);
							done(key, read);
						},
						// What is refused is shown as it was; somebody who looks is told why.
						failed: () => done(key, read),
					}),
				),
			hurry: () => undefined,
			clockWentBack: () => undefined,
		}),
	);

	/** What was found of it while it was read is read once more. */
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
				// What nobody shows is not asked for by that.
				return repositories.apply({ kind: 'referencesMoved', ref: thing.ref });
			case 'thread':
			case 'patchset': {
				const list = thing.kind === 'thread' ? thing.list : thing.ref.list;
				if (event.kind === 'mailArrived' && lists.knownPosts(list)) {
					// The window that found it has read it, so that it is on the disk in most cases.
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
