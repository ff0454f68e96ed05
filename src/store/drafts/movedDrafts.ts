import {
	movedFrom as movedFromSchema,
	suggestedIn,
	type DraftComment,
	type MovedFrom,
	type Suggestion,
} from 'patchmail/review/reviewDraft.ts';
import { keptIn } from '../shared/keptText.ts';
import { putDraft, type Drafts } from './drafts.ts';
import { forgetComment, keepComment, reviewDraft, reviewSubject, type Reviewed } from './reviewDrafts.ts';

/*
 * A move writes its origin first, then the draft at its new place, and removes the old one last. A kill in between
 * leaves two drafts with one id. `settleMoves` removes the one that is on its way out, in any window and at any time.
 */

/** A draft at its place in a later version. */
interface MovedComment extends DraftComment {
	readonly moved: MovedFrom;
}

/** Moves a draft from the review that `moved` names. Rejects like `Drafts.keep`; both drafts exist then. */
export async function moveComment(drafts: Drafts, to: Reviewed, comment: MovedComment, atMs: number): Promise<void> {
	await keepOrigin(drafts, to, comment.id, comment.moved, atMs);
	await finishMove(drafts, to, comment, atMs);
}

/** Moves a draft back to where it came from, with its present text. */
export async function moveBack(drafts: Drafts, at: Reviewed, comment: MovedComment, atMs: number): Promise<void> {
	const moved = { ...comment.moved, isReturning: true };
	await keepOrigin(drafts, at, comment.id, moved, atMs);
	await finishReturn(drafts, at, { ...comment, moved }, atMs);
}

/** Completes the moves of killed windows. Safe beside a move that still runs in another window. */
export async function settleMoves(drafts: Drafts, atMs: number): Promise<void> {
	for (const { about, draft } of drafts.all()) {
		const moved =
			about.kind === 'review' && about.part.kind === 'movedFrom'
				? keptIn(draft.text, movedFromSchema, undefined)
				: undefined;
		if (about.kind !== 'review' || about.part.kind !== 'movedFrom' || !moved) {
			continue;
		}
		const { id } = about.part;
		const now = commentIn(drafts, about, id);
		const before = commentIn(drafts, originOf(about, moved), id);
		if (!now && (!before || moved.isReturning === true)) {
			await putDraft(drafts, about, '', 0);
		} else if (now && moved.isReturning === true) {
			await finishReturn(drafts, about, { ...now, moved }, atMs);
		} else if (now && before && isSame(now, before, moved)) {
			const suggestion = shifted(moved, now.place);
			await finishMove(drafts, about, { ...now, text: now.text || before.text, suggestion, moved }, atMs);
		}
	}
}

async function finishMove(drafts: Drafts, to: Reviewed, comment: MovedComment, atMs: number): Promise<void> {
	const { id, moved } = comment;
	await keepComment(drafts, to, comment, atMs);
	const from = originOf(to, moved);
	const before = commentIn(drafts, from, id);
	if (before && isSame(comment, before, moved)) {
		await forgetComment(drafts, from, before);
	}
}

async function finishReturn(drafts: Drafts, at: Reviewed, comment: MovedComment, atMs: number): Promise<void> {
	const { id, text, moved } = comment;
	const from = originOf(at, moved);
	const before = commentIn(drafts, from, id);
	if (before && !isSame(comment, before, moved)) {
		return;
	}
	// A half-removed draft has no text, and an empty text would remove the one that is back.
	if (text !== '' || !before) {
		await keepComment(drafts, from, { id, place: moved.place, text, suggestion: moved.suggestion }, atMs);
	}
	await forgetComment(drafts, at, comment);
}

function keepOrigin(drafts: Drafts, of: Reviewed, id: string, moved: MovedFrom, atMs: number): Promise<void> {
	return putDraft(drafts, reviewSubject(of, { kind: 'movedFrom', id }), JSON.stringify(moved), atMs);
}

function commentIn(drafts: Drafts, of: Reviewed, id: string): DraftComment | undefined {
	return reviewDraft(drafts, of).comments.find((comment) => comment.id === id);
}

/** The review that a draft came from. */
function originOf({ connectionKey, ref }: Reviewed, { patchset }: MovedFrom): Reviewed {
	return { connectionKey, ref: { list: ref.list, id: patchset } };
}

/** Text and suggestion are two drafts, so a kill may leave one of them at either end. A newer text is another draft. */
function isSame(now: DraftComment, before: DraftComment, moved: MovedFrom): boolean {
	const isText = now.text === before.text || now.text === '' || before.text === '';
	const suggested = suggestedIn(before);
	return isText && (suggested === '' || suggested === suggestedIn(moved));
}

/** A suggestion keeps its distance to the commented lines. */
function shifted({ place, suggestion }: MovedFrom, to: DraftComment['place']): Suggestion | undefined {
	return suggestion && place.kind === 'lines' && to.kind === 'lines'
		? { ...suggestion, firstLine: suggestion.firstLine + to.line - place.line }
		: undefined;
}
