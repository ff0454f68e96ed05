import { isAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { WebhookApi } from '../../forge/forge.ts';
import { eventGroupOf, webhookFamilyKey, type Webhook, type WebhookFamily } from '../../forge/webhook.ts';
import type { Background, BackgroundTask, BackgroundTimes } from '../background/backgroundLoop.ts';
import type { WindowLease } from '../watch/windowLease.ts';
import { noTries, notRefused, triesAt, type EventTries } from './eventTries.ts';
import type { OpenWebhookBook } from './openWebhookBook.ts';
import type { HookPaths } from './ownAddresses.ts';
import type { WantedWebhooks } from './wantedWebhooks.ts';
import {
	bookedOf,
	isSameFamily,
	refusalOf,
	withNothingVerified,
	type BookedWebhook,
	type RefusedFamily,
	type WebhookBook,
} from './webhookBook.ts';
import { webhookRequests, type FamilyView } from './webhookRequests.ts';
import { webhookRests, type WebhookRest } from './webhookRests.ts';
import { webhookStep, type FamilyWish, type WebhookStep } from './webhookStep.ts';

export interface WebhookKeeperParts {
	readonly api: Pick<WebhookApi, 'webhooks' | 'webhook' | 'create' | 'remove' | 'offers'>;
	readonly book: OpenWebhookBook;
	/** What should be there now; nothing at all where nobody listens. */
	readonly wanted: () => WantedWebhooks;
	/** Where this machine is reached; `undefined` where nobody listens. */
	readonly address: () => string | undefined;
	/** Whether anything is to be done at all now. */
	readonly isActive: () => boolean;
	readonly lease: WindowLease;
	readonly background: Pick<Background, 'loop'>;
	readonly paths: HookPaths;
	/** A number from 0 to 1. */
	readonly random: () => number;
	readonly clock: Clock;
}

/** Brings the forge to what is wanted, one request at a time, while this window is the one that watches. */
export interface WebhookKeeper extends Disposable {
	/** Why nothing is done for a family for a while. */
	rest(family: WebhookFamily): WebhookRest | undefined;
	/** Lists everything again at once, and tries what was refused. */
	repair(): Promise<void>;
	/** What the forge has is to be listed again before anything is done. */
	forgetSeen(): void;
	/** Something may be wanted now that was not, or the other way round. */
	plan(): void;
	/** Settles once nothing is under way. Never rejects. */
	idle(): Promise<void>;
}

interface Plan {
	readonly family: WebhookFamily;
	readonly step: WebhookStep | undefined;
	readonly atMs: number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** What a server refuses is not asked for again before. */
const refusedMs = 3 * dayMs;
/** No request is under way for longer. */
const unsettledMs = 300_000;
/** Up to this part of a time is taken away from it, so that not everything comes round in one moment. */
const jitter = 0.2;

export function webhookKeeper(parts: WebhookKeeperParts): WebhookKeeper {
	const { api, book, wanted, address, isActive, lease, background, random, clock } = parts;
	const owned = new Disposables();
	const rests = webhookRests(clock);
	const views = new Map<string, FamilyView>();
	const spread = 1 - jitter * random();
	const takeStep = webhookRequests({
		...parts,
		refusedUntilMs: () => clock.nowMs() + refusedMs * spread,
	});
	let running: Promise<void> = Promise.resolve();

	owned.add(
		lease.onDidChange(() => {
			// Another window may do something meanwhile, so whoever begins looks at everything.
			views.clear();
			rests.forget();
			plan();
		}),
	);
	owned.add(book.onDidChange(plan));
	owned.add(
		background.loop.add({
			tasks,
			hurry: () => undefined,
			clockWentBack: (byMs) => rests.clockWentBack(byMs),
		}),
	);

	function plan(): void {
		background.loop.plan();
	}

	function tasks(times: BackgroundTimes): readonly BackgroundTask[] {
		const next = nextPlan();
		return next === undefined
			? []
			: [
					{
						atMs: Math.max(next.atMs, times.restUntilMs),
						wishedMs: next.atMs,
						// Somebody asked for it, and it takes few requests: it neither waits for the hour's budget nor counts there.
						waitsForBudget: false,
						isApart: true,
						read(signal) {
							const run = runNext(signal);
							running = run.catch(() => undefined);
							return run;
						},
						failed: () => rests.failed(next.family, undefined),
					},
				];
	}

	/** What is due first; of several with the same time the first. */
	function nextPlan(): Plan | undefined {
		if (!isActive()) {
			return undefined;
		}
		const { webhooks, isUnwanted } = wanted();
		const others = book.now().webhooks.filter(({ family }) => isUnwanted(family));
		let first: Plan | undefined;
		for (const each of [...webhooks, ...others.map(({ family }) => ({ family, isSync: undefined }))]) {
			const next = planOf(each);
			first = first === undefined || next.atMs < first.atMs ? next : first;
		}
		return first;
	}

	/** `isSync` is `undefined` for what is not wanted. */
	function planOf({ family, isSync }: { readonly family: WebhookFamily; readonly isSync: boolean | undefined }): Plan {
		const nowMs = clock.nowMs();
		const all = book.now();
		const view = viewOf(family);
		const booked = bookedOf(all, family);
		const refusal = currentRefusal(all, family, nowMs);
		const settledMs = isSync === undefined ? settlesMs(booked) : 0;
		const restMs = Math.max(rests.untilMs(family), settledMs);
		const seen = view.listedMs >= settledMs && isVerified(booked, nowMs) ? seenOf(booked, view) : undefined;
		if (refusal && seen === undefined && (view.isUnlistable || !booked)) {
			return { family, step: undefined, atMs: Math.max(restMs, againMsOf(refusal)) };
		}
		const wish = isSync === undefined ? undefined : wishOf(family, booked, isSync);
		const step = webhookStep({ wanted: wish, booked, seen, isRefused: refusal !== undefined });
		const atMs = step ? nowMs : Math.min(verifyMs(booked), againMsOf(refusal));
		return { family, step, atMs: Math.max(restMs, atMs) };
	}

	function wishOf(family: WebhookFamily, booked: BookedWebhook | undefined, isSync: boolean): FamilyWish {
		const here = address();
		return {
			url: here !== undefined && booked?.isSync === isSync ? `${here}${booked.path}` : undefined,
			events: notRefused(api.offers(family).events.all, triesOf(book.now(), family)),
		};
	}

	/** When it is listed again. What is not written down needs no look. */
	function verifyMs(booked: BookedWebhook | undefined): number {
		return booked ? booked.verifiedMs + dayMs * spread : Number.POSITIVE_INFINITY;
	}

	/** A time that is ahead was written before the clock was set back. */
	function isVerified(booked: BookedWebhook | undefined, nowMs: number): boolean {
		return !booked || (booked.verifiedMs <= nowMs && nowMs < verifyMs(booked));
	}

	function viewOf(family: WebhookFamily): FamilyView {
		const key = webhookFamilyKey(family);
		const view = views.get(key) ?? { seen: undefined, listedMs: 0, isUnlistable: false };
		views.set(key, view);
		return view;
	}

	function triesOf(all: WebhookBook, family: WebhookFamily): EventTries {
		return triesAt(all.tries[eventGroupOf(family)] ?? noTries, clock.nowMs());
	}

	async function runNext(signal: AbortSignal): Promise<void> {
		book.reread();
		const next = nextPlan();
		if (next?.step === undefined || next.atMs > clock.nowMs()) {
			return;
		}
		const { family, step } = next;
		const view = viewOf(family);
		const wish = wanted().webhooks.find((each) => isSameFamily(each.family, family));
		try {
			await takeStep(step, { family, view, wanted: wish }, signal);
			rests.went(family);
		} catch (error) {
			if (isAbort(error)) {
				view.seen = undefined;
				throw error;
			}
			rests.failed(family, error);
		}
	}

	return {
		rest: (family) => rests.of(family),
		async repair() {
			rests.forget();
			views.clear();
			await book.change(withNothingVerified);
			plan();
		},
		forgetSeen: () => views.clear(),
		plan,
		idle: () => running,
		dispose: () => owned.dispose(),
	};
}

/** One that is not wanted any more may still be on its way, sent by another window or by one that was killed. */
function settlesMs(booked: BookedWebhook | undefined): number {
	return booked === undefined ? 0 : booked.askedMs + (booked.id === undefined ? unsettledMs : 0);
}

/** Another window may have made one since this one looked: then that is not seen yet. */
function seenOf(booked: BookedWebhook | undefined, { seen }: FamilyView): readonly Webhook[] | undefined {
	const isThere = booked?.id === undefined || seen?.some(({ id }) => id === booked.id);
	return isThere ? seen : undefined;
}

function againMsOf(refusal: RefusedFamily | undefined): number {
	return refusal?.againMs ?? Number.POSITIVE_INFINITY;
}

function currentRefusal(all: WebhookBook, family: WebhookFamily, nowMs: number): RefusedFamily | undefined {
	const refusal = refusalOf(all, family);
	// A time that is further away was written before the clock was set back.
	return refusal && refusal.againMs > nowMs && refusal.againMs <= nowMs + refusedMs ? refusal : undefined;
}
