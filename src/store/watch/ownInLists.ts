import { isAbort } from '@forge-desk/base/abort.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { isAway, isRefused, isUnreachable } from 'sourcehut/port/isAway.ts';
import { listKey, refOfList, type ListRef, type ShortEmail } from 'sourcehut/port/list.ts';
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

	async function read(signal: AbortSignal): Promise<void> {
		const wasTold = times.isHinted;
		// A later call to `told` is due after this read.
		times.isHinted = false;
		times.dueMs = Number.POSITIVE_INFINITY;
		isReading = true;
		try {
			const found = await readLists(signal);
			for (let asked = 0; asked < lists.ownMails.requests(found.length); asked += 1) {
				spend();
			}
			let failure: KnownLists['failure'];
			try {
				// Watches the lists without the account's mails, if the forge refuses those.
				const mails = await lists.ownMails.read(signal).catch((error: unknown) => {
					if (!isRefused(error)) {
						throw error;
					}
					return [];
				});
				note(mails);
				mailFailures = 0;
			} catch (error) {
				unlessAborted(error);
				mailFailures += 1;
				failure = { error };
				// Lists wait for the account's mails, since replies to it depend on them. No wait for a lasting failure:
				// mentions need no own mails.
				if (isUnreachable(error) || (isAway(error) && mailFailures < mostMailFailures)) {
					throw error;
				}
			}
			if (!isAddressTold) {
				spend();
				try {
					own.address = (await people.ownProfile(signal)).email;
					// Caches a missing address as well.
					isAddressTold = true;
				} catch (error) {
					own.address = unlessAborted(error);
				}
			}
			follow(found);
			if (failure) {
				throw failure.error;
			}
			times.dueMs = Math.min(times.dueMs, renewal.dueMs);
		} catch (error) {
			times.isHinted ||= wasTold;
			throw error;
		} finally {
			isReading = false;
		}
	}

	/** The lists to watch. Keeps lists after a failed read. */
	async function readLists(signal: AbortSignal): Promise<readonly ListRef[]> {
		const isRenewal = clock.nowMs() >= renewal.dueMs;
		renewal.asked();
		isReadingLists = true;
		try {
			const both = [lists.own, lists.subscriptions];
			const ofRenewal = isRenewal ? both.filter((each) => each.known()) : [];
			let failure: KnownLists['failure'];
			// Independently. Some servers answer both with one request.
			await Promise.all(
				ofRenewal.map(async (each) => {
					try {
						await each.renewAll(spend, signal);
					} catch (error) {
						unlessAborted(error);
						failure ??= { error };
					}
				}),
			);
			// The other parts cost nothing: no read preceded.
			both.forEach((each) => each.known() ?? spend());
			const found = await allLists(lists.collection, signal, spend);
			if ((failure ?? found.failure) !== undefined || lists.collection.oldest()) {
				renewal.failed();
			} else {
				renewal.answered();
				if (isRenewal || known === undefined) {
					renewal.wait(hourMs);
					renewedMs = renewal.askedMs;
				}
			}
			const before = known ?? [];
			known = found.failure === undefined ? found.lists : known;
			return found.failure === undefined ? found.lists : [...before, ...found.lists];
		} finally {
			isReadingLists = false;
		}
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
		task: () => ({ dueMs: times.dueMs, isTold: times.isHinted, read, failed: times.failed }),
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
			times.isHinted = true;
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
