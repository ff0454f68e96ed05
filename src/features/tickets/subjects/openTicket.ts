import type { TicketSubject } from './subjects.ts';

/** Where the keys go once a ticket's page is shown: to the page, to its comment box, or where they went before. */
export type CaretPlace = 'page' | 'composer' | 'unmoved';

/** Shows a ticket's page, at an event of its timeline if one is named. */
export type OpenTicket = (subject: TicketSubject, caret: CaretPlace, event?: number) => void;
