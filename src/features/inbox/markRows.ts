import type { Connection } from '../../state/connection.ts';
import type { InboxItem } from '../../state/inbox/inboxBook.ts';
import { thingKey, type InboxThing } from '../../state/inbox/inboxEntry.ts';
import { knownTicket } from '../../state/tickets/index/knownTicket.ts';

/**
 * A ticket of which nothing is unread in the inbox any more is read in its row as well, unless something happened to it after
 * its newest entry. `items`: those that were just moved.
 */
export function markRows(connection: Connection, items: readonly InboxItem[]): void {
	const things = new Map(items.map(({ entry: { thing } }) => [thingKey(thing), thing]));
	things.forEach((thing, key) => markRow(connection, thing, key));
}

function markRow(connection: Connection, thing: InboxThing, key: string): void {
	const ticket = thing.kind === 'ticket' ? knownTicket(connection, thing.ref) : undefined;
	if (!ticket || connection.readMarks.mark(ticket) === undefined) {
		return;
	}
	const entries = connection.inbox.items().filter(({ entry }) => thingKey(entry.thing) === key);
	const newestMs = entries.reduce((newest, { entry }) => Math.max(newest, entry.atMs), 0);
	if (entries.every(({ state }) => state !== 'unread') && ticket.updatedMs <= newestMs) {
		connection.readMarks.markRead(ticket);
	}
}
