import { LRUCache } from 'lru-cache';
import { Emitter, type Event } from '@forge-desk/base/event.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import type { ListRef } from 'sourcehut/port/list.ts';
import { ticketRefText, type TicketRef } from 'sourcehut/port/ticket.ts';

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

/** Maximum number of tickets; evicts the least recently used. */
const mostTickets = 5000;
/** More mails than anybody reads below a ticket. */
const mostMails = 200;

/** Mentions of tickets in loaded mails, deduplicated by ticket and mail; in memory only. */
export class TicketMentions implements Disposable {
	readonly #byTicket = new LRUCache<string, readonly TicketMention[]>({ max: mostTickets });
	readonly #changed = new Emitter<TicketRef>();
	/** Fires for each new mention. */
	readonly onDidChange: Event<TicketRef> = this.#changed.event;

	/** Newest mail first. */
	of(ticket: TicketRef): readonly TicketMention[] {
		return this.#byTicket.get(keyOf(ticket)) ?? [];
	}

	/** Merges mentions by one mail in any order. */
	add(mentions: readonly TicketMention[]): void {
		const changed = new Map<string, TicketRef>();
		for (const mention of mentions) {
			const key = keyOf(mention.ticket);
			const before = this.#byTicket.get(key) ?? [];
			const known = before.find(({ mailId }) => mailId === mention.mailId);
			const patchsetId = known?.patchsetId ?? mention.patchsetId;
			const trailer = known?.trailer ?? mention.trailer;
			if (known === undefined || known.patchsetId !== patchsetId || known.trailer !== trailer) {
				const merged = { ...(known ?? mention), patchsetId, trailer };
				const others = before.filter((each) => each !== known);
				this.#byTicket.set(key, [...others, merged].toSorted((a, b) => b.mailId - a.mailId).slice(0, mostMails));
				changed.set(key, mention.ticket);
			}
		}
		changed.forEach((ticket) => this.#changed.fire(ticket));
	}

	dispose(): void {
		this.#byTicket.clear();
		this.#changed.dispose();
	}
}

/** Servers look up trackers case-insensitively (docs/protocol.md#tracker-look-up). */
function keyOf(ticket: TicketRef): string {
	return ticketRefText(ticket).toLowerCase();
}
