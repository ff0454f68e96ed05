import type { Clock } from '../../base/clock.ts';
import { Disposables } from '../../base/lifecycle.ts';
import { listKey, type ListRef, type ShortEmail } from '../../forge/port/list.ts';
import type { OwnerName } from '../../forge/port/user.ts';
import type { Background, BackgroundTask, BackgroundTimes } from '../background/backgroundLoop.ts';
import { budgetedTask, type BudgetedTaskParts } from '../background/budgetedTask.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { Watching } from '../inbox/inboxBook.ts';
import type { MailTexts } from '../lists/listMailTexts.ts';
import type { ListStore } from '../lists/listStore.ts';
import type { PersonStore } from '../people/knownPeople.ts';
import { chosenPlaces } from './chosenPlaces.ts';
import { listNews } from './listNews.ts';
import { isSkipped, placeOfList, skip } from './listPlaces.ts';
import { mailNews } from './mailNews.ts';
import { ownInLists } from './ownInLists.ts';
import { ownThreads } from './ownThreads.ts';
import { olderPatchsets } from './olderPatchsets.ts';
import { partInPatchsets } from './partInPatchsets.ts';
import { ownStatus, patchsetNews, type PatchsetNewsParts } from './patchsetNews.ts';
import { pollTimes, readingOf, type PollTimes, type PollTimesParts } from './pollTimes.ts';
import { watchingOf } from './wanted.ts';
import type { ReadingSources } from './watchReadings.ts';

export interface ListWatchParts extends PollTimesParts {
	readonly lists: ListStore;
	readonly texts: MailTexts;
	readonly people: Pick<PersonStore, 'ownProfile'>;
	readonly reviews: PatchsetNewsParts['reviews'];
	readonly inbox: Inbox;
	readonly background: Background;
	readonly readings: ReadingSources;
	readonly me: OwnerName;
	/** See `accountWatch`. Defaults to false. */
	readonly isReadSinceOpened?: boolean;
	readonly clock: Clock;
}

interface WatchedList {
	readonly ref: ListRef;
	readonly times: PollTimes;
	/** New mails outside the inbox, oldest first. `wholeMs`: that of the list at the time of the find. */
	waiting: readonly { readonly mail: ShortEmail; readonly wholeMs: number | undefined }[];
	/** Due time of the first mail. The newest rows of all lists have a turn between two mails. */
	mailDueMs: number;
	/** A delivery led to some of these mails. */
	areWaitingTold: boolean;
	mailFailures: number;
	/** Last failure, in milliseconds since 1970. */
	mailFailedMs: number;
	/** Start of the last read of its rows, in milliseconds since 1970. */
	askedMs: number;
	/** The watch has found everything before this time; `undefined` before the first whole reading. */
	wholeMs: number | undefined;
}

/** Behind ticket news. */
const share = 0.9;
const minuteMs = 60_000;
/** Longer than for a one-request thing: a list takes three requests. */
const rarelyMs = 20 * minuteMs;
/** After so many failures the entry goes out without the text, so later mails can follow. */
const mostMailFailures = 3;

export type ListWatch = ReturnType<typeof listWatch>;

/**
 * Adds new mails, patchsets and statuses of own, subscribed and followed lists to the inbox. Polling a list takes two
 * or three requests. Each new mail takes another one, since only the text names people.
 */
export function listWatch(parts: ListWatchParts) {
	const { lists, inbox, background, readings, me, clock } = parts;
	const owned = new Disposables();
	const watched = new Map<string, WatchedList>();
	const ofAccount = ownInLists({ ...parts, follow });
	const { own } = ofAccount;

	const spend = (): void => background.budget.spend();
	const ofMails = mailNews({ ...parts, usualIn, own, spend });
	const part = partInPatchsets({ lists, own, me });
	const ofPatchsets = patchsetNews({ ...parts, usualIn, part, says: (mail, signal) => ofMails.says(mail, signal) });
	const older = olderPatchsets({
		...parts,
		usualIn,
		part,
		patchsets: ofPatchsets,
		watched: () => [...watched.values()].filter(isWanted).map(({ ref }) => ref),
	});
	const threads = ownThreads({
		...parts,
		usualIn,
		part,
		own,
		mails: ofMails,
		patchsets: ofPatchsets,
		isWatched: (list) => watched.has(listKey(list)),
	});
	const newsOf = listNews({ ...parts, patchsets: ofPatchsets, spend });

	owned.add(
		background.loop.add({
			tasks,
			hurry(why) {
				if (why === 'wish') {
					older.hurry();
					threads.hurry();
				}
				ofAccount.hurry();
				watched.forEach((list) => {
					list.times.hurry();
					list.mailDueMs = Math.min(list.mailDueMs, clock.nowMs());
				});
			},
			clockWentBack(byMs) {
				ofAccount.clockWentBack(byMs);
				older.clockWentBack(byMs);
				threads.clockWentBack(byMs);
				watched.forEach((list) => {
					list.times.clockWentBack(byMs);
					list.mailDueMs -= byMs;
					list.mailFailedMs -= byMs;
					list.askedMs -= byMs;
					list.wholeMs = list.wholeMs === undefined ? undefined : list.wholeMs - byMs;
				});
			},
		}),
	);

	function tasks(times: BackgroundTimes): readonly BackgroundTask[] {
		const all = [...watched.values()];
		return [
			task(times, ofAccount.task()),
			task(times, older.task()),
			task(times, threads.task()),
			...all.flatMap((list) => mailTask(times, list)),
			...all.filter(isWanted).map((list) =>
				task(times, {
					wishedMs: list.times.dueMs,
					isTold: list.times.isTold,
					read: (signal) => readList(list, signal),
					failed(error) {
						list.times.failed(error);
						readings.told();
					},
				}),
			),
		];
	}

	function task(
		times: BackgroundTimes,
		what: Pick<BudgetedTaskParts, 'wishedMs' | 'isTold' | 'cause' | 'read' | 'failed'>,
	): BackgroundTask {
		return budgetedTask(times, { budget: background.budget, share, isApart: true, ...what });
	}

	function mailTask(times: BackgroundTimes, list: WatchedList): readonly BackgroundTask[] {
		const [first, ...later] = list.waiting;
		return first === undefined
			? []
			: [
					task(times, {
						wishedMs: list.mailDueMs,
						// In an idle window, deliveries find most mails.
						isTold: true,
						cause: list.areWaitingTold ? 'delivery' : 'poll',
						async read(signal) {
							await ofMails.tell(
								list.ref,
								first.mail,
								list.mailFailures < mostMailFailures ? 'read' : 'unread',
								signal,
							);
							list.waiting = later;
							list.mailFailures = 0;
							list.mailDueMs = clock.nowMs();
							skipUnwanted(list);
							readings.told();
						},
						failed() {
							// If the rows fail too, the forge is away or refuses the token, and the mail may be fine.
							if ((list.times.readMs ?? 0) > list.mailFailedMs) {
								list.mailFailures += 1;
								list.mailFailedMs = clock.nowMs();
							}
							list.mailDueMs = clock.nowMs() + 5 * minuteMs;
							readings.told();
						},
					}),
				];
	}

	/** Adds lists. Removes lists that are neither known nor chosen, once all lists have arrived. */
	function follow(lists: readonly ListRef[]): void {
		const isKnown = ofAccount.known !== undefined;
		const wanted = new Map([...(isKnown ? chosenPlaces(inbox).lists : []), ...lists].map((ref) => [listKey(ref), ref]));
		for (const [key, list] of watched) {
			if (!wanted.has(key) && isKnown) {
				watched.delete(key);
				skip(inbox, list.ref);
			}
		}
		for (const [key, ref] of wanted) {
			watched.set(
				key,
				watched.get(key) ?? {
					ref,
					times: pollTimes({ ...parts, rarelyMs }),
					waiting: [],
					mailDueMs: 0,
					areWaitingTold: false,
					mailFailures: 0,
					mailFailedMs: 0,
					askedMs: 0,
					wholeMs: undefined,
				},
			);
		}
		[...watched.values()].forEach(skipUnwanted);
	}

	/** Mails during a mute are old news afterwards. */
	function skipUnwanted(list: WatchedList): void {
		if (!isWanted(list)) {
			skip(inbox, list.ref);
		} else if (isSkipped(inbox, list.ref)) {
			list.times.hurry();
		}
	}

	/**
	 * Everything for own lists; for other lists and lists with own mails, the things that concern the account. Nothing
	 * for lists that are present for a single thing.
	 */
	function usualIn(list: ListRef): Watching {
		if (lists.isMine(list)) {
			return 'everything';
		}
		const { known } = ofAccount;
		const isKnown = known === undefined || known.some((each) => listKey(each) === listKey(list));
		return isKnown || own.lists.has(listKey(list)) ? 'concerns' : 'nothing';
	}

	/** Skips a muted list, unless the user chose one of its things. */
	function isWanted({ ref }: WatchedList): boolean {
		return (
			watchingOf(inbox, { thing: placeOfList(ref), place: placeOfList(ref), usual: usualIn(ref) }) !== 'nothing' ||
			chosenPlaces(inbox).lists.some((each) => listKey(each) === listKey(ref))
		);
	}

	async function readList(list: WatchedList, signal: AbortSignal): Promise<void> {
		list.askedMs = clock.nowMs();
		const found = await newsOf(list.ref, list.waiting.at(-1)?.mail.id ?? 0, signal);
		list.areWaitingTold = list.times.isTold || (list.areWaitingTold && list.waiting.length > 0);
		const { wholeMs } = list;
		const waiting = new Map(
			[...found.mails.map((mail) => ({ mail, wholeMs })), ...list.waiting].map((each) => [each.mail.id, each]),
		);
		list.waiting = [...waiting.values()].toSorted((a, b) => a.mail.id - b.mail.id);
		list.times.read(found.isNew, list.askedMs);
		if (found.isMore) {
			list.times.hurry();
		} else {
			list.wholeMs = list.askedMs;
		}
		readings.told();
		await ofMails.tellLonePatches(list.ref, signal);
		ofAccount.note(found.mails.filter(({ sender }) => sender?.canonicalName === me));
	}

	owned.add(
		readings.add(
			() =>
				[...watched.values()].filter(isWanted).map((list) => ({
					watched: { kind: 'list', ref: list.ref },
					...readingOf(list.times),
					readMs: wholeMsOf(list),
					...(list.mailFailures > 0 ? { hasFailed: true, failedMs: list.mailFailedMs } : {}),
				})),
			() => older.isHurried() || threads.isHurried() || ofAccount.isDue(),
		),
	);
	owned.add(lists.onDidSetStatus(({ ref, patchset }) => inbox.add(ownStatus(inbox, ref.list, patchset))));
	owned.add(
		inbox.onDidChange(({ areChoices }) => {
			if (areChoices && ofAccount.known) {
				follow(ofAccount.known);
				background.loop.plan();
			}
		}),
	);
	owned.add(
		lists.onDidChange(({ kind }) => {
			// Someone subscribed, followed or created a list.
			if (kind === 'lists') {
				ofAccount.due();
			}
		}),
	);

	return {
		isWatched: (list: ListRef) => watched.has(listKey(list)),
		/** Schedules a read of the newest rows, unless the last read began after `sinceMs`. */
		due(ref: ListRef, sinceMs: number) {
			const list = watched.get(listKey(ref));
			if (list && list.askedMs <= sinceMs) {
				list.times.told();
				background.loop.plan();
			}
		},
		/** Call after the account sent a mail. */
		ownMailsDue: () => ofAccount.told(),
		dispose: () => owned.dispose(),
	};
}

/** The inbox has everything before this time. */
function wholeMsOf({ waiting, wholeMs }: WatchedList): number | undefined {
	const all = [wholeMs, ...waiting.map((each) => each.wholeMs)];
	return all.includes(undefined) ? undefined : Math.min(...all.map((atMs) => atMs ?? 0));
}
