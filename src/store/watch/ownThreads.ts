import { isRefused } from 'sourcehut/port/isAway.ts';
import { listKey, refOfList, type ListRef, type ShortEmail } from 'sourcehut/port/list.ts';
import { jittered } from '../background/schedule.ts';
import { thingKey } from '../inbox/inboxEntry.ts';
import { patchsetPosition } from '../inbox/mailNotices.ts';
import type { MailNews } from './mailNews.ts';
import { closedStatuses } from './olderPatchsets.ts';
import type { PartInPatchsets } from './partInPatchsets.ts';
import type { PatchsetNews } from './patchsetNews.ts';
import { answered, rarePolling } from './polling.ts';
import type { ListsContext } from './watchContext.ts';

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
export function ownThreads(context: ListsContext, part: PartInPatchsets, mails: MailNews, patchsets: PatchsetNews) {
	const { lists, watched, own, inbox, watchingIn, clock, random } = context;
	/** Due times by position. */
	const dueAt = new Map<string, number>();
	/** Positions of refused threads and patchsets. */
	const gone = new Set<string>();
	const asking = rarePolling(context, read);

	function mostOverdue(): OwnThread | undefined {
		const threads = new Map<string, OwnThread>();
		const covered = new Set(watched().map(listKey));
		for (const mail of own.mails.toSorted((a, b) => b.id - a.id)) {
			const list = mail.list && refOfList(mail.list);
			if (list && threads.size < mostThreads && !covered.has(listKey(list))) {
				const id = mail.threadId ?? mail.id;
				const name = thingKey({ kind: 'thread', list, id, subject: '' });
				threads.set(name, threads.get(name) ?? { list, id, name, newest: mail });
			}
		}
		const dueMs = ({ name }: OwnThread): number => dueAt.get(name) ?? 0;
		const due = [...threads.values()].filter((each) => {
			const isOver = gone.has(each.name) || quietMs(each) > mostAgeMs;
			return !isOver && watchingIn(each.list, each.name) !== 'nothing' && dueMs(each) <= clock.nowMs();
		});
		return due.toSorted((a, b) => dueMs(a) - dueMs(b))[0];
	}

	/** Known silence in the thread. */
	function quietMs({ name, newest }: OwnThread): number {
		return clock.nowMs() - Math.max(newest.createdMs, inbox.position(name)?.sinceMs ?? 0);
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
		part.noteRoot(id, patchsetId);
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
		...asking,
		/** Makes all threads due. */
		hurry(): void {
			dueAt.clear();
			asking.hurry();
		},
	};
}
