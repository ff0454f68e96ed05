import type { Event } from '../../base/event.ts';
import type { ListRef } from '../../forge/list.ts';
import type { TicketRef } from '../../forge/ticket.ts';

/** A mail that names a ticket. */
export interface TicketMention {
	readonly ticket: TicketRef;
	readonly list: ListRef;
	readonly mailId: number;
	/** The patchset that the mail belongs to, where that is known. */
	readonly patchsetId: number | undefined;
	readonly subject: string;
	/** `Fixes` and the like, where a trailer names it. */
	readonly trailer: string | undefined;
}

/** Which mails name which tickets, as far as mails were read. Forgotten with the window. */
export interface TicketMentions {
	/** Newest mail first. */
	of(ticket: TicketRef): readonly TicketMention[];
	add(mentions: readonly TicketMention[]): void;
	/** Another mail was found that names this ticket. */
	readonly onDidChange: Event<TicketRef>;
}
