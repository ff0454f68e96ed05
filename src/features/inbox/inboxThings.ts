import type { Inbox } from '../../store/inbox/inbox.ts';
import type { InboxItem } from '../../store/inbox/inboxBook.ts';
import { strongest, thingKey, type InboxReason, type InboxThing } from '../../store/inbox/inboxEntry.ts';

/** A thing with its entries. */
export interface ThingInInbox {
	/** As `thingKey` has it. */
	readonly key: string;
	/** As its newest entry has it: titles change. */
	readonly thing: InboxThing;
	/** Newest first; at least one. */
	readonly items: readonly [InboxItem, ...InboxItem[]];
	readonly unreadCount: number;
	/** The most personal reason among unread entries, or among all entries if none is unread. */
	readonly reason: InboxReason;
	readonly isMuted: boolean;
}

/** The things of an inbox, that with the newest entry first. Without `isDoneShown` only what is not done counts. */
export function thingsIn(inbox: Pick<Inbox, 'items' | 'choice'>, isDoneShown: boolean): readonly ThingInInbox[] {
	const byThing = new Map<string, [InboxItem, ...InboxItem[]]>();
	for (const item of inbox.items()) {
		if (isDoneShown || item.state !== 'done') {
			const key = thingKey(item.entry.thing);
			const known = byThing.get(key);
			if (known) {
				known.push(item);
			} else {
				byThing.set(key, [item]);
			}
		}
	}
	return Array.from(byThing, ([key, items]) => thingOf(key, items, inbox.choice(key) === 'nothing'));
}

function thingOf(key: string, items: readonly [InboxItem, ...InboxItem[]], isMuted: boolean): ThingInInbox {
	const [newest] = items;
	const unread = items.filter(({ state }) => state === 'unread');
	const telling = unread.length > 0 ? unread : items;
	return {
		key,
		thing: newest.entry.thing,
		items,
		unreadCount: unread.length,
		reason: strongest(telling.map(({ entry }) => entry.reason)) ?? newest.entry.reason,
		isMuted,
	};
}

/** Oldest unread entry; otherwise the newest visible one. */
export function firstToRead({ items }: Pick<ThingInInbox, 'items'>): InboxItem {
	return items.findLast(({ state }) => state === 'unread') ?? items.find(({ state }) => state !== 'done') ?? items[0];
}
