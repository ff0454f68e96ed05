import { isAbort } from '@forge-desk/base/abort.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { isAway, isRefused, isUnreachable } from 'sourcehut/port/isAway.ts';
import { listKey, refOfList, type ListRef, type ShortEmail } from 'sourcehut/port/list.ts';
import type { User } from 'sourcehut/port/user.ts';
import { doubling, schedule } from '../background/schedule.ts';
import { allLists, type KnownLists } from '../lists/knownLists.ts';
import type { OwnInLists, WatchContext } from './watchContext.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const againMs = 5 * minuteMs;
const mostMailFailures = 3;

/**
 * Reads own lists and subscriptions every hour, since the account may change them in another client. Retries soon after
 * a failure. Calls `follow` with all lists after each read.
 */
export function ownInLists(
	{ lists, people, background, clock }: WatchContext,
	follow: (lists: readonly ListRef[]) => void,
) {
	const own: { -readonly [K in keyof OwnInLists]: OwnInLists[K] } = {
		address: undefined,
		threads: new Set(),
		lists: new Set(),
		mails: [],
	};
	const times = schedule(clock, clock.nowMs(), () => againMs);
	/** Full reads. Data from before the lease may be stale. */
	const isKnown = lists.own.known() !== undefined || lists.subscriptions.known() !== undefined;
	const renewal = schedule(clock, clock.nowMs() + (isKnown ? 0 : hourMs), doubling(againMs, hourMs));
	let known: readonly ListRef[] | undefined;
	/** Last complete read of own lists and subscriptions. */
	let renewedMs = 0;
	/** Failed reads of own mails in a row. */
	let mailFailures = 0;
	let isReadingLists = false;
	let isReading = false;
	let isAddressTold = false;
	const spend = (): void => background.budget.spend();

	/** Caches a missing address as well. */
	function addressIn({ email }: User): string | undefined {
		isAddressTold = true;
		return email;
	}

	async function read(signal: AbortSignal): Promise<void> {
		const wasTold = times.isTold;
		// A later call to `told` is due after this read.
		times.isTold = false;
		times.dueMs = Number.POSITIVE_INFINITY;
		isReading = true;
		try {
			const found = await readLists(signal);
			for (let asked = 0; asked < lists.ownMails.requests(found.length); asked += 1) {
				spend();
			}
			const failure = await noteOwnMails(signal);
			if (failure && isWorthWaiting(failure)) {
				throw failure.error;
			}
			if (!isAddressTold) {
				spend();
				own.address = await people.ownProfile(signal).then(addressIn, unlessAborted);
			}
			follow(found);
			if (failure) {
				throw failure.error;
			}
			times.dueMs = Math.min(times.dueMs, renewal.dueMs);
		} catch (error) {
			times.isTold ||= wasTold;
			throw error;
		} finally {
			isReading = false;
		}
	}

	/** Reads the account's mails. Returns the failure, if any. */
	async function noteOwnMails(signal: AbortSignal): Promise<KnownLists['failure']> {
		try {
			note(await lists.ownMails.read(signal).catch(noneIfRefused));
			mailFailures = 0;
			return undefined;
		} catch (error) {
			unlessAborted(error);
			mailFailures += 1;
			return { error };
		}
	}

	/**
	 * Lists wait for the account's mails, since replies to it depend on them. No wait for a lasting failure: mentions
	 * need no own mails.
	 */
	function isWorthWaiting({ error }: NonNullable<KnownLists['failure']>): boolean {
		return isUnreachable(error) || (isAway(error) && mailFailures < mostMailFailures);
	}

	/** The lists to watch. Keeps lists after a failed read. */
	async function readLists(signal: AbortSignal): Promise<readonly ListRef[]> {
		const isRenewal = clock.nowMs() >= renewal.dueMs;
		renewal.asked();
		isReadingLists = true;
		try {
			const failure = isRenewal ? await renew(signal) : undefined;
			const found = await readKnown(signal);
			const isSure = (failure ?? found.failure) === undefined && !lists.shelf.before();
			if (!isSure) {
				renewal.failed();
			} else {
				renewal.answered();
				if (isRenewal || known === undefined) {
					renewal.wait(hourMs);
					renewedMs = renewal.askedMs;
				}
			}
			known = found.failure === undefined ? found.lists : known;
			return found.failure === undefined ? found.lists : [...(known ?? []), ...found.lists];
		} finally {
			isReadingLists = false;
		}
	}

	/** Reads the known parts again, independently. Returns the failure, if any. */
	async function renew(signal: AbortSignal): Promise<KnownLists['failure']> {
		let failure: KnownLists['failure'];
		// Some servers answer both with one request.
		const all = [lists.own, lists.subscriptions].filter((each) => each.known());
		await Promise.all(
			all.map(async (each) => {
				try {
					await each.renewAll(spend, signal);
				} catch (error) {
					unlessAborted(error);
					failure ??= { error };
				}
			}),
		);
		return failure;
	}

	function readKnown(signal: AbortSignal): Promise<KnownLists> {
		// The other parts cost nothing: no read preceded.
		[lists.own, lists.subscriptions].forEach((each) => each.known() ?? spend());
		return allLists(lists.shelf, signal, spend);
	}

	function note(mails: readonly ShortEmail[]): void {
		own.mails = [...new Map([...mails, ...own.mails].map((mail) => [mail.id, mail])).values()];
		own.threads = new Set([...own.threads, ...mails.map(({ id, threadId }) => threadId ?? id)]);
		own.lists = new Set([...own.lists, ...mails.flatMap(({ list }) => (list ? [listKey(refOfList(list))] : []))]);
	}

	function due(): void {
		if (times.dueMs > clock.nowMs()) {
			times.wait(0);
			background.loop.plan();
		}
	}

	return {
		own,
		/** Own, subscribed and followed lists; absent until a read without failure. */
		get known(): readonly ListRef[] | undefined {
			return known;
		},
		/** Next reading. */
		task: () => ({ dueMs: times.dueMs, isTold: times.isTold, read, failed: times.failed }),
		/** Adds mails of the account from another source. */
		note,
		/** Call after a change of lists. */
		due() {
			// This read causes the event.
			if (!isReadingLists) {
				due();
			}
		},
		/** Call after the account sent something. */
		told() {
			times.isTold = true;
			due();
		},
		/** Reads everything from the forge. */
		hurry() {
			if (Math.abs(clock.nowMs() - renewal.askedMs) >= againMs) {
				renewal.hurry();
				times.hurry();
			}
		},
		/** Own lists of the last minute. */
		fresh: () => {
			const listing = lists.own.known();
			const isFresh = Math.abs(clock.nowMs() - renewedMs) < minuteMs;
			return listing && isFresh ? { own: listing, readMs: renewedMs } : undefined;
		},
		/** True while a read waits or runs. */
		isDue: () => isReading || times.dueMs <= clock.nowMs(),
	};
}

/** Works without the data. */
function unlessAborted(error: unknown): undefined {
	if (isAbort(error) || !isForgeError(error)) {
		throw error;
	}
}

/** Watches the lists without the account's mails. */
function noneIfRefused(error: unknown): readonly ShortEmail[] {
	if (!isRefused(error)) {
		throw error;
	}
	return [];
}
