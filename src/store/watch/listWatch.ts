import { Disposables } from '../../base/lifecycle.ts';
import { listKey, type ListRef, type ShortEmail } from '../../forge/port/list.ts';
import type { BackgroundTask } from '../background/backgroundLoop.ts';
import type { Watching } from '../inbox/inboxBook.ts';
import { chosenPlaces, watchingOf } from './chosenPlaces.ts';
import { listNews } from './listNews.ts';
import { isSkipped, placeOfList, skip } from './listPlaces.ts';
import { mailNews } from './mailNews.ts';
import { ownInLists } from './ownInLists.ts';
import { ownThreads } from './ownThreads.ts';
import { olderPatchsets } from './olderPatchsets.ts';
import { partInPatchsets } from './partInPatchsets.ts';
import { ownStatus, patchsetNews } from './patchsetNews.ts';
import { polling, type Polled, type Polling } from './polling.ts';
import type { ListsContext, WatchContext } from './watchContext.ts';

interface WatchedList {
	readonly ref: ListRef;
	readonly polling: Polling;
	/** New mails outside the inbox, oldest first. `wholeMs`: that of the list at the time of the find. */
	waiting: readonly { readonly mail: ShortEmail; readonly wholeMs: number | undefined }[];
	/** Due time of the first mail. The newest rows of all lists have a turn between two mails. */
	mailDueMs: number;
	/** A delivery led to some of these mails. */
	areWaitingTold: boolean;
	mailFailures: number;
	/** Last failure, in milliseconds since 1970. */
	mailFailedMs: number;
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
export function listWatch(context: WatchContext, isReadSinceOpened: boolean) {
	const { lists, inbox, background, readings, me, clock } = context;
	const owned = new Disposables();
	const watched = new Map<string, WatchedList>();
	const ofAccount = ownInLists(context, follow);
	const { own } = ofAccount;
	const desk: ListsContext = {
		...context,
		own,
		watched: () => [...watched.values()].map(({ ref }) => ref),
		watchingIn: (list, thing) => watchingOf(inbox, thing, placeOfList(list), usualIn(list)),
	};
	const ofMails = mailNews(desk);
	const part = partInPatchsets(desk);
	const ofPatchsets = patchsetNews(desk, part, ofMails, isReadSinceOpened);
	const older = olderPatchsets({ ...desk, watched: () => wanted().map(({ ref }) => ref) }, part, ofPatchsets);
	const threads = ownThreads(desk, part, ofMails, ofPatchsets);
	const newsOf = listNews(context, ofPatchsets);

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
					list.polling.hurry();
					list.mailDueMs = Math.min(list.mailDueMs, clock.nowMs());
				});
			},
		}),
	);

	function tasks(): readonly BackgroundTask[] {
		const apart = [ofAccount.task(), older.task(), threads.task()];
		return [
			...apart.map((each) => ({ ...each, share, isApart: true })),
			...[...watched.values()].flatMap(mailTask),
			...wanted().map((list) => list.polling.task()),
		];
	}

	function mailTask(list: WatchedList): readonly BackgroundTask[] {
		const [first, ...later] = list.waiting;
		if (first === undefined) {
			return [];
		}
		const task: BackgroundTask = {
			dueMs: list.mailDueMs,
			share,
			cause: list.areWaitingTold ? 'delivery' : 'poll',
			isApart: true,
			// In an idle window, deliveries find most mails.
			isTold: true,
			async read(signal: AbortSignal) {
				const how = list.mailFailures < mostMailFailures ? 'read' : 'unread';
				await ofMails.tell(list.ref, first.mail, how, signal);
				list.waiting = later;
				list.mailFailures = 0;
				list.mailDueMs = clock.nowMs();
				skipUnwanted(list);
				readings.told();
			},
			failed() {
				// If the rows fail too, the forge is away or refuses the token, and the mail may be fine.
				if ((list.polling.reading().readMs ?? 0) > list.mailFailedMs) {
					list.mailFailures += 1;
					list.mailFailedMs = clock.nowMs();
				}
				list.mailDueMs = clock.nowMs() + 5 * minuteMs;
				readings.told();
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
					true,
					(signal, askedMs) => readList(list, signal, askedMs),
					rarelyMs,
					(signal) => ofMails.tellLonePatches(ref, signal),
				),
				waiting: [],
				mailDueMs: 0,
				areWaitingTold: false,
				mailFailures: 0,
				mailFailedMs: 0,
				wholeMs: undefined,
			};
			watched.set(key, list);
		}
		[...watched.values()].forEach(skipUnwanted);
	}

	/** Mails during a mute are old news afterwards. */
	function skipUnwanted(list: WatchedList): void {
		if (!isWanted(list)) {
			skip(inbox, list.ref);
		} else if (isSkipped(inbox, list.ref)) {
			list.polling.hurry();
		}
	}

	/**
	 * Everything for own lists; for other lists and lists with own mails, the things that concern the account. Nothing
	 * for lists that are present for a single thing.
	 */
	function usualIn(list: ListRef): Watching {
		if (lists.shelf.isMine(list)) {
			return 'everything';
		}
		const { known } = ofAccount;
		const isKnown = known === undefined || known.some((each) => listKey(each) === listKey(list));
		return isKnown || own.lists.has(listKey(list)) ? 'concerns' : 'nothing';
	}

	/** Skips a muted list, unless the user chose one of its things. */
	function isWanted({ ref }: WatchedList): boolean {
		return (
			desk.watchingIn(ref, placeOfList(ref)) !== 'nothing' ||
			chosenPlaces(inbox).lists.some((each) => listKey(each) === listKey(ref))
		);
	}

	function wanted(): readonly WatchedList[] {
		return [...watched.values()].filter(isWanted);
	}

	async function readList(list: WatchedList, signal: AbortSignal, askedMs: number): Promise<Polled> {
		const found = await newsOf(list.ref, list.waiting.at(-1)?.mail.id ?? 0, signal);
		list.areWaitingTold = list.polling.isTold || (list.areWaitingTold && list.waiting.length > 0);
		const { wholeMs } = list;
		const waiting = new Map(
			[...found.mails.map((mail) => ({ mail, wholeMs })), ...list.waiting].map((each) => [each.mail.id, each]),
		);
		list.waiting = [...waiting.values()].toSorted((a, b) => a.mail.id - b.mail.id);
		list.wholeMs = found.isMore ? wholeMs : askedMs;
		ofAccount.note(found.mails.filter(({ sender }) => sender?.canonicalName === me));
		return found.isMore ? 'more' : found.isNew ? 'news' : 'nothing';
	}

	owned.add(
		readings.add(
			() =>
				wanted().map((list) => ({
					watched: { kind: 'list', ref: list.ref },
					...list.polling.reading(),
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
		due: (ref: ListRef, sinceMs: number) => watched.get(listKey(ref))?.polling.due(sinceMs),
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
