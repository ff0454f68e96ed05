import type { Clock } from '../../base/clock.ts';
import { isBeingRead, type ReadBefore } from '../../store/shared/listing.ts';
import { noticeRow } from './noticeRow.ts';
import { agoText } from '../ask/readBefore.ts';
import type { TreeNode } from './treeNode.ts';

export interface ReadBeforeParts {
	/** The row that they hang under, or the view. */
	readonly id: string;
	readonly parent: TreeNode | undefined;
	readonly clock: Pick<Clock, 'nowMs'>;
	/** A failure as a sentence. */
	readonly explain: (error: unknown) => string;
	/** Argument of "Try again": the row, or the view's id. */
	readonly again: unknown;
}

/** Row above stale rows from another window's cache: their age and a retry. */
export function readBeforeRows(
	before: ReadBefore | undefined,
	{ id, parent, clock, explain, again }: ReadBeforeParts,
): readonly TreeNode[] {
	return before && !isBeingRead(before)
		? [
				noticeRow({
					id,
					parent,
					error: before.error,
					reason: explain(before.error),
					age: { atMs: before.readAtMs, text: () => agoText(before.readAtMs, clock.nowMs(), 'long') },
					again,
				}),
			]
		: [];
}
