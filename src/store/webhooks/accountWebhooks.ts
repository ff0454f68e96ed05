import { abortReason } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables, onDispose, type Disposable } from '@forge-desk/base/lifecycle.ts';
import type { DeliveryReading } from 'sourcehut/port/deliveryHint.ts';
import type { Problem } from 'sourcehut/port/forgeError.ts';
import { eventGroupOf, type WebhookFamily } from 'sourcehut/port/webhook.ts';
import type { Delivery } from '../listening/openedListener.ts';
import {
	noTries,
	notRefused,
	bookedOf,
	openWebhookBook,
	refusalOf,
	withAddress,
	withoutRest,
	withOtherToken,
	type BookedWebhook,
} from './webhookBook.ts';
import { familiesOfAccount, wantedWebhooks, type WantedWebhooks, type WebhooksContext } from './wantedWebhooks.ts';
import { webhookKeeper } from './webhookKeeper.ts';
import { removeWebhooks } from './webhookRemoval.ts';
import type { Background } from '../background/backgroundLoop.ts';

/** State of a webhook. Times are milliseconds since 1970. */
export type WebhookState =
	/** Not requested yet, or the response is unknown. */
	| { readonly kind: 'wanted' }
	/** `verifiedMs`: when the forge last listed it. */
	| { readonly kind: 'made'; readonly id: number; readonly verifiedMs: number }
	/** The server rejects it; polling covers the thing. */
	| { readonly kind: 'refused'; readonly problem: Problem; readonly againMs: number }
	/** `problem` is `undefined` for a local failure: the book could not be written. */
	| { readonly kind: 'failed'; readonly problem: Problem | undefined; readonly againMs: number }
	/** No longer wanted, removal pending. */
	| { readonly kind: 'leaving' };

/** An existing or wanted webhook. */
export interface KnownWebhook {
	readonly family: WebhookFamily;
	/** Current or planned events, without events that the server rejects. */
	readonly events: readonly string[];
	/** Secret. `undefined` before the request, like the URL. */
	readonly path: string | undefined;
	readonly url: string | undefined;
	readonly state: WebhookState;
}

const none: WantedWebhooks = { families: [], isUnwanted: () => true };

/** Creates and removes the webhooks for the things that one account watches. All windows share them. */
export type AccountWebhooks = ReturnType<typeof accountWebhooks>;

export function accountWebhooks(context: WebhooksContext) {
	const { api, lease, background, clock, tickets, lists, repositories, inbox } = context;
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	const book = owned.add(openWebhookBook(context.kept, context.onDidWrite));
	const missed = owned.add(catchUp(background, clock));
	let listening: { readonly address: string | undefined } | undefined;
	let removals = 0;
	let leaseMs = clock.nowMs();

	const keeper = owned.add(
		webhookKeeper(
			context,
			book,
			() => listening?.address,
			() => (areNoneWanted() ? none : wantedNow()),
			() => listening !== undefined && removals === 0 && lease.isOwner(),
		),
	);
	owned.add(lease.onDidChange(() => (leaseMs = clock.nowMs())));
	owned.add(book.onDidChange(() => changed.fire()));
	owned.add(tickets.onDidChange(({ kind }) => kind === 'trackers' && watchedOthers()));
	owned.add(lists.onDidChange(({ kind }) => kind === 'lists' && watchedOthers()));
	owned.add(repositories.onDidChange(({ kind }) => kind === 'repositories' && watchedOthers()));
	owned.add(inbox.onDidChange(({ areChoices }) => areChoices && watchedOthers()));

	function makesSinceMs(): number | undefined {
		return lease.isOwner() ? leaseMs : undefined;
	}

	function watchedOthers(): void {
		keeper.plan();
		if (listening?.address !== undefined) {
			changed.fire();
		}
	}

	function wantedNow(): WantedWebhooks {
		return wantedWebhooks(context);
	}

	function knownOf(booked: BookedWebhook): KnownWebhook {
		const { family, events, path, url } = booked;
		const isLeaving = listening !== undefined && (areNoneWanted() || wantedNow().isUnwanted(family));
		return { family, events, path, url, state: isLeaving ? { kind: 'leaving' } : stateOf(family, booked) };
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

	/** Waits for pending requests, so that none creates a webhook after the removal. */
	async function idle(signal: AbortSignal): Promise<void> {
		await keeper.idle();
		if (signal.aborted) {
			throw abortReason(signal);
		}
	}

	return {
		/**
		 * Base URL of the listener, such as `https://host/prefix` without a trailing slash; `undefined` without a listener:
		 * then all webhooks go. Nothing happens before the first call.
		 */
		listenAt(address: string | undefined) {
			listening = { address };
			if (address !== undefined) {
				// Another window may have just removed all, and this window hasn't read that yet. If the write fails,
				// no webhooks appear, and the next call retries.
				book.change(withoutRest).catch(() => undefined);
				keeper.retry();
			}
			keeper.plan();
			changed.fire();
		},
		/** The webhook for a delivery's path. */
		at(path: string) {
			const booked = book.now().webhooks.find((each) => each.path === path);
			return booked && knownOf(booked);
		},
		/** Includes wanted webhooks that don't exist yet, with the problem. */
		all(): readonly KnownWebhook[] {
			const { webhooks } = book.now();
			const wanted = areNoneWanted() ? [] : wantedNow().families;
			const coming = wanted
				.filter((family) => !bookedOf(book.now(), family))
				.map((family): KnownWebhook => {
					const tries = book.now().tries[eventGroupOf(family)] ?? noTries;
					const events = notRefused(api.offers(family).events.all, tries);
					return { family, events, path: undefined, url: undefined, state: stateOf(family, undefined) };
				});
			return [...webhooks.map(knownOf), ...coming];
		},
		/** Webhooks of lost tokens, and webhooks that the forge refuses to remove. */
		lost: () => book.now().lost,
		async forgetLost() {
			await book.change((all) => ({ ...all, lost: [] }));
		},
		/** Lists all webhooks of the forge now, and retries rejected ones. */
		repair: () => keeper.repair(),
		/** The account has a new token. Webhooks outside its reach are lost, and rejected webhooks may succeed. */
		async tokenReplaced() {
			keeper.retry();
			if (book.now().webhooks.length > 0 || book.now().refused.length > 0) {
				await book.change(withOtherToken);
			}
		},
		/**
		 * Removes all webhooks now, including unrecorded ones. It searches the watched things, or everything known of the
		 * account, with one request each. No window creates any until `listenAt` with an address, `repair` or `makeAgain`.
		 */
		async removeAll(at: 'watched' | 'everything', signal: AbortSignal) {
			removals += 1;
			try {
				const address = listening?.address;
				await book.change((all) => ({ ...(address === undefined ? all : withAddress(all, address)), isResting: true }));
				await idle(signal);
				// Retries earlier failed removals, too.
				const known = [...wantedNow().families, ...book.now().lost.map(({ family }) => family)];
				const families = at === 'watched' ? known : [...known, ...familiesOfAccount(context)];
				return await removeWebhooks(context, book, families, { address, makesSinceMs }, signal);
			} finally {
				removals -= 1;
				keeper.forgetSeen();
				keeper.plan();
			}
		},
		/** Ends the pause after `removeAll` if the action behind it was cancelled. Any window may recreate the webhooks. */
		async makeAgain() {
			await book.change(withoutRest);
			keeper.plan();
		},
		deliveries: {
			read: (family: WebhookFamily, delivery: Delivery | undefined): DeliveryReading =>
				api.readDelivery(family, delivery?.event ?? '', delivery?.body ?? new Uint8Array()),
			take: context.take,
			missed: () => missed.begin(),
		},
		onDidChange: changed.event,
		dispose: () => owned.dispose(),
	};
}

const lentMs = 2 * 60_000;

/** Polls for missed deliveries. */
export function catchUp({ loop, budget }: Background, clock: Clock) {
	let lent: Disposable | undefined;

	function lend(): Disposable {
		const room = budget.lend();
		const timer = clock.after(lentMs, end);
		return onDispose(() => {
			timer.dispose();
			room.dispose();
		});
	}

	function end(): void {
		lent?.dispose();
		lent = undefined;
	}

	return {
		/** Makes everything due now. For two minutes, polls may also spend the budget share of deliveries. */
		begin() {
			end();
			lent = lend();
			loop.hurry();
		},
		dispose: end,
	};
}
