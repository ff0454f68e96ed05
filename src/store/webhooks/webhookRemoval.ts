import { delay, isAbort } from '@forge-desk/base/abort.ts';
import { isForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import type { ContentArea } from 'sourcehut/port/instance.ts';
import { areaOfFamily, type Webhook, type WebhookFamily } from 'sourcehut/port/webhook.ts';
import type { WebhooksContext } from './wantedWebhooks.ts';
import {
	bookedOf,
	isOwnUrl,
	isSameFamily,
	withChanged,
	withLost,
	withoutFamily,
	withoutLeft,
	type OpenWebhookBook,
} from './webhookBook.ts';
import { listedWebhooks, removalEnd } from './webhookRequests.ts';

/** Result of removing all webhooks. */
export interface WebhookRemoval {
	readonly removed: number;
	/** Webhooks that may still exist. */
	readonly left: readonly LeftWebhook[];
}

export interface LeftWebhook {
	readonly family: WebhookFamily;
	readonly url: string;
	readonly why: Problem;
}

/** Forges usually respond sooner. A killed window never records its response. */
const mostAnswerMs = 10_000;
/** Poll interval for another window's record. */
const lookMs = 500;

const areas: readonly ContentArea[] = ['todo', 'git', 'lists'];

/**
 * Removes all own webhooks, sequentially per area. A failure doesn't stop the other removals. `families` are searched
 * besides the recorded ones. `makesSinceMs`: time when this window got the lease; `undefined` without it.
 */
export async function removeWebhooks(
	{ api, paths, clock }: WebhooksContext,
	book: OpenWebhookBook,
	families: readonly WebhookFamily[],
	{ address, makesSinceMs }: { readonly address: string | undefined; readonly makesSinceMs: () => number | undefined },
	signal: AbortSignal,
): Promise<WebhookRemoval> {
	const before = book.now();
	const all = [...before.webhooks.map(({ family }) => family), ...families];
	// Without any address of this machine, no webhook can be ours.
	const places =
		before.addresses.length === 0 && address === undefined
			? []
			: all.filter((each, at) => all.findIndex((one) => isSameFamily(one, each)) === at);
	const done = await Promise.all(
		areas.map(async (area) => {
			const removals: WebhookRemoval[] = [];
			for (const family of places.filter((each) => areaOfFamily(each) === area)) {
				removals.push(await removeOfFamily(family));
			}
			return removals;
		}),
	);
	return {
		removed: done.flat().reduce((sum, { removed }) => sum + removed, 0),
		left: done.flat().flatMap(({ left }) => left),
	};

	async function removeOfFamily(family: WebhookFamily): Promise<WebhookRemoval> {
		await nothingOnItsWay(family);
		const left: LeftWebhook[] = [];
		let there: readonly Webhook[] = [];
		let isPart = false;
		const gone: number[] = [];
		const booked = bookedOf(book.now(), family);
		try {
			({ webhooks: there, isPart } = await listedWebhooks(api, family, signal));
		} catch (error) {
			const why = problemOf(error);
			// Deleting a thing also deletes its webhooks. Without a request, the family has no webhook as far as we know.
			if (booked && why.kind !== 'notFound') {
				return { removed: 0, left: [{ family, url: booked.url, why }] };
			}
		}
		for (const { id, url } of there.filter(({ url }) => isOwnUrl(url, before, address, paths))) {
			try {
				if ((await removalEnd(api.remove(family, id, signal))) === 'notAllowed') {
					left.push({ family, url, why: { kind: 'notAllowed' } });
				} else {
					gone.push(id);
				}
			} catch (error) {
				left.push({ family, url, why: problemOf(error) });
			}
		}
		const fate = await fateOfUnlisted();
		if (fate !== 'gone') {
			left.push({ family, url: booked?.url ?? address ?? '', why: fate });
		}
		await book.change((now) => {
			const all = gone.reduce((rest, id) => withoutLeft(rest, { family, id }), now);
			if (left.length === 0) {
				return withoutFamily(all, family);
			}
			const isLost = fate !== 'gone' && fate.kind === 'notAllowed';
			// Webhooks may still exist.
			return booked && isLost
				? withLost(all, booked, clock.nowMs())
				: booked
					? withChanged(all, booked, { verifiedMs: 0 })
					: all;
		});
		return { removed: gone.length, left };

		/** A webhook missing from the listing belongs to another token, or is gone. */
		async function fateOfUnlisted(): Promise<Problem | 'gone'> {
			const id = booked?.id;
			if (id === undefined) {
				return isPart ? { kind: 'incomplete' } : 'gone';
			}
			if (there.some((each) => each.id === id)) {
				return 'gone';
			}
			try {
				await api.webhook(family, id, signal);
				return { kind: 'notAllowed' };
			} catch (error) {
				const problem = problemOf(error);
				return problem.kind === 'notFound' ? 'gone' : problem;
			}
		}
	}

	/**
	 * Waits briefly for another window's pending create request. A listing now would miss the webhook, and without the
	 * token, which goes next, that window could not remove it.
	 */
	async function nothingOnItsWay(family: WebhookFamily): Promise<void> {
		for (;;) {
			const booked = bookedOf(book.reread(), family);
			const isOthers = booked && booked.id === undefined && booked.askedMs <= (makesSinceMs() ?? clock.nowMs());
			const leftMs = isOthers ? booked.askedMs + mostAnswerMs - clock.nowMs() : 0;
			// A time in the future predates a clock change.
			if (leftMs <= 0 || leftMs > mostAnswerMs) {
				return;
			}
			await delay(clock, Math.min(lookMs, leftMs), signal);
		}
	}
}

/** Rethrows errors that didn't come from the forge. */
function problemOf(error: unknown): Problem {
	if (isAbort(error) || !isForgeError(error)) {
		throw error;
	}
	return error.problem;
}
