import type { TicketRef } from 'sourcehut/port/ticket.ts';
import type { TicketText } from '../../../pages/protocol/ticketProtocol.ts';
import { draftKey, type Draft, type DraftSubject, type Drafts } from '../../../store/drafts/drafts.ts';
import { isSameText } from '../../../store/shared/isSameText.ts';
import type { WriteJournal } from '../../../store/shared/writeJournal.ts';

/** A comment and its place in the timeline. */
export interface PlacedComment {
	readonly id: number;
	readonly comment: { readonly id: number | undefined; readonly text: string };
}

/** Drafts of one ticket: a new comment and edits of existing comments. */
export type PageDrafts = ReturnType<typeof pageDrafts>;

/**
 * An edit gives a comment a new id but keeps its event, so the event's id keys the draft. `ticket`: the ticket as last
 * read.
 */
export function pageDrafts(
	drafts: Drafts,
	connectionKey: string,
	ref: TicketRef,
	ticket: () => TicketText | undefined,
	sent: WriteJournal['sent'],
) {
	const place = { connectionKey, ref };
	const comment: DraftSubject = { kind: 'comment', ...place };
	const ticketText: DraftSubject = { kind: 'ticketText', ...place };
	const entry = ({ id }: PlacedComment): DraftSubject => ({ kind: 'editedEntry', ...place, eventId: id });
	const earlier = ({ comment: { id } }: PlacedComment): DraftSubject | undefined =>
		id === undefined ? undefined : { kind: 'editedComment', ...place, commentId: id };

	return {
		comment: () => drafts.draft(comment),
		keepComment: (draft: Draft) => drafts.keep(comment, draft),
		/** `undefined` if the draft equals the comment. */
		edit(of: PlacedComment) {
			const before = earlier(of);
			const draft = drafts.draft(entry(of)) ?? (before && drafts.draft(before));
			return draft && isSameText(draft.text, of.comment.text) ? undefined : draft;
		},
		async keepEdit(of: PlacedComment, draft: Draft) {
			await drafts.keep(entry(of), draft);
			const before = earlier(of);
			if (before && drafts.draft(before)) {
				await drafts.keep(before, { ...draft, text: '' });
			}
		},
		/** Draft of title and description; `undefined` if it equals the ticket. */
		text() {
			const kept = drafts.draft(ticketText)?.text;
			const text = kept === undefined ? undefined : partedText(kept);
			return text && isSaid(text, ticket()) ? undefined : text;
		},
		/** Where both are empty it is forgotten. */
		keepText: (text: TicketText, atMs: number) =>
			drafts.keep(ticketText, {
				text: text.title === '' && text.description === '' ? '' : `${text.title}\n\n${text.description}`,
				atMs,
			}),
		/** Time of the last sent draft of a comment. */
		commentSentMs: () => sent(draftKey(comment))?.atMs,
	};
}

/** True if the ticket already has this title and description. */
export function isSaid({ title, description }: TicketText, now: TicketText | undefined): boolean {
	return now !== undefined && title.trim() === now.title && isSameText(description, now.description);
}

export function partedText(text: string): TicketText {
	const [title = ''] = text.split('\n', 1);
	return { title, description: text.slice(title.length + 2) };
}
