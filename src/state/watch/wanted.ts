import type { Inbox } from '../inbox/inbox.ts';
import type { Watching } from '../inbox/inboxBook.ts';

/**
 * What of a thing comes to the inbox: what was chosen for the thing itself, else for its place, else what is usual there.
 * All are names as the inbox keeps them.
 */
export function watchingOf(
	inbox: Pick<Inbox, 'choice'>,
	{ thing, place, usual }: { readonly thing: string; readonly place: string; readonly usual: Watching },
): Watching {
	const chosen = inbox.choice(thing);
	const ofPlace = inbox.choice(place);
	return chosen !== 'usual' ? chosen : ofPlace !== 'usual' ? ofPlace : usual;
}
