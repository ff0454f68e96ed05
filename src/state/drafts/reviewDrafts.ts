import {
	reviewTrailers,
	type DraftComment,
	type DraftLines,
	type MailEdit,
	type ReviewDraft,
	type ReviewPart,
	type ReviewTrailer,
	type Suggestion,
} from '../../review/reviewDraft.ts';
import { addedId } from '../../review/typedDraft.ts';
import { draftKey } from './draftSubject.ts';
import type { Drafts, ReviewSubject } from './drafts.ts';
import { madeFromOf, madeFromText } from './keptSending.ts';
import { suggestionOf, suggestionText } from './reviewPart.ts';

/** The patchset that a review is of. */
export type Reviewed = Omit<ReviewSubject, 'kind' | 'part'>;

/** The draft of a part of a review. */
export function reviewSubject(of: Reviewed, part: ReviewPart): ReviewSubject {
	const { connectionKey, ref, patchsetId } = of;
	return { kind: 'review', connectionKey, ref, patchsetId, part };
}

/** Keeps a comment of a review as a draft. Rejects as `Drafts.keep` does. */
export async function keepComment(
	drafts: Drafts,
	of: Reviewed,
	{ id, place, text }: Pick<DraftComment, 'id' | 'place' | 'text'>,
	atMs: number,
): Promise<void> {
	await drafts.keep(reviewSubject(of, { kind: 'comment', id, place }), { text, atMs });
}

/** Keeps the change that a comment suggests; it is forgotten with the comment. */
export async function keepSuggestion(
	drafts: Drafts,
	of: Reviewed,
	{ id, place, suggestion }: { readonly id: string; readonly place: DraftLines; readonly suggestion: Suggestion },
	atMs: number,
): Promise<void> {
	await drafts.keep(reviewSubject(of, { kind: 'suggestion', id, place }), { text: suggestionText(suggestion), atMs });
}

/** Forgets a comment as it is here, and what it suggests; what another window typed since stays. */
export async function forgetComment(drafts: Drafts, of: Reviewed, comment: DraftComment): Promise<void> {
	await forgetSent(drafts, of, { ...nothing, comments: [comment] });
}

/**
 * What was typed and never added becomes a comment that is sent: the one that was edited, else a new one. What somebody
 * typed there since stays as it is. Answers where the comment is from now on.
 */
export async function addTyped(
	drafts: Drafts,
	of: Reviewed,
	{ typed, text }: { readonly typed: DraftComment; readonly text: string },
	atMs: number,
): Promise<ReviewSubject> {
	const about = reviewSubject(of, { kind: 'comment', id: addedId(typed.id), place: typed.place });
	await drafts.keep(about, { text, atMs });
	await forgetComment(drafts, of, typed);
	return about;
}

/** Keeps the mail that answers another one as somebody edits it. Rejects as `Drafts.keep` does. */
export async function keepMailEdit(
	drafts: Drafts,
	of: Reviewed,
	{ messageId, text, madeFrom }: Required<MailEdit> & { readonly messageId: string },
	atMs: number,
): Promise<void> {
	await drafts.keep(reviewSubject(of, { kind: 'mail', messageId }), { text, atMs });
	if (madeFrom) {
		await drafts.keep(reviewSubject(of, { kind: 'mailMadeFrom', messageId }), { text: madeFromText(madeFrom), atMs });
	}
}

/**
 * Forgets the comment whose text this part is, and what it suggests: that would be sent without it. Of an edited mail
 * likewise with what it was before. No other part.
 */
export async function forgetWholeOf(drafts: Drafts, about: ReviewSubject): Promise<void> {
	const { part } = about;
	const { comments, edits } = reviewDraft(drafts, about);
	const comment = part.kind === 'comment' ? comments.find(({ id }) => id === part.id) : undefined;
	const edit = part.kind === 'mail' ? edits.get(part.messageId) : undefined;
	await (comment && forgetComment(drafts, about, comment));
	if (edit && part.kind === 'mail') {
		await forgetSent(drafts, about, { ...nothing, edits: new Map([[part.messageId, edit]]) });
	}
}

/** A review that says nothing. */
export const nothing: ReviewDraft = { comments: [], trailers: new Map(), status: undefined, edits: new Map() };

/** A review as all windows have left it, what was begun first before the rest. */
export function reviewDraft(drafts: Pick<Drafts, 'draft' | 'all'>, of: Reviewed): ReviewDraft {
	const comments = new Map<string, DraftComment>();
	const trailers = new Map<string, ReviewTrailer>();
	const edits = new Map<string, MailEdit>();
	let status: string | undefined;
	for (const { part, text } of partsOf(drafts, of)) {
		switch (part.kind) {
			case 'comment': {
				const suggestion = comments.get(part.id)?.suggestion;
				comments.set(part.id, { id: part.id, place: part.place, text, suggestion });
				break;
			}
			case 'suggestion':
				comments.set(part.id, {
					id: part.id,
					place: part.place,
					text: comments.get(part.id)?.text ?? '',
					suggestion: suggestionOf(text),
				});
				break;
			case 'trailer': {
				const trailer = reviewTrailers.find((each) => each === text);
				if (trailer !== undefined) {
					trailers.set(part.messageId, trailer);
				}
				break;
			}
			case 'status':
				status = text;
				break;
			case 'mail':
				edits.set(part.messageId, { text, madeFrom: edits.get(part.messageId)?.madeFrom });
				break;
			case 'mailMadeFrom': {
				const madeFrom = madeFromOf(text);
				if (madeFrom) {
					edits.set(part.messageId, { text: edits.get(part.messageId)?.text ?? '', madeFrom });
				}
				break;
			}
			case 'suggestedFile':
			case 'sending':
				break;
		}
	}
	return { comments: [...comments.values()], trailers, status, edits };
}

interface WrittenPart {
	readonly part: ReviewPart;
	readonly text: string;
}

/** What this window says of each part, else the latest of any window; oldest first. */
function partsOf(drafts: Pick<Drafts, 'draft' | 'all'>, of: Reviewed): readonly WrittenPart[] {
	const subjects = new Map<string, ReviewSubject>();
	for (const { about } of drafts.all().toReversed()) {
		if (about.kind === 'review' && isOf(about, of)) {
			subjects.set(draftKey(about), about);
		}
	}
	return [...subjects.values()].flatMap((about) => {
		const text = drafts.draft(about)?.text;
		return text === undefined ? [] : [{ part: about.part, text }];
	});
}

function isOf({ connectionKey, ref, patchsetId }: ReviewSubject, of: Reviewed): boolean {
	return (
		connectionKey === of.connectionKey &&
		patchsetId === of.patchsetId &&
		ref.owner === of.ref.owner &&
		ref.name === of.ref.name
	);
}

/** Forgets comments, edited mails, and a trailer, that were sent as they are here; what was typed since stays. */
export async function forgetSent(
	drafts: Drafts,
	of: Reviewed,
	{ comments, trailers, status, edits }: ReviewDraft,
): Promise<void> {
	const sent: readonly WrittenPart[] = [
		...comments.flatMap(({ id, place, text, suggestion }): readonly WrittenPart[] => [
			{ part: { kind: 'comment', id, place }, text },
			...(suggestion !== undefined && place.kind === 'lines'
				? [{ part: { kind: 'suggestion', id, place } as const, text: suggestionText(suggestion) }]
				: []),
		]),
		...[...trailers].map(([messageId, trailer]) => ({ part: { kind: 'trailer', messageId } as const, text: trailer })),
		...(status === undefined ? [] : [{ part: { kind: 'status' } as const, text: status }]),
		...[...edits].flatMap(([messageId, { text, madeFrom }]): readonly WrittenPart[] => [
			{ part: { kind: 'mail', messageId }, text },
			...(madeFrom ? [{ part: { kind: 'mailMadeFrom', messageId } as const, text: madeFromText(madeFrom) }] : []),
		]),
	];
	for (const { part, text } of sent) {
		const about = reviewSubject(of, part);
		const draft = drafts.draft(about);
		if (draft?.text === text) {
			await drafts.forget({ about, draft });
		}
	}
	for (const [messageId, { madeFrom }] of edits) {
		await (madeFrom ? undefined : forgetUnreadable(drafts, of, messageId));
	}
}

/** Forgets what a mail was made from where that cannot be read any more: it says nothing, and is in no list of drafts. */
export async function forgetUnreadable(drafts: Drafts, of: Reviewed, messageId: string): Promise<void> {
	const key = draftKey(reviewSubject(of, { kind: 'mailMadeFrom', messageId }));
	const unreadable = drafts.all().filter(({ about, draft }) => draftKey(about) === key && !madeFromOf(draft.text));
	for (const entry of unreadable) {
		await drafts.forget(entry);
	}
}
