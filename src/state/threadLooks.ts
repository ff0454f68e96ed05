import type { Event } from '../base/event.ts';
import type { ListRef } from '../forge/list.ts';

/** Names a conversation by the number of its first mail. */
export interface ThreadRef {
	readonly list: ListRef;
	readonly id: number;
}

/** What the account has read of conversations; kept over restarts, the longest unread ones are forgotten first. */
export interface ThreadLooks {
	/** Number of the newest mail that was there at the last look; mails with higher numbers are new. `undefined` before the first. */
	lastSeen(thread: ThreadRef): number | undefined;
	/** The conversation was looked at; `newestId` is the highest number of its mails. */
	look(thread: ThreadRef, newestId: number): void;
	readonly onDidChange: Event<ThreadRef | 'all'>;
}
