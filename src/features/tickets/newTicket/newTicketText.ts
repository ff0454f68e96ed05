import type { NewTicket } from 'sourcehut/port/ticket.ts';
import { ticketLimits } from 'sourcehut/port/ticketLimits.ts';

/** Content of a new document: a title line and room for the description. */
export const emptyNewTicket = '\n\n';

/** Character offsets in the document. */
export interface Span {
	readonly start: number;
	readonly end: number;
}

/** The document read as a ticket. */
export interface ReadTicket extends NewTicket {
	readonly titleSpan: Span;
	readonly descriptionSpan: Span;
}

/** First line the title, then an empty line, then the description; blanks around either are not sent. */
export function readTicket(text: string): ReadTicket {
	const [firstLine = ''] = text.split(/\r?\n/, 1);
	const title = firstLine.trim();
	const titleStart = firstLine.indexOf(title);
	const rest = text.slice(firstLine.length);
	const description = rest.trim();
	const start = firstLine.length + rest.indexOf(description);
	return {
		title,
		description: description.replaceAll('\r\n', '\n'),
		titleSpan: { start: titleStart, end: titleStart + title.length },
		descriptionSpan: { start, end: start + description.length },
	};
}

/** The document for a ticket. */
export function newTicketText({ title, description }: NewTicket): string {
	return `${title}\n\n${description}${description === '' ? '' : '\n'}`;
}

/** Why the forge would refuse a ticket. */
export type TicketFault =
	| { readonly kind: 'titleMissing' }
	| { readonly kind: 'titleTooShort' }
	| { readonly kind: 'titleTooLong'; readonly over: number }
	| { readonly kind: 'descriptionTooLong'; readonly over: number };

/** Checks a ticket against the known limits. Servers count characters and not units of UTF-16. */
export function ticketFaults({ title, description }: NewTicket): readonly TicketFault[] {
	const { shortestTitle, longestTitle, longestDescription } = ticketLimits;
	const [titleLength, descriptionLength] = [length(title), length(description)];
	const faults: TicketFault[] = [];
	if (titleLength === 0) {
		faults.push({ kind: 'titleMissing' });
	} else if (titleLength < shortestTitle) {
		faults.push({ kind: 'titleTooShort' });
	} else if (titleLength > longestTitle) {
		faults.push({ kind: 'titleTooLong', over: titleLength - longestTitle });
	}
	if (descriptionLength > longestDescription) {
		faults.push({ kind: 'descriptionTooLong', over: descriptionLength - longestDescription });
	}
	return faults;
}

/** Counts characters like servers do. Skips the exact count for short texts. */
function length(text: string): number {
	let count = 0;
	for (const _ of text) {
		count += 1;
	}
	return count;
}
