import type { Event } from '../../base/event.ts';
import type { ListRef } from '../../forge/list.ts';

/** How somebody wants to see a list's patchsets. */
export interface ListChoice {
	/** In the forge's list grammar; empty for none. */
	readonly filter: string;
	/** `board`: grouped by what is waited for; `newest`: one after the other. */
	readonly patchsets: 'board' | 'newest';
}

/** The choices of one account, kept over restarts. */
export interface ListChoices {
	of(list: ListRef): ListChoice;
	/** Resolves when it is kept; `onDidChange` has told by then. */
	choose(list: ListRef, choice: ListChoice): Promise<void>;
	readonly onDidChange: Event<ListRef>;
}
