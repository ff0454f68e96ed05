import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { minOf } from '@forge-desk/base/longArrays.ts';
import { listKey, type ListRef, type ShortEmail } from 'sourcehut/port/list.ts';
import { jittered, schedule, type Schedule } from '../background/schedule.ts';
import type { BackgroundTask } from '../background/backgroundLoop.ts';
import { chosenPlaces, watchingOf } from './chosenPlaces.ts';
import { isSkipped, placeOfList, skip, lineOfList, patchsetsOfList } from './listPlaces.ts';
import { listNews } from './listNews.ts';
import { mailNews } from './mailNews.ts';
import { ownInLists } from './ownInLists.ts';
import { ownThreads } from './ownThreads.ts';
import { listRounds, type ListInRounds } from './listRounds.ts';
import { closedStatuses, olderPatchsets } from './olderPatchsets.ts';
import { partInPatchsets } from './partInPatchsets.ts';
import { ownStatus, patchsetNews } from './patchsetNews.ts';
import { polling, type Polled, type Polling } from './polling.ts';
import type { ListsContext, WatchContext } from './watchContext.ts';
import { watchedFiles } from './watchedFiles.ts';

interface WatchedList extends ListInRounds {
	readonly polling: Polling;
	/** New mails outside the inbox, oldest first. `wholeMs`: that of the list at the time of the find. */
	waiting: readonly { readonly mail: ShortEmail; readonly wholeMs: number | undefined }[];
	/** Reads of the first mail. The newest rows of all lists have a turn between two mails. */
	readonly mails: Schedule;
	/** A delivery led to some of these mails. */
	areWaitingTold: boolean;
	/** The watch has found everything before this time; `undefined` before the first whole reading. */
	wholeMs: number | undefined;
	/** Readings of the statuses of patchsets. Due times are for a list without new mails. */
	readonly statuses: Schedule;
}

/** Behind ticket news. */
const share = 0.9;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Requests of a list with a new mail. */
const lookRequests = 4;
/** Longer than for a one-request thing: a list takes three requests. */
const rarelyMs = 20 * minuteMs;
/** A new status sends no mail. */
const statusEveryMs = 30 * minuteMs;
const mailRestMs = 5 * minuteMs;
/** After so many failures the entry goes out without the text, so later mails can follow. */
const mostMailFailures = 3;

export type ListWatch = ReturnType<typeof listWatch>;

/**
 * Adds new mails, patchsets and statuses of own, subscribed and followed lists to the inbox. Polling a list takes two
 * or three requests. Each new mail takes another one, since only the text names people.
 */
export function listWatch(context: WatchContext, isReadSinceOpened: boolean) {
	const { lists, inbox, background, readings, me, clock, random } = context;
	const owned = new Disposables();
	const watched = new Map<string, WatchedList>();
	const ofAccount = ownInLists(context, follow);
	const { own } = ofAccount;
	const listContext: ListsContext = {
		...context,
		own,
		watched: () => [...watched.values()].map(({ ref }) => ref),
		watchingIn(list, thing) {
			// Everything for own lists. For other lists and lists with own mails, the things that concern the account.
			// Nothing for lists that are present for a single thing.
			const isKnown = ofAccount.known?.some((each) => listKey(each) === listKey(list)) ?? true;
			const usual = isKnown || own.lists.has(listKey(list)) ? 'concerns' : 'nothing';
			return watchingOf(inbox, thing, placeOfList(list), lists.collection.isMine(list) ? 'everything' : usual);
		},
	};
	const ofMails = mailNews(listContext);
	const part = partInPatchsets(listContext);
	const ofPatchsets = patchsetNews(listContext, part, ofMails, isReadSinceOpened);
	const older = olderPatchsets({ ...listContext, watched: () => wanted().map(({ ref }) => ref) }, part, ofPatchsets);
	const threads = ownThreads(listContext, part, ofMails, ofPatchsets);
	const files = watchedFiles(listContext);
	const newsOf = listNews(context, ofPatchsets);
	const rounds = listRounds<WatchedList>(context, wanted, ofAccount.fresh, (list, startMs) => {
		list.wholeMs = startMs;
		readings.fire();
	});

	owned.add(
		background.loop.add({
			tasks,
			hurry(why) {
				if (why === 'wish') {
					older.hurry();
					threads.hurry();
				}
				ofAccount.hurry();
				rounds.due();
				watched.forEach((list) => {
					list.polling.hurry();
					list.statuses.hurry();
					list.mails.hurry();
				});
			},
		}),
	);

	// A work of its own: on a small budget, found mails take turns with polls of all lists.
	owned.add(background.loop.add({ tasks: () => [...watched.values()].flatMap(mailTask) }));

	function tasks(): readonly BackgroundTask[] {
		const apart = [ofAccount.task(), rounds.task(), older.task(), threads.task()];
		const all = wanted();
		const chosen = new Set(chosenPlaces(inbox).lists.map((ref) => listKey(ref)));
		const [candidate, checked] = [rounds.candidate(), rounds.checked()];
		const nowMs = clock.nowMs();
		// Within a turn of all lists, so that every list has one, however many are chosen.
		const aheadMs = (all.length * lookRequests * hourMs) / (share * background.budget.perHour());
		const polls = all.flatMap((list) =>
			pollTask(list, candidate, checked).map((task) => {
				const turns = Number(chosen.has(listKey(list.ref))) + Number(rounds.hasNews(list));
				return task.dueMs > nowMs ? task : { ...task, dueMs: task.dueMs - turns * aheadMs };
			}),
		);
		return [...apart.map((each) => ({ ...each, share, area: 'lists' as const })), ...polls];
	}

	/** `candidate`, `checked`: see `listRounds`. */
	function pollTask(
		list: WatchedList,
		candidate: WatchedList | undefined,
		checked: WatchedList | undefined,
	): readonly BackgroundTask[] {
		const task = list.polling.task();
		if (list.polling.isTold) {
			return [task];
		}
		if (!rounds.isDue() && !rounds.knows(list)) {
			return candidate === undefined || candidate === list ? [task] : [];
		}
		if (checked === list) {
			return [{ ...task, dueMs: clock.nowMs() }];
		}
		if (rounds.isDue() || (rounds.isQuiet(list) && lineOfList(inbox, list.ref) && !hasStatuses(list.ref))) {
			return [];
		}
		const { hasFailed, readMs = 0 } = list.polling.reading();
		const settledMs = rounds.isQuiet(list) ? list.statuses.dueMs : rounds.settledMs(list);
		return [hasFailed || readMs >= settledMs ? task : { ...task, dueMs: settledMs }];
	}

	/** True for a list with patchsets whose status may change. */
	function hasStatuses(ref: ListRef): boolean {
		const rows = lists.patchsets(ref).ofServer()?.items;
		const isOpen = rows?.some(({ status }) => !closedStatuses.has(status)) ?? true;
		return isOpen && (inbox.position(patchsetsOfList(ref))?.newestId ?? 0) > 0;
	}

	function mailTask(list: WatchedList): readonly BackgroundTask[] {
		const [first] = list.waiting;
		if (first === undefined) {
			return [];
		}
		const task: BackgroundTask = {
			dueMs: list.mails.dueMs,
			share,
			cause: list.areWaitingTold ? 'delivery' : 'poll',
			area: 'lists',
			// In an idle window, deliveries find most mails.
			isTold: true,
			async read(signal: AbortSignal) {
				let next: ShortEmail | undefined = first.mail;
				do {
					const mails = list.waiting.map(({ mail }) => mail);
					const how =
						list.mails.failures < mostMailFailures ? await ofMails.prepare(list.ref, mails, signal) : 'unread';
					await ofMails.tell(list.ref, next, how, signal);
					list.waiting = list.waiting.filter(({ mail }) => mail !== next);
					next = list.waiting[0]?.mail;
				} while (next && (lists.mails.known(next.id) || ofMails.isUnnamed(list.ref, next)));
				list.mails.answered();
				list.mails.wait(0);
				keepActivity(list);
				skipUnwanted(list);
				readings.fire();
			},
			failed() {
				// If the rows fail too, the forge is away or refuses the token, and the mail may be fine.
				if ((list.polling.reading().readMs ?? 0) > list.mails.failedMs) {
					list.mails.failed();
				} else {
					list.mails.wait(mailRestMs);
				}
				readings.fire();
			},
		};
		return [task];
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
			const list: WatchedList = watched.get(key) ?? {
				ref,
				polling: polling(
					context,
					'lists',
					(signal, askedMs) => readList(list, signal, askedMs),
					rarelyMs,
					async (signal) => {
						await ofMails.tellLonePatches(ref, signal);
						await files.tell(ref, signal);
					},
				),
				waiting: [],
				mails: schedule(clock, 0, () => mailRestMs),
				areWaitingTold: false,
				wholeMs: undefined,
				statuses: schedule(clock, 0),
				activity: undefined,
				firstMs: undefined,
				followedMs: clock.nowMs(),
				coveredMs: undefined,
				toldMs: undefined,
				toldAtMs: 0,
				newestMs: undefined,
				checkedMs: 0,
			};
			if (!watched.has(key)) {
				rounds.due();
			}
			watched.set(key, list);
		}
		[...watched.values()].forEach(skipUnwanted);
	}

	/** Mails during a mute are old news afterwards. */
	function skipUnwanted(list: WatchedList): void {
		if (!isWanted(list)) {
			skip(inbox, list.ref);
			list.firstMs = undefined;
			list.followedMs = Number.POSITIVE_INFINITY;
		} else if (isSkipped(inbox, list.ref)) {
			list.followedMs = Math.min(list.followedMs, clock.nowMs());
			list.polling.hurry();
		}
	}

	/** Skips a muted list, unless the user chose one of its things. */
	function isWanted({ ref }: WatchedList): boolean {
		return (
			listContext.watchingIn(ref, placeOfList(ref)) !== 'nothing' ||
			chosenPlaces(inbox).lists.some((each) => listKey(each) === listKey(ref))
		);
	}

	function wanted(): readonly WatchedList[] {
		return [...watched.values()].filter(isWanted);
	}

	async function readList(list: WatchedList, signal: AbortSignal, askedMs: number): Promise<Polled> {
		const { activity } = list;
		const isQuiet = !list.polling.isTold && rounds.knows(list) && rounds.isQuiet(list) && rounds.checked() !== list;
		const found = await newsOf(list, list.waiting.at(-1)?.mail.id ?? 0, isQuiet, signal);
		if (found.isNew) {
			files.due(list.ref);
		}
		list.areWaitingTold = list.polling.isTold || (list.areWaitingTold && list.waiting.length > 0);
		const { wholeMs } = list;
		const waiting = new Map(
			[...found.mails.map((mail) => ({ mail, wholeMs })), ...list.waiting].map((each) => [each.mail.id, each]),
		);
		list.waiting = [...waiting.values()].toSorted((a, b) => a.mail.id - b.mail.id);
		list.wholeMs = found.isMore ? wholeMs : askedMs;
		if (!found.isMore) {
			list.statuses.asked(askedMs);
			list.statuses.answered();
			list.statuses.wait(jittered(statusEveryMs, random));
			rounds.covered(list, activity, askedMs);
			rounds.learn(list, found.newestMs);
			keepActivity(list);
		}
		ofAccount.note(found.mails.filter(({ sender }) => sender?.canonicalName === me));
		return found.isMore ? 'more' : found.isNew ? 'news' : 'nothing';
	}

	function keepActivity(list: WatchedList): void {
		const positions = new Map(list.waiting.length === 0 ? rounds.position(list) : []);
		if (positions.size > 0) {
			inbox.add({ entries: [], positions });
		}
	}

	owned.add(
		readings.add(
			() =>
				wanted().map((list) => {
					const { readMs: statusMs } = list.statuses.reading();
					// The inbox has everything before the earliest of these times.
					const wholeMs = [list.wholeMs, ...list.waiting.map((each) => each.wholeMs)];
					const isUnread = wholeMs.includes(undefined) || (statusMs === undefined && hasStatuses(list.ref));
					return {
						watched: { kind: 'list', ref: list.ref },
						...list.polling.reading(),
						readMs: isUnread ? undefined : minOf(wholeMs.map((atMs) => atMs ?? 0)),
						olderMs: hasStatuses(list.ref) ? statusMs : undefined,
						...(list.mails.failures > 0 ? { hasFailed: true, failedMs: list.mails.failedMs } : {}),
					};
				}),
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
		due: (ref: ListRef, sinceMs: number) => watched.get(listKey(ref))?.polling.due(sinceMs),
		/** Call after the account sent a mail. */
		ownMailsDue: () => ofAccount.told(),
		dispose: () => owned.dispose(),
	};
}
