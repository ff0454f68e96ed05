import { isAbort } from '../../base/abort.ts';
import { isAway } from '../../forge/port/isAway.ts';
import { isHopeless } from '../../forge/port/isHopeless.ts';
import type { Email } from '../../forge/port/list.ts';
import type { ListStore } from '../lists/listStore.ts';

/**
 * Reads the first mail of a thread. Only that mail names the patchset (docs/protocol.md#mail-fields). The disk keeps
 * it, so it costs one request. `undefined` if the forge refuses. Call `spend` before the request.
 */
export async function readRoot(
	lists: ListStore,
	spend: () => void,
	id: number,
	signal: AbortSignal,
): Promise<Email | undefined> {
	// A stored patch without a patchset may predate the patchset.
	if (lists.knownMail(id) === undefined && (await lists.mails.anyHere(id))?.patchsetId === undefined) {
		spend();
	}
	try {
		return await lists.mails.mail(id, signal);
	} catch (error) {
		if (isAbort(error) || isHopeless(error) || isAway(error)) {
			throw error;
		}
		return undefined;
	}
}
