import { isAbort } from '../../../base/abort.ts';
import type { TrackerApi } from '../../../forge/forge.ts';
import { ForgeError, isForgeError } from '../../../forge/forgeError.ts';
import type { Comment, TicketEvent, TicketRef } from '../../../forge/ticket.ts';
import { isSameText } from '../../shared/isSameText.ts';
import type { SendingSignals } from '../../shared/sentOnce.ts';
import type { TicketStore } from '../ticketStore.ts';

/** A change of a comment. */
export interface CommentChange {
	readonly ref: TicketRef;
	readonly event: TicketEvent;
	readonly comment: Comment;
	readonly text: string;
}

/** What changing a comment needs. */
interface EditParts {
	readonly api: Pick<TrackerApi, 'editComment'>;
	readonly store: Pick<TicketStore, 'renewEvents' | 'apply'>;
}

/**
 * Sends a changed comment once. When that fails, or is not waited for, the timeline tells whether it is there all the
 * same.
 */
export async function editOnce(
	{ api, store }: EditParts,
	change: CommentChange,
	{ signal, looking }: SendingSignals,
): Promise<void> {
	const { ref, event, comment, text } = change;
	signal.throwIfAborted();
	if (!api.editComment) {
		// An earlier one in the same turn has shown that the forge has no way to do it.
		throw new ForgeError({ kind: 'notOffered' });
	}
	try {
		const changed = await api.editComment(ref, comment, text, signal);
		store.apply({ kind: 'eventsAdded', ticket: ref, events: [{ ...event, comment: changed }] });
	} catch (error) {
		if (!isForgeError(error) && !(isAbort(error) && signal.aborted)) {
			throw error;
		}
		// Each change gives a comment another id, so that after a lost answer even a refusal may mean that it is there.
		const { items } = await store.renewEvents(ref, looking).catch((failure: unknown) => {
			throw isForgeError(failure) || isAbort(failure) ? error : failure;
		});
		const now = items.find(({ id }) => id === event.id)?.comment;
		if (!now || !isSameText(now.text, text)) {
			throw error;
		}
	}
}
