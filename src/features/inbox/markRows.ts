import type { Connection } from '../../state/connection.ts';
import type { InboxItem } from '../../state/inbox/inboxBook.ts';
import { thingKey, type InboxThing } from '../../state/inbox/inboxEntry.ts';
import { knownTicket } from '../../state/tickets/index/knownTicket.ts';

/**
 * Marks a ticket's row as read when its last unread inbox entry was moved. A ticket that changed after its newest entry stays
 * marked. `items`: the moved entries. Call the result to restore the marks.
 */
export function markRows(connection: Connection, items: readonly InboxItem[]): () => void {
	const things = new Map(items.map(({ entry: { thing } }) => [thingKey(thing), thing]));
	const undos = Array.from(things, ([key, thing]) => markRow(connection, thing, key));
	return () => undos.forEach((undo) => undo?.());
}

function markRow(connection: Connection, thing: InboxThing, key: string): (() => void) | undefined {
	const ticket = thing.kind === 'ticket' ? knownTicket(connection, thing.ref) : undefined;
	if (!ticket || connection.readMarks.mark(ticket) === undefined) {
		return undefined;
	}
	const entries = connection.inbox.items().filter(({ entry }) => thingKey(entry.thing) === key);
	const newestMs = entries.reduce((newest, { entry }) => Math.max(newest, entry.atMs), 0);
	const isRead = entries.every(({ state }) => state !== 'unread') && ticket.updatedMs <= newestMs;
	return isRead ? connection.readMarks.markRead(ticket) : undefined;
}
