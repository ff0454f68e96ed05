import type { Clock } from '../../base/clock.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import { listKey, type ListRef, type ShortEmail } from '../../forge/list.ts';
import type { OwnerName } from '../../forge/user.ts';
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
	/** `~name` of the account. */
	readonly me: OwnerName;
	/** As `accountWatch` has it; false when left out. */
	readonly isReadSinceOpened?: boolean;
	readonly clock: Clock;
}

interface WatchedList {
	readonly ref: ListRef;
	readonly times: PollTimes;
	/** New mails that are not in the inbox yet, oldest first. `wholeMs`: of the list when the mail was found. */
	waiting: readonly { readonly mail: ShortEmail; readonly wholeMs: number | undefined }[];
	/** When the first of them is wished for: after one that was told the newest rows of all lists have their turn as well. */
	mailDueMs: number;
	/** A delivery led to some of them. */
	areWaitingTold: boolean;
	mailFailures: number;
	/** When the last of these was; milliseconds since 1970. */
	mailFailedMs: number;
	/** When its newest rows were last asked for; milliseconds since 1970. */
	askedMs: number;
	/** Everything that came before then was found; `undefined` before the first whole reading. */
	wholeMs: number | undefined;
}

export interface ListWatch extends Disposable {
	isWatched(list: ListRef): boolean;
	/** Something came to the list at that time: its newest rows are due now, unless they were asked for since. */
	due(list: ListRef, sinceMs: number): void;
	/** The account sent something, to whatever list. */
	ownMailsDue(): void;
}

/** Behind the news of trackers. */
const share = 0.9;
const minuteMs = 60_000;
/** Rarer than what one request tells of: reading a list takes three. */
const rarelyMs = 20 * minuteMs;
/** After as many a mail is told without being read, or all that come after it would wait for ever. */
const mostMailFailures = 3;

/**
 * Brings to the inbox what comes to one's own, subscribed and followed lists: new mails and patchsets, and other statuses.
 * Each list is asked for its newest rows now and then, two or three requests; a new mail is read as well, because only its
 * text tells whom it names.
 */
export function listWatch(parts: ListWatchParts): ListWatch {
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
						// While nobody is there, few are found that no delivery named.
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
							// While its rows cannot be read either, the forge is away or refuses the token: the mail may be read after that.
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

	/** Takes up lists; what is neither known nor chosen any more goes, once all that are known were read. */
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

	/** What comes while nobody wants to hear of it is no news when somebody does again; from then on it is. */
	function skipUnwanted(list: WatchedList): void {
		if (!isWanted(list)) {
			skip(inbox, list.ref);
		} else if (isSkipped(inbox, list.ref)) {
			list.times.hurry();
		}
	}

	/**
	 * All of one's own lists, of others and of those in which the account wrote what concerns it, of those that are there for
	 * one of their things nothing.
	 */
	function usualIn(list: ListRef): Watching {
		if (lists.isMine(list)) {
			return 'everything';
		}
		const { known } = ofAccount;
		const isKnown = known === undefined || known.some((each) => listKey(each) === listKey(list));
		return isKnown || own.lists.has(listKey(list)) ? 'concerns' : 'nothing';
	}

	/** A list of which nobody wants to hear is asked for nothing, unless somebody wants to hear of a thing of it. */
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
			// Lists came or went: subscribed, followed or made.
			if (kind === 'lists') {
				ofAccount.due();
			}
		}),
	);

	return {
		isWatched: (list) => watched.has(listKey(list)),
		due(ref, sinceMs) {
			const list = watched.get(listKey(ref));
			if (list && list.askedMs <= sinceMs) {
				list.times.told();
				background.loop.plan();
			}
		},
		ownMailsDue: () => ofAccount.told(),
		dispose: () => owned.dispose(),
	};
}

/** Everything that came before then is in the inbox. */
function wholeMsOf({ waiting, wholeMs }: WatchedList): number | undefined {
	const all = [wholeMs, ...waiting.map((each) => each.wholeMs)];
	return all.includes(undefined) ? undefined : Math.min(...all.map((atMs) => atMs ?? 0));
}
