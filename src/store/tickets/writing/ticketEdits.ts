import type { TicketWriting } from './ticketWriting.ts';
import type { TrackerApi } from 'sourcehut/port/forge.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Comment, TicketEvent, TicketRef } from 'sourcehut/port/ticket.ts';
import { allPages } from 'sourcehut/port/allPages.ts';
import type { TextChange } from 'sourcehut/port/ticketRequest.ts';
import { isSameText } from '../../shared/isSameText.ts';
import { isGone, sendOnce, type SendingSignals } from '../../shared/sentOnce.ts';

/** An edit of a comment. */
export interface CommentChange {
	readonly ref: TicketRef;
	readonly event: TicketEvent;
	readonly comment: Comment;
	readonly text: string;
}

/** Throws `notOffered` if an earlier write showed that the server lacks the operation. */
export function ticketEdits({ api, store, journal }: TicketWriting) {
	const comment = sendOnce<'editComment', unknown>(journal, 'editComment', async ({ ref, eventId, text }, looking) => {
		const event = await eventNow(api, ref, eventId, looking);
		if (!event?.comment || !isSameText(event.comment.text, text)) {
			return undefined;
		}
		store.apply({ kind: 'eventsAdded', ticket: ref, events: [event] });
		return event;
	});
	const text = sendOnce<'editTicket', unknown>(journal, 'editTicket', async ({ ref, change }, looking) => {
		const now = await store.renewTicket(ref, looking);
		return saysAll(now, change) ? now : undefined;
	});
	const remove = sendOnce<'removeTicket', unknown>(journal, 'removeTicket', ({ ref }, looking) =>
		isGone(async () => (await api.ticket(ref, looking)).id === ref.id),
	);
	return {
		async comment({ ref, event, comment: before, text: wanted }: CommentChange, signals: SendingSignals) {
			const { editComment } = api;
			signals.signal.throwIfAborted();
			if (!editComment) {
				throw new ForgeError({ kind: 'notOffered' });
			}
			const { id: commentId } = before;
			await comment(
				{
					kind: 'editComment',
					ref,
					eventId: event.id,
					...(commentId === undefined ? {} : { commentId }),
					text: wanted,
				},
				async (signal) => {
					const changed = await editComment(ref, before, wanted, signal);
					store.apply({ kind: 'eventsAdded', ticket: ref, events: [{ ...event, comment: changed }] });
				},
				signals,
			);
		},
		async text(ref: TicketRef, change: TextChange, signals: SendingSignals) {
			const { edit } = api;
			if (!edit) {
				throw new ForgeError({ kind: 'notOffered' });
			}
			await text(
				{ kind: 'editTicket', ref, change },
				async (signal) => store.apply({ kind: 'ticketChanged', ticket: await edit(ref, change, signal) }),
				signals,
			);
		},
		async remove(ref: TicketRef, signals: SendingSignals) {
			const { removeTicket } = api;
			if (!removeTicket) {
				throw new ForgeError({ kind: 'notOffered' });
			}
			await remove({ kind: 'removeTicket', ref }, (signal) => removeTicket(ref, signal), signals);
			store.apply({ kind: 'ticketDeleted', ticket: ref });
		},
	};
}

/** Reads an event again, on any page. An edited comment has a new id in the same event. */
async function eventNow(
	api: TrackerApi,
	ref: TicketRef,
	eventId: number,
	signal: AbortSignal,
): Promise<TicketEvent | undefined> {
	for await (const { items } of allPages(api.events(ref, signal))) {
		const found = items.find(({ id }) => id === eventId);
		if (found || items.some(({ id }) => id < eventId)) {
			return found;
		}
	}
	return undefined;
}

/** True if the ticket has this title and description. */
export function saysAll(
	ticket: { readonly title: string; readonly description: string },
	{ title, description }: TextChange,
): boolean {
	return (
		(title === undefined || title === ticket.title) &&
		(description === undefined || isSameText(description, ticket.description))
	);
}
