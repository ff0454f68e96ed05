import type { Event } from '../../base/event.ts';
import type { ListRef } from '../../forge/list.ts';
import type { TicketRef } from '../../forge/ticket.ts';

/** A mail that mentions a ticket. */
export interface TicketMention {
	readonly ticket: TicketRef;
	readonly list: ListRef;
	readonly mailId: number;
	/** The mail's patchset, if known. */
	readonly patchsetId: number | undefined;
	readonly subject: string;
	/** The trailer with the mention, such as `Fixes`. */
	readonly trailer: string | undefined;
}

/** Mentions of tickets in loaded mails; in memory only. */
export interface TicketMentions {
	/** Newest mail first. */
	of(ticket: TicketRef): readonly TicketMention[];
	add(mentions: readonly TicketMention[]): void;
	/** Fires for each new mention. */
	readonly onDidChange: Event<TicketRef>;
}
