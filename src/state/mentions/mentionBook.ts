import { LRUCache } from 'lru-cache';
import { Emitter } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { ticketRefText, type TicketRef } from '../../forge/ticket.ts';
import type { TicketMention, TicketMentions } from './ticketMentions.ts';

/** How many tickets are remembered as named; those that nobody asked for or named for longest go first. */
const mostTickets = 5000;
/** More mails than anybody reads through below a ticket. */
const mostMails = 200;

/** Mentions kept in memory, the same mail once for each ticket. */
export function mentionBook(): TicketMentions & Disposable {
	const byTicket = new LRUCache<string, readonly TicketMention[]>({ max: mostTickets });
	const changed = new Emitter<TicketRef>();

	/** False when nothing new was said. */
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

/** What either of them tells, so that it does not matter which came first. */
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

/** Servers look trackers up without regard to case (docs/protocol.md#tracker-look-up). */
function keyOf(ticket: TicketRef): string {
	return ticketRefText(ticket).toLowerCase();
}
