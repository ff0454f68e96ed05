import type { TicketEvent, TicketRef } from '../../../forge/ticket.ts';
import type { Draft, Drafts, DraftSubject } from '../../../state/drafts/drafts.ts';

/** A comment and its place in the timeline. */
export type PlacedComment = Pick<TicketEvent, 'id'> & { readonly comment: { readonly id: number } };

/** The drafts of one ticket: of a new comment and of changes of comments that are there. */
export interface PageDrafts {
	comment(): Draft | undefined;
	keepComment(draft: Draft): Promise<void>;
	/** The forge has this text: it is no draft any more. What was typed since is. */
	commentSent(text: string): Promise<void>;
	edit(of: PlacedComment): Draft | undefined;
	keepEdit(of: PlacedComment, draft: Draft): Promise<void>;
	/** As `commentSent`. */
	editSent(of: PlacedComment, text: string): Promise<void>;
}

/** What the drafts of one ticket are kept with. */
export interface PageDraftsParts {
	readonly drafts: Drafts;
	readonly connectionKey: string;
	readonly ref: TicketRef;
}

/** A changed comment has a new id and the same event, so its draft is kept for the event. */
export function pageDrafts({ drafts, ...place }: PageDraftsParts): PageDrafts {
	const comment: DraftSubject = { kind: 'comment', ...place };
	const entry = ({ id }: PlacedComment): DraftSubject => ({ kind: 'editedEntry', ...place, eventId: id });
	const earlier = (of: PlacedComment): DraftSubject => ({
		kind: 'editedComment',
		...place,
		commentId: of.comment.id,
	});

	async function sent(about: DraftSubject, text: string): Promise<void> {
		const draft = drafts.draft(about);
		if (draft?.text === text) {
			await drafts.keep(about, { ...draft, text: '' });
		}
	}

	return {
		comment: () => drafts.draft(comment),
		keepComment: (draft) => drafts.keep(comment, draft),
		commentSent: (text) => sent(comment, text),
		edit: (of) => drafts.draft(entry(of)) ?? drafts.draft(earlier(of)),
		async keepEdit(of, draft) {
			await drafts.keep(entry(of), draft);
			if (drafts.draft(earlier(of))) {
				await drafts.keep(earlier(of), { ...draft, text: '' });
			}
		},
		async editSent(of, text) {
			await sent(entry(of), text);
			await sent(earlier(of), text);
		},
	};
}
