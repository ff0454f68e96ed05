import { abortReason } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { WebhookApi } from '../../forge/forge.ts';
import type { DeliveryReading } from '../../forge/deliveryHint.ts';
import type { Problem } from '../../forge/forgeError.ts';
import type { RepositoryRef } from '../../forge/repository.ts';
import { eventGroupOf, type WebhookFamily } from '../../forge/webhook.ts';
import { catchUp } from '../background/catchUp.ts';
import type { Background } from '../background/backgroundLoop.ts';
import type { Deliveries } from '../listening/listening.ts';
import type { KeptText } from '../shared/keptText.ts';
import type { WriteJournal } from '../shared/writeJournal.ts';
import type { WindowLease } from '../watch/windowLease.ts';
import { deliveriesAgain, type SendAgain } from './deliveriesAgain.ts';
import { noTries, notRefused } from './eventTries.ts';
import { openWebhookBook } from './openWebhookBook.ts';
import type { HookPaths } from './ownAddresses.ts';
import { familiesOfAccount, watchedByAccount, type WatchedSources } from './watchedByAccount.ts';
import { wantedWebhooks, type WantedWebhooks } from './wantedWebhooks.ts';
import {
	bookedOf,
	isSameFamily,
	refusalOf,
	withAddress,
	withoutRest,
	withOtherToken,
	withSync,
	type BookedWebhook,
	type LostWebhook,
} from './webhookBook.ts';
import { webhookKeeper } from './webhookKeeper.ts';
import { removeWebhooks, type WebhookRemoval } from './webhookRemoval.ts';

/** How a webhook stands. Times are milliseconds since 1970. */
export type WebhookState =
	/** Not asked for yet, or the answer is not known. */
	| { readonly kind: 'wanted' }
	/** `verifiedMs`: when the forge last listed it. */
	| { readonly kind: 'made'; readonly id: number; readonly verifiedMs: number }
	/** The server wants none; what happens there is polled. */
	| { readonly kind: 'refused'; readonly problem: Problem; readonly againMs: number }
	/** `problem` is `undefined` where it was not the forge: what has to be kept could not be. */
	| { readonly kind: 'failed'; readonly problem: Problem | undefined; readonly againMs: number }
	/** Wanted no more, and not removed yet. */
	| { readonly kind: 'leaving' };

/** A webhook that there is, or should be. */
export interface KnownWebhook {
	readonly family: WebhookFamily;
	/** What it is asked for, or will be, without what the server refuses. */
	readonly events: readonly string[];
	/** Secret. `undefined` before it is asked for, as is its address. */
	readonly path: string | undefined;
	readonly url: string | undefined;
	readonly isSync: boolean;
	readonly state: WebhookState;
}

/** The webhooks of one account, made and removed for what it follows. The same in all windows. */
export interface AccountWebhooks extends Disposable {
	/**
	 * Where the forge reaches this machine, as `https://host/prefix` without a trailing slash; `undefined` where nobody
	 * listens: all are removed then. Before the first call nothing is done at all.
	 */
	listenAt(address: string | undefined): void;
	/** What the path of a delivery belongs to. */
	at(path: string): KnownWebhook | undefined;
	/** All, with those that are wanted and do not exist yet, and what stands in their way. */
	all(): readonly KnownWebhook[];
	/** Webhooks of tokens that are lost, and those that the forge did not let anybody remove. */
	lost(): readonly LostWebhook[];
	forgetLost(): Promise<void>;
	isSync(repository: RepositoryRef): boolean;
	/** Asked for when the webhook is made; another choice makes it anew. A repository that is not watched gets one by that. */
	setSync(repository: RepositoryRef, isSync: boolean): Promise<void>;
	/** Lists again at once what the forge has, and tries what was refused. */
	repair(): Promise<void>;
	/** The account has another token: webhooks that it does not lead to are lost, and what was refused may be taken. */
	tokenReplaced(): Promise<void>;
	/**
	 * Removes all at once, also where nothing of them is written down: at what is watched, or at all that the account is known
	 * to have, which takes a request for each thing. None are made after that, by no window, until `listenAt` is called with an
	 * address, or `repair` or `makeAgain`.
	 */
	removeAll(at: 'watched' | 'everything', signal: AbortSignal): Promise<WebhookRemoval>;
	/** They were to be removed for something that did not come to pass: what is wanted is made again, by whichever window. */
	makeAgain(): Promise<void>;
	/** What the forge has sent to webhooks, and what else it has for them. */
	readonly log: Pick<WebhookApi, 'deliveries' | 'offers'>;
	/** Asks the forge to send a delivery again, where it offers that. */
	readonly sendAgain: SendAgain;
	readonly deliveries: Deliveries;
	readonly onDidChange: Event<void>;
}

export interface AccountWebhooksParts extends WatchedSources {
	readonly api: WebhookApi;
	/** What has to be read again is due now. */
	readonly take: (family: WebhookFamily, delivery: DeliveryReading) => void;
	/** One text for all windows of the account. */
	readonly kept: KeptText;
	/** Another window has written it, or may have. */
	readonly onDidWrite: Event<void>;
	/** Of all windows one makes and removes. */
	readonly lease: WindowLease;
	readonly background: Background;
	readonly paths: HookPaths;
	readonly journal: WriteJournal;
	/** A number from 0 to 1. */
	readonly random: () => number;
	readonly clock: Clock;
}

const none: WantedWebhooks = { webhooks: [], isUnwanted: () => true };

export function accountWebhooks(parts: AccountWebhooksParts): AccountWebhooks {
	const { api, lease, background, paths, clock, tickets, lists, repositories, inbox } = parts;
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	const book = owned.add(openWebhookBook(parts));
	const watched = watchedByAccount(parts);
	const again = owned.add(deliveriesAgain(parts));
	const missed = owned.add(catchUp(background, clock));
	let listening: { readonly address: string | undefined } | undefined;
	let removals = 0;
	let leaseMs = clock.nowMs();

	const keeper = owned.add(
		webhookKeeper({
			...parts,
			book,
			address: () => listening?.address,
			wanted: () => (areNoneWanted() ? none : wantedNow()),
			isActive: () => listening !== undefined && removals === 0 && lease.isHeld(),
		}),
	);
	owned.add(lease.onDidChange(() => (leaseMs = clock.nowMs())));
	owned.add(book.onDidChange(() => changed.fire()));
	owned.add(tickets.onDidChange(({ kind }) => kind === 'trackers' && watchedOthers()));
	owned.add(lists.onDidChange(({ kind }) => kind === 'lists' && watchedOthers()));
	owned.add(repositories.onDidChange(({ kind }) => kind === 'repositories' && watchedOthers()));
	owned.add(inbox.onDidChange(({ areChoices }) => areChoices && watchedOthers()));

	function makesSinceMs(): number | undefined {
		return lease.isHeld() ? leaseMs : undefined;
	}

	function watchedOthers(): void {
		keeper.plan();
		if (listening?.address !== undefined) {
			changed.fire();
		}
	}

	function wantedNow(): WantedWebhooks {
		return wantedWebhooks(watched(), book.now().syncs);
	}

	function knownOf(booked: BookedWebhook): KnownWebhook {
		const { family, events, path, url, isSync } = booked;
		const isLeaving = listening !== undefined && (areNoneWanted() || wantedNow().isUnwanted(family));
		return { family, events, path, url, isSync, state: isLeaving ? { kind: 'leaving' } : stateOf(family, booked) };
	}

	function areNoneWanted(): boolean {
		return listening?.address === undefined || book.now().isResting;
	}

	function stateOf(family: WebhookFamily, booked: BookedWebhook | undefined): WebhookState {
		if (booked?.id !== undefined) {
			return { kind: 'made', id: booked.id, verifiedMs: booked.verifiedMs };
		}
		const refusal = refusalOf(book.now(), family);
		if (refusal) {
			return { kind: 'refused', problem: refusal.problem, againMs: refusal.againMs };
		}
		const rest = keeper.rest(family);
		return rest ? { kind: 'failed', problem: rest.problem, againMs: rest.untilMs } : { kind: 'wanted' };
	}

	/** Wanted, and nothing of it is written down yet. */
	function comingOf(family: WebhookFamily, isSync: boolean): KnownWebhook {
		const group = eventGroupOf(family);
		const events = notRefused(api.offers(family).events.all, book.now().tries[group] ?? noTries);
		return { family, events, path: undefined, url: undefined, isSync, state: stateOf(family, undefined) };
	}

	/** Waits for what is under way, so that nothing is made behind the removal. */
	async function idle(signal: AbortSignal): Promise<void> {
		await keeper.idle();
		if (signal.aborted) {
			throw abortReason(signal);
		}
	}

	return {
		listenAt(address) {
			listening = { address };
			if (address !== undefined) {
				// Another window may have removed all a moment ago, which this one has not read yet. What cannot be kept keeps
				// them from being made, and the next call tries again.
				book.change(withoutRest).catch(() => undefined);
			}
			keeper.plan();
			changed.fire();
		},
		at(path) {
			const booked = book.now().webhooks.find((each) => each.path === path);
			return booked && knownOf(booked);
		},
		all() {
			const { webhooks } = book.now();
			const wanted = areNoneWanted() ? [] : wantedNow().webhooks;
			const coming = wanted.filter(({ family }) => !bookedOf(book.now(), family));
			return [...webhooks.map(knownOf), ...coming.map(({ family, isSync }) => comingOf(family, isSync))];
		},
		lost: () => book.now().lost,
		async forgetLost() {
			await book.change((all) => ({ ...all, lost: [] }));
		},
		isSync: (ref) => book.now().syncs.some((each) => isSameFamily(each, { kind: 'repository', ref })),
		async setSync(ref, isSync) {
			await book.change((all) => withSync(all, { kind: 'repository', ref }, isSync));
		},
		repair: () => keeper.repair(),
		async tokenReplaced() {
			if (book.now().webhooks.length > 0 || book.now().refused.length > 0) {
				await book.change(withOtherToken);
			}
		},
		async removeAll(at, signal) {
			removals += 1;
			try {
				const address = listening?.address;
				await book.change((all) => ({ ...(address === undefined ? all : withAddress(all, address)), isResting: true }));
				await idle(signal);
				// What could not be removed before may be now.
				const known = [...wantedNow().webhooks, ...book.now().lost].map(({ family }) => family);
				const families = at === 'watched' ? known : [...known, ...familiesOfAccount(parts)];
				return await removeWebhooks({ api, book, families, address, paths, makesSinceMs, clock }, signal);
			} finally {
				removals -= 1;
				keeper.forgetSeen();
				keeper.plan();
			}
		},
		async makeAgain() {
			await book.change(withoutRest);
			keeper.plan();
		},
		log: api,
		sendAgain: again.send,
		deliveries: {
			read: (family, delivery) => api.readDelivery(family, delivery?.event ?? '', delivery?.body ?? new Uint8Array()),
			take: parts.take,
			missed: () => missed.begin(),
		},
		onDidChange: changed.event,
		dispose: () => owned.dispose(),
	};
}
