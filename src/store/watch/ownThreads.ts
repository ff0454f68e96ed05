import type { Clock } from '../../base/clock.ts';
import { isRefused } from '../../forge/port/isAway.ts';
import { refOfList, type ListRef, type ShortEmail } from '../../forge/port/list.ts';
import { jittered } from '../background/adaptivePace.ts';
import type { Background } from '../background/backgroundLoop.ts';
import type { BudgetedTaskParts } from '../background/budgetedTask.ts';
import type { Inbox } from '../inbox/inbox.ts';
import { thingKey } from '../inbox/inboxEntry.ts';
import { patchsetPosition } from '../inbox/mailNotices.ts';
import type { ListStore } from '../lists/listStore.ts';
import { answered } from './hintedThing.ts';
import { watchingInList, type UsualInList } from './listPlaces.ts';
import type { MailNews, OwnInLists } from './mailNews.ts';
import { closedStatuses } from './olderPatchsets.ts';
import type { PartInPatchsets } from './partInPatchsets.ts';
import type { PatchsetNews } from './patchsetNews.ts';
import { rareAsking } from './rareAsking.ts';

export interface OwnThreadsParts {
	readonly lists: Pick<ListStore, 'uncached' | 'apply' | 'renewPatchset' | 'knownPatchset'>;
	/** True if the watch reads the rows of the list, which cover all its threads. */
	readonly isWatched: (list: ListRef) => boolean;
	readonly own: Pick<OwnInLists, 'mails'>;
	readonly mails: Pick<MailNews, 'notices'>;
	readonly patchsets: Pick<PatchsetNews, 'tell' | 'standing'>;
	readonly part: Pick<PartInPatchsets, 'noteRoot'>;
	readonly inbox: Pick<Inbox, 'add' | 'choice' | 'position'>;
	readonly usualIn: UsualInList;
	readonly background: Background;
	readonly clock: Clock;
	/** Between 0 and 1. */
	readonly random: () => number;
}

interface OwnThread {
	readonly list: ListRef;
	/** Number of the first mail. */
	readonly id: number;
	/** Inbox position. */
	readonly name: string;
	/** Newest own mail. */
	readonly newest: ShortEmail;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Most recent threads with own mails. */
const mostThreads = 20;
/** Threads without mails for longer are over. */
const mostAgeMs = 60 * dayMs;
/** Age limit of news in a thread at the first look. */
const newMs = dayMs;
/** Poll interval as a part of the silence in the thread, between both limits. */
const patience = 0.1;
const [soonestMs, latestMs] = [15 * minuteMs, dayMs];
/** Entries for older new mails go out without their text. */
const mostRead = 10;

/**
 * A patch sender often does not follow the list, and its rows would mostly be noise. So each thread takes one request,
 * and one for the status of its patchset.
 */
export function ownThreads(parts: OwnThreadsParts) {
	const { lists, isWatched, own, mails, patchsets, inbox, usualIn, background, clock, random } = parts;
	/** Due times by position. */
	const dueAt = new Map<string, number>();
	/** Positions of refused threads and patchsets. */
	const gone = new Set<string>();
	const asking = rareAsking(background, clock);

	function toAsk(): readonly OwnThread[] {
		const threads = new Map<string, OwnThread>();
		for (const mail of own.mails.toSorted((a, b) => b.id - a.id)) {
			const list = mail.list && refOfList(mail.list);
			if (list && threads.size < mostThreads && !isWatched(list)) {
				const id = mail.threadId ?? mail.id;
				const name = thingKey({ kind: 'thread', list, id, subject: '' });
				threads.set(name, threads.get(name) ?? { list, id, name, newest: mail });
			}
		}
		return [...threads.values()].filter(
			(each) =>
				!gone.has(each.name) &&
				quietMs(each) <= mostAgeMs &&
				watchingInList({ inbox, usualIn }, each.list, each.name) !== 'nothing',
		);
	}

	/** Known silence in the thread. */
	function quietMs({ name, newest }: OwnThread): number {
		return clock.nowMs() - Math.max(newest.createdMs, inbox.position(name)?.sinceMs ?? 0);
	}

	function mostOverdue(): OwnThread | undefined {
		const due = toAsk().filter(({ name }) => (dueAt.get(name) ?? 0) <= clock.nowMs());
		return due.toSorted((a, b) => (dueAt.get(a.name) ?? 0) - (dueAt.get(b.name) ?? 0))[0];
	}

	async function read(signal: AbortSignal): Promise<void> {
		const thread = mostOverdue();
		if (thread === undefined) {
			asking.rest();
			return;
		}
		const everyMs = Math.min(latestMs, Math.max(soonestMs, quietMs(thread) * patience));
		dueAt.set(thread.name, clock.nowMs() + jittered(everyMs, random));
		try {
			asking.spend();
			const all = await lists.uncached.thread(thread.id, signal);
			await tellMails(thread, all, signal);
			await tellStatus(thread, all, signal);
		} catch (error) {
			if (!isRefused(error)) {
				throw error;
			}
			gone.add(thread.name);
		}
	}

	/** Oldest first, each with its position, so a retry continues at the failed mail. */
	async function tellMails(
		{ list, name, newest }: OwnThread,
		all: readonly ShortEmail[],
		signal: AbortSignal,
	): Promise<void> {
		const known = inbox.position(name);
		const sinceMs = known ? 0 : clock.nowMs() - newMs;
		const fresh = all
			.filter(({ id, createdMs }) => id > (known?.newestId ?? newest.id) && createdMs >= sinceMs)
			.toSorted((a, b) => a.id - b.id);
		lists.apply(...fresh.map((mail) => ({ kind: 'mailArrived', list, mail }) as const));
		for (const [at, mail] of fresh.entries()) {
			const entries = await mails.notices(list, mail, fresh.length - at > mostRead ? 'unread' : 'read', signal);
			inbox.add({ entries, positions: new Map([positionAt(name, mail)]) });
		}
		const last = all.toSorted((a, b) => a.id - b.id).at(-1);
		if (last && !inbox.position(name)) {
			inbox.add({ entries: [], positions: new Map([positionAt(name, last)]) });
		}
	}

	/** The later position wins, and servers do not promise rising times. */
	function positionAt(
		name: string,
		{ id, createdMs }: ShortEmail,
	): [string, { sinceMs: number; newestId: number; detail: string }] {
		return [name, { sinceMs: Math.max(createdMs, (inbox.position(name)?.sinceMs ?? 0) + 1), newestId: id, detail: '' }];
	}

	async function tellStatus({ list, id }: OwnThread, all: readonly ShortEmail[], signal: AbortSignal): Promise<void> {
		const patchsetId = all.find((mail) => mail.patchsetId !== undefined)?.patchsetId;
		if (patchsetId === undefined) {
			return;
		}
		parts.part.noteRoot(id, patchsetId);
		const ref = { list, id: patchsetId };
		const name = patchsetPosition(list, patchsetId);
		const known = inbox.position(name);
		if (gone.has(name) || (known && closedStatuses.has(known.detail))) {
			return;
		}
		asking.spend();
		if (!(await answered(lists.renewPatchset(ref, signal)))) {
			gone.add(name);
			return;
		}
		const patchset = lists.knownPatchset(ref);
		if (patchset === undefined) {
			return;
		}
		if (known) {
			await patchsets.tell(list, [patchset], signal);
		} else {
			inbox.add({ entries: [], positions: patchsets.standing(list, [patchset]) });
		}
	}

	return {
		/** Next reading; free without a due thread. */
		task: (): Pick<BudgetedTaskParts, 'wishedMs' | 'isTold' | 'read' | 'failed'> => ({
			wishedMs: asking.nextMs(),
			isTold: false,
			read,
			failed: () => asking.rest(),
		}),
		/** Makes all threads due. */
		hurry() {
			dueAt.clear();
			asking.hurry();
		},
		/** True until these reads are done. */
		isHurried: () => asking.isHurried,
		clockWentBack(byMs: number) {
			asking.clockWentBack(byMs);
			dueAt.forEach((atMs, name) => dueAt.set(name, atMs - byMs));
		},
	};
}
