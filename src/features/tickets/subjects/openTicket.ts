import type { TicketSubject } from './subjects.ts';

/**
 * Focus after opening a ticket's page: the page, its comment box, the boxes for title and description, or unchanged.
 */
export type CaretPlace = 'page' | 'composer' | 'text' | 'unmoved';

/** Opens a ticket's page, optionally at a timeline event. */
export type OpenTicket = (subject: TicketSubject, caret: CaretPlace, event?: number) => void;
