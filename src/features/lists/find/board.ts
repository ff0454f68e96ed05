import type { Patchset } from 'sourcehut/port/list.ts';

/** Groups of the review board, in display order. */
export const boardGroups = [
	'needsMyReview',
	/** Own patchsets that need a reply or a new version. */
	'needsMyWork',
	/** Own patchsets that need a review by others. */
	'waitingForReview',
	/** Patchsets by others that need a reply or a new version. */
	'waitingForNewVersion',
	'approved',
	/** Open, without recent activity. */
	'stale',
	/** Open, and put off by the user. */
	'snoozed',
	'done',
] as const;
export type BoardGroup = (typeof boardGroups)[number];

/** Sender of the last reply to a patchset. */
export type LastReplyBy = 'me' | 'author' | 'others' | 'none';

/** Whose move an open patchset waits for, and why. */
export interface Turn {
	readonly whose: 'mine' | 'author' | 'reviewers';
	readonly why: 'unknown' | 'unreviewed' | 'newVersion' | 'needsRevision' | 'myReply' | 'authorsReply' | 'othersReply';
}

export interface BoardViewer {
	readonly nowMs: number;
	readonly isMine: (patchset: Patchset) => boolean;
	/** Time of the last mail; `undefined` when unknown. */
	readonly lastSaidMs?: (patchset: Patchset) => number | undefined;
	/** True when the last mail is mine, so others have to answer first. */
	readonly isAnsweredByMe?: (patchset: Patchset) => boolean;
	/** Sender of the last reply; `undefined` when unknown. */
	readonly lastReplyBy?: (patchset: Patchset) => LastReplyBy | undefined;
	/** True while the user wants to see nothing of it. */
	readonly isSnoozed?: (patchset: Patchset) => boolean;
	/** True when a newer version replaces it. */
	readonly hasNewerVersion?: (patchset: Patchset) => boolean;
}

/** A nonempty group. */
export interface BoardPart {
	readonly group: BoardGroup;
	/** In input order. */
	readonly patchsets: readonly Patchset[];
}

const dayMs = 86_400_000;
/** Inactivity before a patchset becomes stale. */
export const staleAfterMs = 90 * dayMs;

/**
 * Groups patchsets for review; each is in exactly one group. Staleness is relative to the newest patchset, so a quiet
 * list keeps its board even after a new status or reply.
 */
export function boardOf(patchsets: readonly Patchset[], viewer: BoardViewer): readonly BoardPart[] {
	const newestMs = patchsets.reduce((newest, { createdMs }) => Math.max(newest, createdMs), 0);
	const staleBeforeMs = Math.min(viewer.nowMs, newestMs) - staleAfterMs;
	const parts = new Map<BoardGroup, Patchset[]>(boardGroups.map((group) => [group, []]));
	for (const patchset of patchsets) {
		parts.get(groupOf(patchset, viewer, staleBeforeMs))?.push(patchset);
	}
	return Array.from(parts, ([group, members]): BoardPart => ({ group, patchsets: members })).filter(
		(part) => part.patchsets.length > 0,
	);
}

/** An approval stays, because somebody decided it. */
function groupOf(patchset: Patchset, viewer: BoardViewer, staleBeforeMs: number): BoardGroup {
	const turn = turnOf(patchset, viewer);
	if (!turn) {
		return patchset.status === 'approved' ? 'approved' : 'done';
	}
	if (viewer.isSnoozed?.(patchset) === true) {
		return 'snoozed';
	}
	const saidMs = viewer.lastSaidMs?.(patchset) ?? 0;
	if (Math.max(patchset.createdMs, patchset.updatedMs, saidMs) < staleBeforeMs) {
		return 'stale';
	}
	switch (turn.whose) {
		case 'mine':
			return viewer.isMine(patchset) ? 'needsMyWork' : 'needsMyReview';
		case 'author':
			return 'waitingForNewVersion';
		case 'reviewers':
			return 'waitingForReview';
	}
}

/**
 * `undefined` if nobody has to review: the status is final or approved, or a newer version replaces this one. Unknown
 * statuses count as `proposed`.
 */
export function turnOf(patchset: Patchset, viewer: BoardViewer): Turn | undefined {
	switch (patchset.status) {
		case 'applied':
		case 'rejected':
		case 'superseded':
		case 'approved':
			return undefined;
		case 'needs_revision':
			return viewer.hasNewerVersion?.(patchset) === true
				? undefined
				: { whose: viewer.isMine(patchset) ? 'mine' : 'author', why: 'needsRevision' };
		case 'proposed':
		case 'none':
		case 'unknown':
		default:
			return viewer.hasNewerVersion?.(patchset) === true ? undefined : openTurn(patchset, viewer);
	}
}

function openTurn(patchset: Patchset, viewer: BoardViewer): Turn {
	const last = viewer.lastReplyBy?.(patchset);
	const unanswered = last === 'none' ? 'unreviewed' : 'unknown';
	if (viewer.isMine(patchset)) {
		switch (last) {
			case 'others':
				return { whose: 'mine', why: 'othersReply' };
			case 'me':
			case 'author':
				return { whose: 'reviewers', why: 'myReply' };
			case 'none':
			case undefined:
				return { whose: 'reviewers', why: unanswered };
		}
	}
	if (viewer.isAnsweredByMe?.(patchset) === true) {
		return { whose: 'author', why: 'myReply' };
	}
	switch (last) {
		case 'author':
			return { whose: 'mine', why: 'authorsReply' };
		case 'others':
			return { whose: 'mine', why: 'othersReply' };
		case 'me':
		case 'none':
		case undefined:
			return { whose: 'mine', why: patchset.version > 1 ? 'newVersion' : unanswered };
	}
}
