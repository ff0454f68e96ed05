import type { Clock } from '../../base/clock.ts';
import { isBeingRead, type ReadBefore } from '../../state/shared/listing.ts';
import { noticeRow } from './noticeRow.ts';
import { agoText } from '../ask/readBefore.ts';
import type { TreeNode } from './treeNode.ts';

/** Which rows are shown as another window read them. */
export interface ReadBeforeParts {
	/** The row that they hang under, or the view. */
	readonly id: string;
	readonly parent: TreeNode | undefined;
	readonly clock: Pick<Clock, 'nowMs'>;
	/** A failure as a sentence. */
	readonly explain: (error: unknown) => string;
	/** What "Try again" reads: the row, or the view's id. */
	readonly again: unknown;
}

/**
 * Stands over rows that are shown as another window read them because they could not be read anew: of when they are, and
 * the way to try again.
 */
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
