import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter, type Event } from '@forge-desk/base/event.ts';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { backgroundLoop, type Background, type Presence } from '../../src/store/background/backgroundLoop.ts';
import { requestBudget } from '../../src/store/background/requestBudget.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import { openInbox, type Inbox } from '../../src/store/inbox/inbox.ts';
import type { ListStore } from '../../src/store/lists/listStore.ts';
import type { PersonStore } from '../../src/store/people/knownPeople.ts';
import type { RepositoryStore } from '../../src/store/repositories/repositoryStore.ts';
import type { KeptText } from '../../src/store/shared/keptText.ts';
import { ticketIndexer } from '../../src/store/tickets/index/ticketIndexer.ts';
import { TicketStore } from '../../src/store/tickets/ticketStore.ts';
import { accountWatch } from '../../src/store/watch/accountWatch.ts';
import { watchReadings, type WatchReadings } from '../../src/store/watch/watchReadings.ts';
import { windowLease, type WindowLease } from '../../src/store/watch/windowLease.ts';
import { keptNames } from './fakeConnection.ts';
import { listConnection } from './fakeLists.ts';
import { fake } from './fake.ts';
import { fakeStore } from './fakeRepositories.ts';
import { heldLease } from './heldLease.ts';
import { keptInMemory } from './keptInMemory.ts';
import type { WatchedForge } from './watchedForge.ts';

/** Resources that alice follows, as `~owner/name`. */
export interface FollowedNames {
	readonly trackers?: readonly string[];
	readonly lists?: readonly string[];
	readonly repositories?: readonly string[];
}

export interface WatchingWindowParts {
	readonly forge: Pick<WatchedForge, 'trackers' | 'lists' | 'repositories'>;
	/** `~name` of the account; default alice. */
	readonly me?: OwnerName;
	readonly clock: Clock;
	readonly followed?: FollowedNames;
	/** Hourly limit of requests. */
	readonly perHour: number;
	/** Shared state of several windows; without it this window is alone and watches. */
	readonly shared?: {
		readonly inbox: KeptText;
		readonly lease: KeptText;
		readonly onDidWrite: Event<void>;
		/** Name of this window. */
		readonly name: string;
	};
	/** Overrides the lease: whether this window watches. */
	readonly lease?: WindowLease;
	readonly random?: () => number;
	/** User presence; by default always present. */
	readonly presence?: Presence;
}

/** The inbox watch of a window of alice. */
export interface WatchingWindow extends Disposable {
	readonly inbox: Inbox;
	readonly tickets: TicketStore;
	readonly lists: ListStore;
	readonly repositories: RepositoryStore;
	readonly watch: ReturnType<typeof accountWatch>;
	readonly readings: WatchReadings;
	readonly background: Background;
}

const alwaysThere: Presence = { isThere: () => true, onDidChange: new Emitter<void>().event };

/** Opens a window with the real watch and stores, and a permanent user by default. */
export function watchingWindow({
	forge,
	me = '~alice',
	clock,
	followed = {},
	perHour,
	shared,
	lease,
	random = () => 0.5,
	presence = alwaysThere,
}: WatchingWindowParts): WatchingWindow {
	const owned = new Disposables();
	const budget = requestBudget(() => perHour, clock);
	const tickets = owned.add(
		new TicketStore({
			api: forge.trackers.api,
			me,
			followed: keptNames(...(followed.trackers ?? [])),
			clock,
			asks: () => budget.spend(),
		}),
	);
	const loop = owned.add(backgroundLoop(presence, budget, clock));
	const background = { loop, budget };
	const index = owned.add(ticketIndexer(tickets, clock, background, random, 0));
	const mails = listConnection(forge.lists.api, me, keptNames(...(followed.lists ?? [])), forge.lists.world.users);
	const { lists, texts, reviews } = mails;
	const people = profileTold(mails.people, forge);
	const repositories = owned.add(
		fakeStore(forge.repositories, { followed: keptNames(...(followed.repositories ?? [])) }),
	);
	const inbox = owned.add(
		openInbox(shared?.inbox ?? keptInMemory(), shared?.onDidWrite ?? new Emitter<void>().event, clock),
	);
	const held = leaseOf({ shared, lease }, presence, clock, owned);
	const readings = owned.add(watchReadings(background, clock));
	const parts = { tickets, index, lists, texts, reviews, people, repositories, inbox, background, readings, clock };
	const watch = owned.add(accountWatch({ ...parts, me, random }, held));
	return { inbox, tickets, lists, repositories, watch, readings, background, dispose: () => owned.dispose() };
}

/** Adds profile requests to the calls of the fake. */
function profileTold(people: PersonStore, { lists }: WatchingWindowParts['forge']): PersonStore {
	return fake<PersonStore>({
		ownProfile(signal) {
			lists.world.calls.push('profile');
			return people.ownProfile(signal);
		},
	});
}

/** The given lease. Windows with shared state compete for one, each with a handle in `owned`. */
function leaseOf(
	{ shared, lease }: { readonly [K in 'shared' | 'lease']: WatchingWindowParts[K] | undefined },
	presence: Presence,
	clock: Clock,
	owned: Disposables,
): WindowLease {
	const isThere = (): boolean => presence.isThere();
	return shared ? owned.add(windowLease(shared.lease, shared.name, isThere, clock)) : (lease ?? heldLease);
}
