import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { refOfList } from 'sourcehut/port/list.ts';
import type { MailReading } from 'patchmail/mail/readableMail.ts';
import { ticketsNamed } from './namedTickets.ts';
import type { NamedTicket } from 'patchmail/series/seriesReading.ts';
import type { MailTexts } from '../lists/listMailTexts.ts';
import type { TicketMention, TicketMentions } from './ticketMentions.ts';

/** Collects mentions from every loaded mail until disposed. `todoOrigins`: exact origins of the ticket area. */
export function mentionReader(texts: MailTexts, mentions: TicketMentions, todoOrigins: readonly string[]): Disposable {
	return texts.onDidRead((id) => {
		const text = texts.known(id);
		const list = text?.mail.list;
		if (text && list) {
			const { id: mailId, subject, patchsetId } = text.mail;
			const named = ticketsOfMail(mailId, text.reading, todoOrigins);
			mentions.add(mentionsOf(named, { list: refOfList(list), mailId, patchsetId, subject }));
		}
	});
}

/** Tickets mentioned in a mail's own words. */
export function ticketsOfMail(
	id: number,
	reading: MailReading,
	todoOrigins: readonly string[],
): readonly NamedTicket[] {
	return reading.kind === 'read' ? ticketsNamed(reading.mail.text, todoOrigins, id) : [];
}

/** Full references only: a bare `#12` names no tracker. `named`: precomputed references. */
export function mentionsOf(
	named: readonly NamedTicket[],
	of: Pick<TicketMention, 'list' | 'mailId' | 'patchsetId' | 'subject'>,
): readonly TicketMention[] {
	return named.flatMap(({ owner, name, id, trailer }) =>
		owner === undefined || name === undefined ? [] : [{ ...of, ticket: { tracker: { owner, name }, id }, trailer }],
	);
}
