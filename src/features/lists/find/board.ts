import type { Patchset } from 'sourcehut/port/list.ts';

/** Groups of the review board, in display order. */
export const boardGroups = [
	'needsMyReview',
	/** Own patchsets that need a review by others. */
	'waitingForReview',
	'waitingForNewVersion',
	'approved',
	/** Open, without recent activity. */
	'stale',
	'done',
] as const;
export type BoardGroup = (typeof boardGroups)[number];

export interface BoardViewer {
	readonly nowMs: number;
	readonly isMine: (patchset: Patchset) => boolean;
	/** Time of the last reply; `undefined` when unknown. */
	readonly lastSaidMs?: (patchset: Patchset) => number | undefined;
	/** True when the last reply is mine, so others have to answer first. */
	readonly isAnsweredByMe?: (patchset: Patchset) => boolean;
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

/**
 * Unknown statuses count as `proposed`. A replaced version needs no review and waits for nobody. An approval stays,
 * because somebody decided it.
 */
function groupOf(patchset: Patchset, viewer: BoardViewer, staleBeforeMs: number): BoardGroup {
	const saidMs = viewer.lastSaidMs?.(patchset) ?? 0;
	const isStale = Math.max(patchset.createdMs, patchset.updatedMs, saidMs) < staleBeforeMs;
	const waiting = isStale ? 'stale' : 'waitingForNewVersion';
	const isReplaced = (): boolean => viewer.hasNewerVersion?.(patchset) === true;
	switch (patchset.status) {
		case 'applied':
		case 'rejected':
		case 'superseded':
			return 'done';
		case 'approved':
			return 'approved';
		case 'needs_revision':
			return isReplaced() ? 'done' : waiting;
		case 'proposed':
		case 'unknown':
		default: {
			if (isReplaced()) {
				return 'done';
			}
			const isMine = viewer.isMine(patchset);
			if (!isMine && viewer.isAnsweredByMe?.(patchset) === true) {
				return waiting;
			}
			return isStale ? 'stale' : isMine ? 'waitingForReview' : 'needsMyReview';
		}
	}
}
