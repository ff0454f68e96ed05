import { isAbort } from '../../base/abort.ts';
import { isAway } from '../../forge/isAway.ts';
import { isHopeless } from '../../forge/isHopeless.ts';
import type { Email } from '../../forge/list.ts';
import type { ListStore } from '../lists/listStore.ts';

/** What first mails are read from. */
export type RootMails = Pick<ListStore, 'mail' | 'mailHere' | 'knownMail'>;

/**
 * Reads the first mail of a thread, which alone says which patchset the thread is about: replies do not
 * (docs/protocol.md#mail-fields). It is kept on disk, so that it is asked for once. `spend`: a request is about to be sent.
 * `undefined` for one that the forge does not hand out.
 */
export async function readRoot(
	{ lists, spend }: { readonly lists: RootMails; readonly spend: () => void },
	id: number,
	signal: AbortSignal,
): Promise<Email | undefined> {
	// What is kept of a patch without its patchset may be from before that formed, and is asked for again then.
	if (lists.knownMail(id) === undefined && (await lists.mailHere(id))?.patchsetId === undefined) {
		spend();
	}
	try {
		return await lists.mail(id, signal);
	} catch (error) {
		if (isAbort(error) || isHopeless(error) || isAway(error)) {
			throw error;
		}
		return undefined;
	}
}
