import assert from 'node:assert/strict';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { WebhookApi } from 'sourcehut/port/forge.ts';
import type { ListRef, MailingList, Subscription } from 'sourcehut/port/list.ts';
import type { Repository, RepositoryRef } from 'sourcehut/port/repository.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import { ownHookPaths } from '../../src/machine/listener/hookPath.ts';
import { requestBudget } from '../../src/store/background/requestBudget.ts';
import { backgroundLoop } from '../../src/store/background/backgroundLoop.ts';
import { openInbox, type Inbox } from '../../src/store/inbox/inbox.ts';
import type { ListStore } from '../../src/store/lists/listStore.ts';
import type { Listing } from '../../src/store/shared/listing.ts';
import type { ListStoreChange } from '../../src/store/lists/listChange.ts';
import type { RepositoryStoreChange } from '../../src/store/repositories/repositoryChange.ts';
import type { RepositoryStore } from '../../src/store/repositories/repositoryStore.ts';
import type { FollowedRefs } from '../../src/store/shared/followedRefs.ts';
import type { PagedList } from '../../src/store/shared/pagedList.ts';
import type { KeptText } from '../../src/store/shared/keptText.ts';
import type { TicketIndex } from '../../src/store/tickets/index/ticketIndexer.ts';
import type { TicketStore } from '../../src/store/tickets/ticketStore.ts';
import type { TicketStoreChange } from '../../src/store/tickets/ticketChange.ts';
import type { WebhooksContext } from '../../src/store/webhooks/wantedWebhooks.ts';
import { windowLease, type WindowLease } from '../../src/store/watch/windowLease.ts';
import { accountWebhooks, type AccountWebhooks } from '../../src/store/webhooks/accountWebhooks.ts';
import type { HookPaths, WebhookBook } from '../../src/store/webhooks/webhookBook.ts';
import { fake } from './fake.ts';
import { fakeClock } from './fakeClock.ts';
import { bookIn, fakeWebhooks } from './fakeWebhooks.ts';
import { heldLease } from './heldLease.ts';
import { keptInMemory } from './keptInMemory.ts';
import { makeList } from './makeMail.ts';

export const address = 'https://desk.example/hooks';

/** A forge with webhooks, a disk, and one account with its follows in several windows. */
export class WebhookWorld {
	readonly clock = fakeClock();
	readonly forge = fakeWebhooks();
	readonly kept = keptInMemory();
	/** `full`: writes fail. `unsure`: writes succeed, but flushing fails. `unreadable`: reads fail. */
	disk: 'good' | 'full' | 'unsure' | 'unreadable' = 'good';
	readonly inbox: Inbox;
	trackers: readonly TrackerRef[] = [];
	lists: readonly ListRef[] = [];
	repositories: readonly RepositoryRef[] = [];
	ownRepositories: readonly Repository[] = [];
	/** True before the reads that reveal unfollowed trackers and lists. */
	isReading = false;
	readonly #leaseText = keptInMemory();
	readonly #written = new Emitter<void>();
	readonly #trackersChanged = new Emitter<TicketStoreChange>();
	readonly #listsChanged = new Emitter<ListStoreChange>();
	readonly #repositoriesChanged = new Emitter<RepositoryStoreChange>();
	#opened = 0;
	#made = 0;

	readonly #api: WebhookApi;

	readonly #paths: HookPaths;

	/** `api`: replaces the fake forge's API. `computer`: name of the computer with all windows. */
	constructor(api?: WebhookApi, computer = 'one') {
		this.#api = api ?? this.forge.api;
		this.#paths = ownHookPaths(computer, () => this.#nextBytes());
		this.inbox = openInbox(keptInMemory(), new Emitter<void>().event, this.clock);
	}

	/** A hook URL of this computer without a record. */
	forgottenUrl(): string {
		return `${address}${this.#paths.create()}`;
	}

	book(): WebhookBook {
		return bookIn(this.kept.read());
	}

	/** Replaces the followed resources. */
	follow(what: { trackers?: readonly string[]; lists?: readonly string[]; repositories?: readonly string[] }): void {
		const refs = (names: readonly string[]): readonly TrackerRef[] =>
			names.map((name) => ({ owner: name.split('/')[0] ?? '', name: name.split('/')[1] ?? '' }));
		this.trackers = what.trackers ? refs(what.trackers) : this.trackers;
		this.lists = what.lists ? refs(what.lists) : this.lists;
		this.repositories = what.repositories ? refs(what.repositories) : this.repositories;
		this.#trackersChanged.fire({ kind: 'trackers' });
		this.#listsChanged.fire({ kind: 'lists' });
		this.#repositoriesChanged.fire({ kind: 'repositories' });
	}

	async pass(totalMs: number, stepMs = 5000): Promise<void> {
		for (let passedMs = 0; passedMs < totalMs; passedMs += stepMs) {
			this.clock.advance(stepMs);
			this.#written.fire();
			await turns();
		}
	}

	/** `lease`: `alone` for a window that believes it holds the lease. */
	open(lease: 'shared' | 'alone' | WindowLease = 'shared'): WebhookWindow {
		this.#opened += 1;
		let isDead = false;
		const disk = (): WebhookWorld['disk'] => this.disk;
		const clock: Clock = {
			nowMs: () => this.clock.nowMs(),
			after: (delayMs, work) => this.clock.after(delayMs, () => isDead || work()),
		};
		const alive = (kept: KeptText): KeptText => ({
			read: () => (disk() === 'unreadable' ? assert.fail('EIO') : kept.read()),
			async write(text) {
				assert.ok(!isDead, 'The process is gone');
				assert.notEqual(disk(), 'full', 'ENOSPC');
				await kept.write(text);
				assert.notEqual(disk(), 'unsure', 'EIO');
			},
		});
		const written = new Emitter<void>();
		this.#written.event(() => isDead || written.fire());
		const owned = new Disposables();
		const presence = { isThere: () => true, onDidChange: new Emitter<void>().event };
		const budget = requestBudget(() => 300, clock);
		const loop = owned.add(backgroundLoop(presence, budget, clock));
		let hurried = 0;
		owned.add(loop.add({ tasks: () => [], hurry: () => (hurried += 1) }));
		const held: WindowLease =
			lease === 'alone'
				? heldLease
				: lease !== 'shared'
					? lease
					: owned.add(windowLease(alive(this.#leaseText), `window ${this.#opened}`, () => true, clock));
		const webhooks = owned.add(
			accountWebhooks(
				fake<WebhooksContext>({
					me: '~alice',
					api: this.#api,
					take: () => undefined,
					kept: alive(this.kept),
					onDidWrite: written.event,
					tickets: fake<TicketStore>({
						knowsAllTrackers: () => !this.isReading,
						onDidChange: this.#trackersChanged.event,
					}),
					index: fake<TicketIndex>({ trackers: () => this.trackers }),
					lists: fake<ListStore>({
						collection: fake<ListStore['collection']>({
							own: fake<PagedList<MailingList>>({
								known: () => this.#listing(this.lists.map((ref) => listOf(ref))),
							}),
							subscriptions: fake<PagedList<Subscription>>({ known: () => this.#listing([]) }),
							followed: fake<FollowedRefs>({ all: () => [] }),
							oldest: () => undefined,
						}),
						onDidChange: this.#listsChanged.event,
					}),
					repositories: fake<RepositoryStore>({
						followed: fake<FollowedRefs>({ all: () => this.repositories }),
						own: fake<PagedList<Repository>>({
							known: () => ({ items: this.ownRepositories, completeness: { kind: 'complete' } }),
						}),
						onDidChange: this.#repositoriesChanged.event,
					}),
					inbox: this.inbox,
					lease: held,
					background: {
						loop,
						budget,
					},
					paths: this.#paths,
					random: () => 0.5,
					clock,
				}),
			),
		);
		return {
			webhooks,
			hurried: () => hurried,
			end(isKilled = false) {
				isDead = isKilled;
				owned.dispose();
				isDead = true;
			},
		};
	}

	/** Unique, and reproducible between runs. */
	#listing<T>(items: readonly T[]): Listing<T> | undefined {
		return this.isReading ? undefined : { items, completeness: { kind: 'complete' } };
	}

	#nextBytes(): Uint8Array {
		this.#made += 1;
		const bytes = new Uint8Array(32);
		new DataView(bytes.buffer).setUint32(28, this.#made);
		return bytes;
	}
}

export interface WebhookWindow {
	readonly webhooks: AccountWebhooks;
	/** Number of times that all background reads became due. */
	hurried(): number;
	/** A killed window stops writing and receives no events. */
	end(isKilled?: boolean): void;
}

function listOf({ owner, name }: ListRef): ReturnType<typeof makeList> {
	return makeList({ name, owner: { canonicalName: owner, name: owner.slice(1) } });
}

export async function turns(): Promise<void> {
	for (let turn = 0; turn < 12; turn += 1) {
		await new Promise((resolve) => setImmediate(resolve));
	}
}
