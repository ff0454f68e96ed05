import { isAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import { isAway, isRefused, isUnreachable } from '../../forge/isAway.ts';
import { listKey, refOfList, type ListRef, type ShortEmail } from '../../forge/list.ts';
import type { User } from '../../forge/user.ts';
import type { Background } from '../background/backgroundLoop.ts';
import type { BudgetedTaskParts } from '../background/budgetedTask.ts';
import type { ListStore } from '../lists/listStore.ts';
import { allLists, type KnownLists } from '../lists/knownLists.ts';
import type { PersonStore } from '../people/knownPeople.ts';
import type { OwnInLists } from './mailNews.ts';

export interface OwnInListsParts {
	readonly lists: ListStore;
	readonly people: Pick<PersonStore, 'ownProfile'>;
	readonly background: Background;
	readonly clock: Clock;
	/** Which lists there are was read. */
	readonly follow: (lists: readonly ListRef[]) => void;
}

/** Which lists an account has, and what it wrote in them, as it is read now and then. */
export interface OwnInListsReading {
	readonly own: OwnInLists;
	/** Lists that the account has, subscribes to or follows; absent until that was read without a failure. */
	readonly known: readonly ListRef[] | undefined;
	/** The next reading. */
	task(): Pick<BudgetedTaskParts, 'wishedMs' | 'isTold' | 'read' | 'failed'>;
	/** Mails of the account that came by. */
	note(mails: readonly ShortEmail[]): void;
	/** Lists came or went here: what is known is to be looked at again. */
	due(): void;
	/** Somebody told that the account sent something. */
	told(): void;
	/** Somebody wants to know now: the forge is asked for all of it. */
	hurry(): void;
	/** It waits to be read, or is being read. */
	isDue(): boolean;
	clockWentBack(byMs: number): void;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const againMs = 5 * minuteMs;
const mostMailFailures = 3;

/**
 * An hour old is new enough: each hour the forge is asked again for one's own lists and subscriptions, because the account
 * may come to one with another client; and soon where that failed.
 */
export function ownInLists({ lists, people, background, clock, follow }: OwnInListsParts): OwnInListsReading {
	const own: { -readonly [K in keyof OwnInLists]: OwnInLists[K] } = {
		address: undefined,
		threads: new Set(),
		lists: new Set(),
		mails: [],
	};
	let dueMs = clock.nowMs();
	let isTold = false;
	let known: readonly ListRef[] | undefined;
	let askedMs = 0;
	/** When all lists are asked for again. What a window has known since before it watches may be old. */
	let renewMs = Object.values(lists.knownOwn()).some((each) => each !== undefined) ? dueMs : dueMs + hourMs;
	let failures = 0;
	/** How often in a row the account's own mails could not be read. */
	let mailFailures = 0;
	let isReadingLists = false;
	let isReading = false;
	let isAddressTold = false;
	const spend = (): void => background.budget.spend();

	/** Also where it has none, which is not asked for again. */
	function addressIn({ email }: Pick<User, 'email'>): string | undefined {
		isAddressTold = true;
		return email;
	}

	async function read(signal: AbortSignal): Promise<void> {
		const wasTold = isTold;
		// What is told from here on is due after this.
		isTold = false;
		dueMs = Number.POSITIVE_INFINITY;
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
			dueMs = Math.min(dueMs, renewMs);
		} catch (error) {
			isTold ||= wasTold;
			throw error;
		} finally {
			isReading = false;
		}
	}

	/** What the account wrote, as far as it can be read. Answers why it failed. */
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
	 * Without its own mails nobody knows what answers the account, so that lists wait for them where they may be there soon.
	 * For what never comes they do not wait: what names the account is found all the same.
	 */
	function isWorthWaiting({ error }: NonNullable<KnownLists['failure']>): boolean {
		return isUnreachable(error) || (isAway(error) && mailFailures < mostMailFailures);
	}

	/** Those that are to be watched. What could not be asked for is still there. */
	async function readLists(signal: AbortSignal): Promise<readonly ListRef[]> {
		const isRenewal = clock.nowMs() >= renewMs;
		askedMs = clock.nowMs();
		isReadingLists = true;
		try {
			const failure = isRenewal ? await renew(signal) : undefined;
			const found = await readKnown(signal);
			const isSure = (failure ?? found.failure) === undefined && !lists.listsBefore();
			failures = isSure ? 0 : failures + 1;
			if (!isSure) {
				renewMs = clock.nowMs() + Math.min(hourMs, againMs * 2 ** (failures - 1));
			} else if (isRenewal || known === undefined) {
				renewMs = clock.nowMs() + hourMs;
			}
			known = found.failure === undefined ? found.lists : known;
			return found.failure === undefined ? found.lists : [...(known ?? []), ...found.lists];
		} finally {
			isReadingLists = false;
		}
	}

	/** Asks again for what is known, whatever becomes of the one or the other. Answers why it failed. */
	async function renew(signal: AbortSignal): Promise<KnownLists['failure']> {
		const known = lists.knownOwn();
		let failure: KnownLists['failure'];
		for (const kind of ['lists', 'subscriptions'] as const) {
			try {
				if (known[kind]) {
					await (kind === 'lists' ? lists.renewOwnLists(spend, signal) : lists.renewSubscriptions(spend, signal));
				}
			} catch (error) {
				unlessAborted(error);
				failure ??= { error };
			}
		}
		return failure;
	}

	function readKnown(signal: AbortSignal): Promise<KnownLists> {
		// Those that were read before are not asked for.
		Object.values(lists.knownOwn()).forEach((each) => each ?? spend());
		return allLists(
			{
				ownLists: (shared) => lists.ownLists(shared),
				subscriptions: (shared) => lists.subscriptions(shared),
				followedLists: () => lists.followedLists(),
				moreOwnLists(shared) {
					spend();
					return lists.moreOwnLists(shared);
				},
				moreSubscriptions(shared) {
					spend();
					return lists.moreSubscriptions(shared);
				},
			},
			signal,
		);
	}

	function note(mails: readonly ShortEmail[]): void {
		own.mails = [...new Map([...mails, ...own.mails].map((mail) => [mail.id, mail])).values()];
		own.threads = new Set([...own.threads, ...mails.map(({ id, threadId }) => threadId ?? id)]);
		own.lists = new Set([...own.lists, ...mails.flatMap(({ list }) => (list ? [listKey(refOfList(list))] : []))]);
	}

	function due(): void {
		if (dueMs > clock.nowMs()) {
			dueMs = clock.nowMs();
			background.loop.plan();
		}
	}

	return {
		own,
		get known() {
			return known;
		},
		task: () => ({
			wishedMs: dueMs,
			isTold,
			read,
			failed: () => (dueMs = clock.nowMs() + againMs),
		}),
		note,
		due() {
			// What this very reading brings it knows.
			if (!isReadingLists) {
				due();
			}
		},
		told() {
			isTold = true;
			due();
		},
		hurry() {
			if (clock.nowMs() - askedMs >= againMs) {
				renewMs = Math.min(renewMs, clock.nowMs());
				dueMs = Math.min(dueMs, renewMs);
			}
		},
		isDue: () => isReading || dueMs <= clock.nowMs(),
		clockWentBack(byMs) {
			dueMs -= byMs;
			renewMs -= byMs;
			askedMs -= byMs;
		},
	};
}

/** What cannot be known of oneself is done without. */
function unlessAborted(error: unknown): undefined {
	if (isAbort(error) || !isForgeError(error)) {
		throw error;
	}
}

/** The lists of somebody are watched all the same where what they wrote is not told. */
function noneIfRefused(error: unknown): readonly ShortEmail[] {
	if (!isRefused(error)) {
		throw error;
	}
	return [];
}
