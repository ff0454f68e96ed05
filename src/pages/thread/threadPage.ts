import type { HostLink } from '../hostLink.ts';
import type { ThreadProtocol, ThreadPageStrings } from '../protocol/threadProtocol.ts';
import type { Times } from '../times.ts';

/** Shared by all elements of the page. */
export interface ThreadPage {
	readonly strings: ThreadPageStrings;
	/** BCP 47 tag. */
	readonly locale: string;
	readonly times: Times;
	readonly link: HostLink<ThreadProtocol>;
	/** Announces `text` on success, or shows the error. */
	readonly done: (asked: Promise<unknown>, text?: string) => void;
	readonly areQuotesOpen: () => boolean;
}
