import type { TicketSubject } from './subjects.ts';

/** Where the keys go once a ticket's page is shown: to the page, to its comment box, to boxes for title and description, or where they went before. */
export type CaretPlace = 'page' | 'composer' | 'text' | 'unmoved';

/** Shows a ticket's page, at an event of its timeline if one is named. */
export type OpenTicket = (subject: TicketSubject, caret: CaretPlace, event?: number) => void;
