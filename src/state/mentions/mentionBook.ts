import { LRUCache } from 'lru-cache';
import { Emitter } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { ticketRefText, type TicketRef } from '../../forge/ticket.ts';
import type { TicketMention, TicketMentions } from './ticketMentions.ts';

/** Maximum number of tickets; evicts the least recently used. */
const mostTickets = 5000;
/** More mails than anybody reads below a ticket. */
const mostMails = 200;

/** Mentions in memory, deduplicated by ticket and mail. */
export function mentionBook(): TicketMentions & Disposable {
	const byTicket = new LRUCache<string, readonly TicketMention[]>({ max: mostTickets });
	const changed = new Emitter<TicketRef>();

	/** False without new information. */
	function note(mention: TicketMention): boolean {
		const key = keyOf(mention.ticket);
		const before = byTicket.get(key) ?? [];
		const known = before.find(({ mailId }) => mailId === mention.mailId);
		const merged = known === undefined ? mention : joined(known, mention);
		if (known !== undefined && isSame(known, merged)) {
			return false;
		}
		const others = before.filter((each) => each !== known);
		byTicket.set(key, [...others, merged].toSorted((a, b) => b.mailId - a.mailId).slice(0, mostMails));
		return true;
	}

	return {
		of: (ticket) => byTicket.get(keyOf(ticket)) ?? [],
		add(mentions) {
			const news = new Map(mentions.filter(note).map(({ ticket }) => [keyOf(ticket), ticket]));
			for (const ticket of news.values()) {
				changed.fire(ticket);
			}
		},
		onDidChange: changed.event,
		dispose() {
			byTicket.clear();
			changed.dispose();
		},
	};
}

/** Merges two mentions by one mail in any order. */
function joined(one: TicketMention, other: TicketMention): TicketMention {
	return {
		...one,
		patchsetId: one.patchsetId ?? other.patchsetId,
		trailer: one.trailer ?? other.trailer,
	};
}

function isSame(one: TicketMention, other: TicketMention): boolean {
	return one.patchsetId === other.patchsetId && one.trailer === other.trailer;
}

/** Servers look up trackers case-insensitively (docs/protocol.md#tracker-look-up). */
function keyOf(ticket: TicketRef): string {
	return ticketRefText(ticket).toLowerCase();
}
