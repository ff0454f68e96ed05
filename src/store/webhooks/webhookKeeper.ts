import { isAbort } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { isForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import { isHopeless } from 'sourcehut/port/isHopeless.ts';
import { webhookFamilyKey, type Webhook, type WebhookFamily, areaOfFamily } from 'sourcehut/port/webhook.ts';
import type { BackgroundTask } from '../background/backgroundLoop.ts';
import { doubling, schedule, type Schedule } from '../background/schedule.ts';
import {
	notRefused,
	bookedOf,
	refusalOf,
	withNothingVerified,
	type BookedWebhook,
	type OpenWebhookBook,
	type RefusedFamily,
	type WebhookBook,
} from './webhookBook.ts';
import type { WantedWebhooks, WebhooksContext } from './wantedWebhooks.ts';
import { webhookRequests, type FamilyView } from './webhookRequests.ts';

const restMs = doubling(60_000, 6 * 3_600_000);

/** One request towards the wanted state, or a change of the book. */
type Step = (signal: AbortSignal) => Promise<void>;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Back-off after a rejection. */
const refusedMs = 3 * dayMs;
/** Longer than any request can take. */
const unsettledMs = 300_000;
/** Shortens intervals by up to this fraction, so that checks spread out. */
const jitter = 0.2;

/** Reconciles the forge with the wanted webhooks, one request at a time, while this window holds the lease. */
export function webhookKeeper(
	context: WebhooksContext,
	book: OpenWebhookBook,
	/** Base URL of the listener; `undefined` without one. */
	address: () => string | undefined,
	/** The webhooks to have; empty without a listener. */
	wantedNow: () => WantedWebhooks,
	/** False while nothing may change. */
	isActive: () => boolean,
) {
	const { api, lease, background, random, clock } = context;
	const owned = new Disposables();
	const rests = webhookRests(clock);
	const views = new Map<string, FamilyView>();
	const spread = 1 - jitter * random();
	const requests = webhookRequests(context, book, address, () => clock.nowMs() + refusedMs * spread);
	let running: Promise<void> = Promise.resolve();

	owned.add(
		lease.onDidChange(() => {
			// Another window may have changed webhooks meanwhile, so a new lease holder checks everything.
			views.clear();
			rests.forget();
			plan();
		}),
	);
	owned.add(book.onDidChange(plan));
	owned.add(background.loop.add({ tasks }));

	function plan(): void {
		background.loop.plan();
	}

	function retry(): void {
		rests.forget();
		background.loop.endOwnRests();
	}

	function tasks(): readonly BackgroundTask[] {
		const next = nextPlan();
		return next === undefined
			? []
			: [
					{
						// The user asked for webhooks and they need few requests, so they bypass the hourly budget.
						dueMs: next.atMs,
						area: areaOfFamily(next.family),
						read(signal) {
							const run = runNext(signal);
							running = run.catch(() => undefined);
							return run;
						},
						failed: () => rests.failed(next.family, undefined),
					},
				];
	}

	/** The earliest plan; the first one wins a tie. */
	function nextPlan() {
		if (!isActive()) {
			return undefined;
		}
		const { families, isUnwanted } = wantedNow();
		const others = book.now().webhooks.filter(({ family }) => isUnwanted(family));
		let first: ReturnType<typeof planOf> | undefined;
		const plans = [
			...families.map((family) => planOf(family, true)),
			...others.map(({ family }) => planOf(family, false)),
		];
		for (const next of plans) {
			first = first === undefined || next.atMs < first.atMs ? next : first;
		}
		return first;
	}

	/** `step` is `undefined` for families that are up to date. */
	function planOf(family: WebhookFamily, isWanted: boolean) {
		const nowMs = clock.nowMs();
		const all = book.now();
		const view = viewOf(family);
		const booked = bookedOf(all, family);
		const refusal = currentRefusal(all, family, nowMs);
		// Another window, even a killed one, may have a request pending for an unwanted webhook.
		const pendingMs = booked?.id === undefined ? unsettledMs : 0;
		const settledMs = !isWanted && booked ? booked.askedMs + pendingMs : 0;
		const restMs = Math.max(rests.of(family)?.untilMs ?? 0, settledMs);
		const seen = view.listedMs >= settledMs ? seenNow(booked, view, nowMs) : undefined;
		if (refusal && seen === undefined && (view.isUnlistable || !booked)) {
			return { family, step: undefined, atMs: Math.max(restMs, againMsOf(refusal)) };
		}
		const step = stepOf(family, isWanted, booked, seen, refusal !== undefined);
		const atMs = step ? nowMs : Math.min(verifyMs(booked), againMsOf(refusal));
		return { family, step, atMs: Math.max(restMs, atMs) };
	}

	/**
	 * The difference between the wanted webhook and those of the forge, as its next step. Webhooks are immutable, so the
	 * new one precedes the removal of the old one: no event is lost between. `seen`: our webhooks of this family on the
	 * forge, once listed. `isRefused`: the server rejected the webhook, and the retry is not due.
	 */
	function stepOf(
		family: WebhookFamily,
		isWanted: boolean,
		booked: BookedWebhook | undefined,
		seen: readonly Webhook[] | undefined,
		isRefused: boolean,
	): Step | undefined {
		const view = viewOf(family);
		const { id, doubt } = booked ?? {};
		if (booked && doubt !== undefined && id !== undefined) {
			return (signal) => requests.look(view, booked, id, signal);
		}
		if (seen === undefined) {
			return (signal) => requests.list(family, view, isWanted, signal);
		}
		const good = isWanted ? goodOne(family, booked, seen, isRefused) : undefined;
		if (isWanted && !good && !isRefused) {
			return (signal) => requests.create(family, view, signal);
		}
		if (good && booked && booked.url !== good.url) {
			return () => requests.note(family, good);
		}
		const useless = seen.find((each) => each !== good);
		if (useless) {
			return (signal) => requests.remove(family, view, useless.id, signal);
		}
		return !isWanted && booked ? () => requests.forget(family, view) : undefined;
	}

	/** Deterministic across windows. An older webhook with fewer events is better than none. */
	function goodOne(
		family: WebhookFamily,
		booked: BookedWebhook | undefined,
		seen: readonly Webhook[],
		isRefused: boolean,
	): Webhook | undefined {
		const here = address();
		// Without one, the path will be new.
		const url = here !== undefined && booked && booked.isSync !== true ? `${here}${booked.path}` : undefined;
		const there = seen.filter((each) => each.url === url).toSorted((a, b) => a.id - b.id);
		// All events except known rejected ones.
		const events = notRefused(api.offers(family).events.all, requests.triesOf(book.now(), family));
		const whole = there.find((each) => events.every((event) => each.events.includes(event)));
		return whole ?? (isRefused ? there[0] : undefined);
	}

	/** Time of the next listing. Never for a family without a record. */
	function verifyMs(booked: BookedWebhook | undefined): number {
		return booked ? booked.verifiedMs + dayMs * spread : Number.POSITIVE_INFINITY;
	}

	/** `undefined` for a stale listing. */
	function seenNow(
		booked: BookedWebhook | undefined,
		{ seen }: FamilyView,
		nowMs: number,
	): readonly Webhook[] | undefined {
		// A time in the future predates a clock change.
		const isVerified = !booked || (booked.verifiedMs <= nowMs && nowMs < verifyMs(booked));
		// Another window may have created a webhook after this window's listing.
		const isThere = booked?.id === undefined || seen?.some(({ id }) => id === booked.id);
		return isVerified && isThere ? seen : undefined;
	}

	function viewOf(family: WebhookFamily): FamilyView {
		const key = webhookFamilyKey(family);
		const view = views.get(key) ?? { seen: undefined, listedMs: 0, isUnlistable: false };
		views.set(key, view);
		return view;
	}

	async function runNext(signal: AbortSignal): Promise<void> {
		book.reread();
		const next = nextPlan();
		if (next?.step === undefined || next.atMs > clock.nowMs()) {
			return;
		}
		const { family, step } = next;
		try {
			await step(signal);
			rests.went(family);
		} catch (error) {
			if (isAbort(error)) {
				viewOf(family).seen = undefined;
				throw error;
			}
			rests.failed(family, error);
		}
	}

	return {
		/** The current back-off of a family, and its reason. */
		rest(family: WebhookFamily) {
			const rest = rests.of(family);
			return rest && rest.untilMs > clock.nowMs() ? rest : background.loop.rest(areaOfFamily(family));
		},
		/** Lists everything now, and retries rejected webhooks. */
		async repair() {
			views.clear();
			retry();
			await book.change(withNothingVerified);
			plan();
		},
		/** Ends the back-offs, after a new token or for the user. */
		retry,
		/** Forces a new listing before the next step. */
		forgetSeen: () => views.clear(),
		/** Call after the wanted webhooks may have changed. */
		plan,
		/** Resolves when no request is pending. Never rejects. */
		idle: () => running,
		dispose: () => owned.dispose(),
	};
}

function againMsOf(refusal: RefusedFamily | undefined): number {
	return refusal?.againMs ?? Number.POSITIVE_INFINITY;
}

function currentRefusal(all: WebhookBook, family: WebhookFamily, nowMs: number): RefusedFamily | undefined {
	const refusal = refusalOf(all, family);
	// A time too far in the future predates a clock change.
	return refusal && refusal.againMs > nowMs && refusal.againMs <= nowMs + refusedMs ? refusal : undefined;
}

/**
 * Back-offs with exponential delays. Errors that affect every request back off the whole area, other errors only the
 * family.
 */
function webhookRests(clock: Clock) {
	const rests = new Map<string, { readonly problem: Problem | undefined; readonly times: Schedule }>();
	const keysOf = (family: WebhookFamily) => [webhookFamilyKey(family), `area ${areaOfFamily(family)}`] as const;

	return {
		/** The longest back-off, maybe over. `problem` is `undefined` for a local failure: the book could not be written. */
		of: (family: WebhookFamily) =>
			keysOf(family)
				.flatMap((key) => rests.get(key) ?? [])
				.map(({ problem, times }) => ({ problem, untilMs: times.dueMs }))
				.toSorted((one, other) => other.untilMs - one.untilMs)[0],
		failed(family: WebhookFamily, error: unknown) {
			const problem = isForgeError(error) ? error.problem : undefined;
			const isOfAll = problem?.kind === 'unreachable' || (problem !== undefined && isHopeless(error));
			const [own, ofArea] = keysOf(family);
			const key = isOfAll ? ofArea : own;
			const times = rests.get(key)?.times ?? schedule(clock, 0, restMs);
			times.failed();
			times.dueMs = Math.max(times.dueMs, problem?.kind === 'rateLimited' ? (problem.untilMs ?? 0) : 0);
			rests.set(key, { problem, times });
		},
		went: (family: WebhookFamily) => keysOf(family).forEach((key) => rests.delete(key)),
		forget: () => rests.clear(),
	};
}
