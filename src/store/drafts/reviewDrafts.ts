import {
	madeFrom as madeFromSchema,
	movedFrom as movedFromSchema,
	reviewTrailers,
	suggestion as suggestionSchema,
	type DraftComment,
	type MadeFrom,
	type MailEdit,
	type MovedFrom,
	type ReviewDraft,
	type ReviewPart,
	type ReviewTrailer,
} from 'patchmail/review/reviewDraft.ts';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { addedId } from 'patchmail/review/typedDraft.ts';
import { sending, sendingAlone, type Sending, type SendingAlone } from 'patchmail/review/sending.ts';
import { keptIn } from '../shared/keptText.ts';
import { draftKey, putDraft, type Drafts, type MailDraftSubject, type ReviewSubject } from './drafts.ts';

/** The patchset of a review. */
export interface Reviewed {
	readonly connectionKey: string;
	readonly ref: PatchsetRef;
}

/** Equal for the drafts of one review. */
export function reviewKey({ connectionKey, ref: { list, id } }: Reviewed): string {
	return `${connectionKey} ${refText(list)} ${id}`;
}

export function reviewSubject({ connectionKey, ref }: Reviewed, part: ReviewPart): ReviewSubject {
	return { kind: 'review', connectionKey, ref, part };
}

/** Rejects like `Drafts.keep`. */
export async function keepComment(
	drafts: Drafts,
	of: Reviewed,
	{ id, place, text, suggestion }: DraftComment,
	atMs: number,
): Promise<void> {
	if (suggestion && place.kind === 'lines') {
		await drafts.keep(reviewSubject(of, { kind: 'suggestion', id, place }), { text: JSON.stringify(suggestion), atMs });
	}
	await drafts.keep(reviewSubject(of, { kind: 'comment', id, place }), { text, atMs });
}

/** Removes a comment and its suggestion. Keeps newer text from another window. */
export async function forgetComment(drafts: Drafts, of: Reviewed, comment: DraftComment): Promise<void> {
	await forgetSent(drafts, of, { ...nothing, comments: [comment] });
}

/**
 * Turns unsaved text of a comment box into a comment: the edited one, or a new one. Keeps newer text. Returns the
 * comment's subject.
 */
export async function addTyped(
	drafts: Drafts,
	of: Reviewed,
	typed: DraftComment,
	text: string,
	atMs: number,
): Promise<ReviewSubject> {
	const about = reviewSubject(of, { kind: 'comment', id: addedId(typed.id), place: typed.place });
	await drafts.keep(about, { text, atMs });
	await forgetComment(drafts, of, typed);
	return about;
}

/** Stores an edited reply. Rejects like `Drafts.keep`. */
export async function keepMailEdit(
	drafts: Drafts,
	of: Reviewed,
	messageId: string,
	{ text, madeFrom }: MailEdit,
	atMs: number,
): Promise<void> {
	await drafts.keep(reviewSubject(of, { kind: 'mail', messageId }), { text, atMs });
	await drafts.keep(reviewSubject(of, { kind: 'mailMadeFrom', messageId }), { text: JSON.stringify(madeFrom), atMs });
}

/**
 * Removes the comment or edited mail of this part together with its companion: a suggestion must not be sent without
 * its comment.
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

/** An empty review. */
export const nothing: ReviewDraft = { comments: [], trailers: new Map(), status: undefined, edits: new Map() };

/** The merged review of all windows, oldest parts first. */
export function reviewDraft(drafts: Drafts, of: Reviewed): ReviewDraft {
	const comments = new Map<string, DraftComment>();
	const trailers = new Map<string, ReviewTrailer>();
	const edits = new Map<string, MailEdit>();
	const moved = new Map<string, MovedFrom | undefined>();
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
					suggestion: keptIn(text, suggestionSchema, undefined),
				});
				break;
			case 'movedFrom':
				moved.set(part.id, keptIn(text, movedFromSchema, undefined));
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
				const madeFrom = madeFromIn(text);
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
	return {
		comments: Array.from(comments.values(), (comment) =>
			moved.has(comment.id) ? { ...comment, moved: moved.get(comment.id) } : comment,
		),
		trailers,
		status,
		edits,
	};
}

interface WrittenPart {
	readonly part: ReviewPart;
	readonly text: string;
}

/** Each part in this window's version, else the latest of any window; oldest first. */
function partsOf(drafts: Drafts, of: Reviewed): readonly WrittenPart[] {
	const key = reviewKey(of);
	const subjects = new Map<string, ReviewSubject>();
	for (const { about } of drafts.all().toReversed()) {
		if (about.kind === 'review' && reviewKey(about) === key) {
			subjects.set(draftKey(about), about);
		}
	}
	return [...subjects.values()].flatMap((about) => {
		const text = drafts.draft(about)?.text;
		return text === undefined ? [] : [{ part: about.part, text }];
	});
}

/** Removes sent comments, edits and trailers in their sent version; keeps newer text. */
export async function forgetSent(
	drafts: Drafts,
	of: Reviewed,
	{ comments, trailers, status, edits }: ReviewDraft,
): Promise<void> {
	const sent: readonly WrittenPart[] = [
		...comments.flatMap(({ id, place, text, suggestion }): readonly WrittenPart[] => [
			{ part: { kind: 'comment', id, place }, text },
			...(suggestion !== undefined && place.kind === 'lines'
				? [{ part: { kind: 'suggestion', id, place } as const, text: JSON.stringify(suggestion) }]
				: []),
		]),
		...[...trailers].map(([messageId, trailer]) => ({ part: { kind: 'trailer', messageId } as const, text: trailer })),
		...(status === undefined ? [] : [{ part: { kind: 'status' } as const, text: status }]),
		...[...edits].flatMap(([messageId, { text, madeFrom }]): readonly WrittenPart[] => [
			{ part: { kind: 'mail', messageId }, text },
			...(madeFrom ? [{ part: { kind: 'mailMadeFrom', messageId } as const, text: JSON.stringify(madeFrom) }] : []),
		]),
	];
	for (const { part, text } of sent) {
		const about = reviewSubject(of, part);
		const draft = drafts.draft(about);
		if (draft?.text === text) {
			await drafts.forget({ about, draft });
		}
	}
	const left = new Set(partsOf(drafts, of).flatMap(({ part }) => (part.kind === 'comment' ? [part.id] : [])));
	for (const { id } of comments.filter((comment) => comment.moved && !left.has(comment.id))) {
		await putDraft(drafts, reviewSubject(of, { kind: 'movedFrom', id }), '', 0);
	}
	for (const [messageId, { madeFrom }] of edits) {
		await (madeFrom ? undefined : forgetUnreadable(drafts, of, messageId));
	}
}

/** Removes an unreadable original of an edited mail. The drafts list doesn't show it, so the user could not. */
export async function forgetUnreadable(drafts: Drafts, of: Reviewed, messageId: string): Promise<void> {
	const key = draftKey(reviewSubject(of, { kind: 'mailMadeFrom', messageId }));
	const unreadable = drafts.all().filter(({ about, draft }) => draftKey(about) === key && !madeFromIn(draft.text));
	for (const entry of unreadable) {
		await drafts.forget(entry);
	}
}

function madeFromIn(text: string): MadeFrom | undefined {
	return keptIn(text, madeFromSchema, undefined);
}

/*
 * Send progress, stored beside the drafts for all windows.
 */

/** Of a review; `undefined` before the first try. */
export function keptSending(drafts: Drafts, of: Reviewed): Sending | undefined {
	return keptIn(drafts.draft(reviewSubject(of, { kind: 'sending' }))?.text, sending, undefined);
}

/** Resolves when the progress is safe on disk. */
export function keepSending(drafts: Drafts, of: Reviewed, now: Sending, atMs: number): Promise<void> {
	return putDraft(drafts, reviewSubject(of, { kind: 'sending' }), now.length === 0 ? '' : JSON.stringify(now), atMs);
}

/** Of a draft's mail; `undefined` before the first try. */
export function keptAlone(drafts: Drafts, about: MailDraftSubject): SendingAlone | undefined {
	return keptIn(drafts.draft({ ...about, kind: 'mailSending' })?.text, sendingAlone, undefined);
}

/** Resolves when the progress is safe on disk. */
export function keepAlone(drafts: Drafts, about: MailDraftSubject, now: SendingAlone, atMs: number): Promise<void> {
	return drafts.keep({ ...about, kind: 'mailSending' }, { text: JSON.stringify(now), atMs });
}

/** Call before the draft's next mail. */
export function forgetAlone(drafts: Drafts, about: MailDraftSubject): Promise<void> {
	return putDraft(drafts, { ...about, kind: 'mailSending' }, '', 0);
}
