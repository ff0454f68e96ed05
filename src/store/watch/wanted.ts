import type { Inbox } from '../inbox/inbox.ts';
import type { Watching } from '../inbox/inboxBook.ts';

/** The choice for the thing, else for its place, else the default. Arguments are inbox names. */
export function watchingOf(
	inbox: Pick<Inbox, 'choice'>,
	{ thing, place, usual }: { readonly thing: string; readonly place: string; readonly usual: Watching },
): Watching {
	const chosen = inbox.choice(thing);
	const ofPlace = inbox.choice(place);
	return chosen !== 'usual' ? chosen : ofPlace !== 'usual' ? ofPlace : usual;
}
