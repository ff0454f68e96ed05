import type { Patchset } from '../../forge/list.ts';

/** What a reviewer has to do with a patchset, in the order in which a board shows it. */
export const boardGroups = [
	'needsMyReview',
	/** My own; others have to look at them. */
	'waitingForReview',
	'waitingForNewVersion',
	'approved',
	/** Open, and nothing has happened for long. */
	'stale',
	'done',
] as const;
export type BoardGroup = (typeof boardGroups)[number];

/** Whose board it is. */
export interface BoardViewer {
	readonly nowMs: number;
	readonly isMine: (patchset: Patchset) => boolean;
	/** When something was last said of a patchset; `undefined` where that is not known. */
	readonly lastSaidMs?: (patchset: Patchset) => number | undefined;
	/** Whether the last word in its conversation is mine, so that others have to answer first. */
	readonly isAnsweredByMe?: (patchset: Patchset) => boolean;
	/** Whether a newer version of it is known, which stands for it from then on. */
	readonly hasNewerVersion?: (patchset: Patchset) => boolean;
}

/** One part of the board; never empty. */
export interface BoardPart {
	readonly group: BoardGroup;
	/** In the order in which they were handed over. */
	readonly patchsets: readonly Patchset[];
}

const dayMs = 86_400_000;
/** What nobody has touched for a quarter of a year waits for nobody any more. */
export const staleAfterMs = 90 * dayMs;

/**
 * Sorts patchsets by what has to be done with them. Every one stands in exactly one part; empty parts are left out. What
 * is stale is measured by the newest that was sent, so that a list that rests altogether keeps its board, also when
 * somebody marks or answers one of them.
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
 * What has to be done with a patchset. Words that this version does not know are treated as `proposed`. Nobody reviews or
 * waits for what has a newer version: that one is to be looked at. What was approved stays so, as somebody decided that.
 */
function groupOf(patchset: Patchset, viewer: BoardViewer, staleBeforeMs: number): BoardGroup {
	const isStale = touchedMs(patchset, viewer) < staleBeforeMs;
	const isReplaced = (): boolean => viewer.hasNewerVersion?.(patchset) === true;
	switch (patchset.status) {
		case 'applied':
		case 'rejected':
		case 'superseded':
			return 'done';
		case 'approved':
			return 'approved';
		case 'needs_revision':
			return isReplaced() ? 'done' : waitingGroup(isStale);
		case 'proposed':
		case 'unknown':
		default:
			return isReplaced() ? 'done' : openGroup(patchset, viewer, isStale);
	}
}

function openGroup(patchset: Patchset, viewer: BoardViewer, isStale: boolean): BoardGroup {
	const isMine = viewer.isMine(patchset);
	if (!isMine && viewer.isAnsweredByMe?.(patchset) === true) {
		return waitingGroup(isStale);
	}
	if (isStale) {
		return 'stale';
	}
	return isMine ? 'waitingForReview' : 'needsMyReview';
}

function waitingGroup(isStale: boolean): BoardGroup {
	return isStale ? 'stale' : 'waitingForNewVersion';
}

function touchedMs(patchset: Patchset, { lastSaidMs }: BoardViewer): number {
	return Math.max(patchset.createdMs, patchset.updatedMs, lastSaidMs?.(patchset) ?? 0);
}
