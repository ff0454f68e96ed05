import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { listKey } from 'sourcehut/port/list.ts';
import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import { isEventBy, type TicketEvent } from 'sourcehut/port/ticket.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { InboxItem } from '../inbox/inboxBook.ts';
import { thingKey, type InboxEntry } from '../inbox/inboxEntry.ts';
import { watchedKey } from '../inbox/watched.ts';
import type { ListStore } from '../lists/listStore.ts';
import type { ListReadMarks, ReadMarks } from '../readMarks/storedReadMarks.ts';
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

	function read(items: readonly InboxItem[], isSeen: (entry: InboxEntry) => boolean): void {
		const ids = items.filter(({ entry, state }) => state === 'unread' && isSeen(entry)).map(({ entry }) => entry.id);
		if (ids.length > 0) {
			inbox.setState(ids, 'read');
		}
	}

	function isSeenAlready({ thing, event }: InboxEntry): boolean {
		switch (thing.kind) {
			case 'ticket':
				return isUpTo(eventIdOf(event), readMarks.lastSeenEventId(thing.ref));
			case 'thread':
				return isUpTo(mailIdOf(event), threadReadMarks.lastSeenEventId({ list: thing.list, id: thing.id }));
			case 'patchset': {
				const { list } = thing.ref;
				const mailId = mailIdOf(event);
				const post = mailId === undefined ? undefined : lists.knownPosts(list).find(({ id }) => id === mailId);
				return (
					post !== undefined && isUpTo(mailId, threadReadMarks.lastSeenEventId({ list, id: post.threadId ?? post.id }))
				);
			}
			case 'repository':
				return false;
		}
	}

	owned.add(inbox.onDidChange(({ arrived, foundElsewhere }) => read([...arrived, ...foundElsewhere], isSeenAlready)));
	owned.add(
		readMarks.onDidLook(({ ref, updatedMs, newestEventId, isByHand }) => {
			// Without a newest event and without a click, the account only changed the ticket.
			if (!isByHand && newestEventId === undefined) {
				return;
			}
			const key = watchedKey({ kind: 'ticket', ref });
			read(inbox.items(), ({ thing, event, atMs }) => {
				const eventId = isByHand ? undefined : eventIdOf(event);
				const isSeen = eventId === undefined ? atMs <= updatedMs : isUpTo(eventId, newestEventId);
				return isSeen && thingKey(thing) === key;
			});
		}),
	);
	owned.add(
		readMarks.onDidMarkAll(({ place, updatedMs }) => {
			const key = trackerKey(place);
			read(
				inbox.items(),
				({ thing, atMs }) => thing.kind === 'ticket' && trackerKey(thing.ref.tracker) === key && atMs <= updatedMs,
			);
		}),
	);
	owned.add(
		tickets.onDidChange((change) => {
			if (change.kind !== 'ticket') {
				return;
			}
			// Own changes in another client do not mark the ticket as unread.
			const ref = change.ticket;
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
		}),
	);
	owned.add(
		threadReadMarks.onDidLook(({ ref: { list, id }, newestEventId }) => {
			const key = watchedKey({ kind: 'thread', list, id });
			const mails = new Set(lists.knownThread(list, id)?.map((mail) => mail.id));
			read(inbox.items(), ({ thing, event }) => {
				const mailId = mailIdOf(event);
				// Entries of a patchset may belong to mails of this thread.
				const isOfPatchset = thing.kind === 'patchset' && listKey(thing.ref.list) === listKey(list);
				const isInThread = thingKey(thing) === key || (isOfPatchset && mailId !== undefined && mails.has(mailId));
				return isInThread && isUpTo(mailId, newestEventId);
			});
		}),
	);
	owned.add(
		patchsetReadMarks.onDidLook(({ ref, updatedMs }) => {
			const key = watchedKey({ kind: 'patchset', ref });
			const items = inbox.items().filter(({ entry }) => thingKey(entry.thing) === key);
			// A status may carry the time of its reading, later than all forge times: the newest known status covers the
			// earlier ones.
			const statuses = items.flatMap(({ entry: { event } }) => (event.kind === 'patchsetMarked' ? [event.status] : []));
			const isStatusSeen = lists.knownPatchset(ref)?.status === statuses[0];
			// The inbox announces a formed patchset with one of its mails.
			const { cover, patches = [] } =
				(firstMailOfFormed(ref.id) === undefined ? undefined : lists.knownSeries(ref)) ?? {};
			const mails = new Set([cover, ...patches].map((mail) => mail?.id));
			read(inbox.items(), ({ thing, event }) => {
				const mailId = mailIdOf(event);
				const isInList = thing.kind === 'patchset' && listKey(thing.ref.list) === listKey(ref.list);
				return mailId !== undefined && mails.has(mailId) && isInList;
			});
			// The thread page covers its mails.
			read(items, ({ event, atMs }) =>
				event.kind === 'patchsetMarked' && isStatusSeen ? true : mailIdOf(event) === undefined && atMs <= updatedMs,
			);
		}),
	);
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
