import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { listKey, type ListRef, type PatchsetRef } from 'sourcehut/port/list.ts';
import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import { isEventBy, type TicketEvent, type TicketRef } from 'sourcehut/port/ticket.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { InboxItem } from '../inbox/inboxBook.ts';
import { thingKey, type InboxEntry } from '../inbox/inboxEntry.ts';
import { watchedKey } from '../inbox/watched.ts';
import type { ListStore } from '../lists/listStore.ts';
import type { ListReadMarks, ThreadRef, LookedAt, MarkedPlace, ReadMarks } from '../readMarks/storedReadMarks.ts';
import type { TicketStore } from '../tickets/ticketStore.ts';
import { trackerKey } from '../tickets/trackerRefs.ts';

/**
 * Marks inbox entries as read after the user saw them on the page of their ticket, thread or patchset, up to the newest
 * event or mail there, even if the entry arrives later. The mark of a ticket or tracker row counts up to its update
 * time. See `src/features/inbox/inboxFeature.ts` for the other direction.
 */
export function readOnPages(context: {
	readonly inbox: Inbox;
	readonly readMarks: ReadMarks;
	readonly threadReadMarks: ListReadMarks;
	readonly patchsetReadMarks: ListReadMarks;
	readonly lists: ListStore;
	readonly tickets: TicketStore;
	readonly me: OwnerName;
}): Disposable {
	const { inbox, readMarks, threadReadMarks, patchsetReadMarks, lists, tickets, me } = context;
	const owned = new Disposables();

	/** For mails among the known posts. */
	function threadOf(list: ListRef, mailId: number): ThreadRef | undefined {
		const post = lists.knownPosts(list).find(({ id }) => id === mailId);
		return post && { list, id: post.threadId ?? post.id };
	}

	function isSeenAlready({ thing, event }: InboxEntry): boolean {
		switch (thing.kind) {
			case 'ticket':
				return isUpTo(eventIdOf(event), readMarks.lastSeenEventId(thing.ref));
			case 'thread':
				return isUpTo(mailIdOf(event), threadReadMarks.lastSeenEventId({ list: thing.list, id: thing.id }));
			case 'patchset': {
				const mailId = mailIdOf(event);
				const thread = mailId === undefined ? undefined : threadOf(thing.ref.list, mailId);
				return thread !== undefined && isUpTo(mailId, threadReadMarks.lastSeenEventId(thread));
			}
			case 'repository':
				return false;
		}
	}

	function read(items: readonly InboxItem[], isSeen: (entry: InboxEntry) => boolean): void {
		const ids = items.filter(({ entry, state }) => state === 'unread' && isSeen(entry)).map(({ entry }) => entry.id);
		if (ids.length > 0) {
			inbox.setState(ids, 'read');
		}
	}

	/** Without a newest event and without a click, the account only changed the ticket. */
	function ticketRead({ ref, updatedMs, newestEventId, isByHand }: LookedAt<TicketRef>): void {
		const key = watchedKey({ kind: 'ticket', ref });
		read(inbox.items(), ({ thing, event, atMs }) => {
			const eventId = isByHand ? undefined : eventIdOf(event);
			return (
				thingKey(thing) === key &&
				(isByHand || newestEventId !== undefined) &&
				(eventId === undefined ? atMs <= updatedMs : isUpTo(eventId, newestEventId))
			);
		});
	}

	function trackerRead({ place, updatedMs }: MarkedPlace<TrackerRef>): void {
		const key = trackerKey(place);
		read(
			inbox.items(),
			({ thing, atMs }) => thing.kind === 'ticket' && trackerKey(thing.ref.tracker) === key && atMs <= updatedMs,
		);
	}

	/** Entries of a patchset may belong to mails of this thread. */
	function threadRead({ ref: { list, id }, newestEventId }: LookedAt<ThreadRef>): void {
		const key = watchedKey({ kind: 'thread', list, id });
		const mails = new Set(lists.knownThread(list, id)?.map((mail) => mail.id));
		read(inbox.items(), ({ thing, event }) => {
			const mailId = mailIdOf(event);
			const isInThread =
				thingKey(thing) === key ||
				(thing.kind === 'patchset' &&
					listKey(thing.ref.list) === listKey(list) &&
					mailId !== undefined &&
					mails.has(mailId));
			return isInThread && isUpTo(mailId, newestEventId);
		});
	}

	/**
	 * The thread page covers its mails. A status may carry the time of its reading, later than all forge times: the
	 * newest known status covers the earlier ones.
	 */
	function patchsetRead({ ref, updatedMs }: LookedAt<PatchsetRef>): void {
		const key = watchedKey({ kind: 'patchset', ref });
		const items = inbox.items().filter(({ entry }) => thingKey(entry.thing) === key);
		const statuses = items.flatMap(({ entry: { event } }) => (event.kind === 'patchsetMarked' ? [event.status] : []));
		const isStatusSeen = lists.knownPatchset(ref)?.status === statuses[0];
		formedRead(ref);
		read(items, ({ event, atMs }) =>
			event.kind === 'patchsetMarked' && isStatusSeen ? true : mailIdOf(event) === undefined && atMs <= updatedMs,
		);
	}

	/** The inbox announces a formed patchset with one of its mails. */
	function formedRead(ref: PatchsetRef): void {
		const series = firstMailOfFormed(ref.id) === undefined ? undefined : lists.knownSeries(ref);
		const { cover, patches = [] } = series ?? {};
		const mails = new Set([cover, ...patches].map((mail) => mail?.id));
		const isInList = ({ thing }: InboxEntry): boolean =>
			thing.kind === 'patchset' && listKey(thing.ref.list) === listKey(ref.list);
		read(inbox.items(), (entry) => {
			const mailId = mailIdOf(entry.event);
			return mailId !== undefined && mails.has(mailId) && isInList(entry);
		});
	}

	/** Own changes in another client do not mark the ticket as unread. */
	function ownChangeRead(ref: TicketRef): void {
		const ticket = tickets.knownTicket(ref);
		const events = tickets.knownEvents(ref);
		const seenMs = readMarks.seenMs(ref);
		if (!ticket || !events || seenMs === undefined || readMarks.mark(ticket) !== 'changed') {
			return;
		}
		// A ticket that the user never opened has no last seen event.
		const seenId = readMarks.lastSeenEventId(ref);
		const isSeen = ({ id, createdMs }: TicketEvent): boolean =>
			seenId === undefined ? createdMs <= seenMs : id <= seenId;
		const fresh = events.items.filter((event) => !isSeen(event));
		const reachesSeen = fresh.length < events.items.length || events.completeness.kind === 'complete';
		const isAll = fresh.some(({ createdMs }) => createdMs >= ticket.updatedMs);
		if (reachesSeen && isAll && fresh.every((event) => isEventBy(event, me))) {
			readMarks.look(ticket, seenId === undefined ? undefined : fresh[0]?.id);
		}
	}

	owned.add(readMarks.onDidLook(ticketRead));
	owned.add(tickets.onDidChange((change) => change.kind === 'ticket' && ownChangeRead(change.ticket)));
	owned.add(readMarks.onDidMarkAll(trackerRead));
	owned.add(threadReadMarks.onDidLook(threadRead));
	owned.add(patchsetReadMarks.onDidLook(patchsetRead));
	owned.add(inbox.onDidChange(({ arrived, foundElsewhere }) => read([...arrived, ...foundElsewhere], isSeenAlready)));
	return owned;
}

function eventIdOf(event: InboxEntry['event']): number | undefined {
	return 'eventId' in event ? event.eventId : undefined;
}

function mailIdOf(event: InboxEntry['event']): number | undefined {
	return event.kind === 'mailArrived' ? event.mailId : undefined;
}

function isUpTo(id: number | undefined, newest: number | undefined): boolean {
	return id !== undefined && newest !== undefined && id <= newest;
}
