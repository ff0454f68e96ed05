import type { TicketEvent, TicketRef } from '../../../forge/ticket.ts';
import type { TicketText } from '../../../protocol/ticketProtocol.ts';
import type { Draft, Drafts, DraftSubject } from '../../../state/drafts/drafts.ts';

/** A comment and its place in the timeline. */
export type PlacedComment = Pick<TicketEvent, 'id'> & { readonly comment: { readonly id: number | undefined } };

/** The drafts of one ticket: of a new comment and of changes of comments that are there. */
export interface PageDrafts {
	comment(): Draft | undefined;
	keepComment(draft: Draft): Promise<void>;
	/** The forge has this text: it is no draft any more. What was typed since is. */
	commentSent(text: string): Promise<void>;
	edit(of: PlacedComment): Draft | undefined;
	keepEdit(of: PlacedComment, draft: Draft): Promise<void>;
	/** Title and description while they are changed. */
	text(): TicketText | undefined;
	/** Where both are empty it is forgotten. */
	keepText(text: TicketText, atMs: number): Promise<void>;
	/** As `commentSent`. */
	textSent(text: TicketText): Promise<void>;
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
	const ticketText: DraftSubject = { kind: 'ticketText', ...place };
	const entry = ({ id }: PlacedComment): DraftSubject => ({ kind: 'editedEntry', ...place, eventId: id });
	const earlier = ({ comment: { id } }: PlacedComment): DraftSubject | undefined =>
		id === undefined ? undefined : { kind: 'editedComment', ...place, commentId: id };
	const draftOf = (about: DraftSubject | undefined): Draft | undefined => about && drafts.draft(about);

	async function sent(about: DraftSubject | undefined, text: string): Promise<void> {
		const draft = draftOf(about);
		if (about && draft?.text === text) {
			await drafts.keep(about, { ...draft, text: '' });
		}
	}

	return {
		comment: () => drafts.draft(comment),
		keepComment: (draft) => drafts.keep(comment, draft),
		commentSent: (text) => sent(comment, text),
		edit: (of) => drafts.draft(entry(of)) ?? draftOf(earlier(of)),
		async keepEdit(of, draft) {
			await drafts.keep(entry(of), draft);
			const before = earlier(of);
			if (before && drafts.draft(before)) {
				await drafts.keep(before, { ...draft, text: '' });
			}
		},
		text() {
			const kept = drafts.draft(ticketText)?.text;
			return kept === undefined ? undefined : parted(kept);
		},
		keepText: (text, atMs) => drafts.keep(ticketText, { text: joined(text), atMs }),
		textSent: (text) => sent(ticketText, joined(text)),
		async editSent(of, text) {
			await sent(entry(of), text);
			await sent(earlier(of), text);
		},
	};
}

/** As a draft is read by people: the title in the first line, and the description behind an empty one. */
function joined({ title, description }: TicketText): string {
	return title === '' && description === '' ? '' : `${title}\n\n${description}`;
}

function parted(text: string): TicketText {
	const [title = ''] = text.split('\n', 1);
	return { title, description: text.slice(title.length + 2) };
}
