import type { HostLink } from '../hostLink.ts';
import type { TicketProtocol, TicketPageStrings } from '../protocol/ticketProtocol.ts';
import type { Times } from '../times.ts';

/** Shared by all elements of the page. */
export interface TicketPage {
	readonly strings: TicketPageStrings;
	readonly times: Times;
	readonly link: HostLink<TicketProtocol>;
	/** Announces to screen readers. */
	readonly say: (text: string) => void;
	/** Announces `text` on success, or shows the error. */
	readonly done: (asked: Promise<unknown>, text?: string) => void;
	/** Pins the tab while the user writes: another page must not replace it. Call it before the first draft. */
	readonly tellWriting: () => void;
}
