import * as vscode from 'vscode';
import { isAbort } from '../../base/abort.ts';
import type { Problems } from '../ask/problems.ts';
import { failedRow, noticeRow } from './noticeRow.ts';
import type { TreeNode } from './treeNode.ts';

/** Replacement rows after a failed load. */
export interface FailedRows {
	/** Rows of an earlier load below a notice; `parent` is the row above, `undefined` at the root. */
	stale(parent: TreeNode | undefined, earlier: readonly TreeNode[], error: unknown): readonly TreeNode[];
	/** The same; without earlier rows, the reason alone. */
	below(parent: TreeNode, earlier: readonly TreeNode[], error: unknown): readonly TreeNode[];
}

/** `viewId` as in package.json. */
export function failedRows(viewId: string, problems: Pick<Problems, 'explain'>): FailedRows {
	function reasonOf(error: unknown): string {
		return isAbort(error) ? vscode.l10n.t('Cancelled.') : problems.explain(error).message;
	}

	const stale: FailedRows['stale'] = (parent, earlier, error) => {
		const again = parent ?? viewId;
		return [noticeRow({ id: parent?.id ?? viewId, parent, error, reason: reasonOf(error), again }), ...earlier];
	};

	return {
		stale,
		below: (parent, earlier, error) =>
			earlier.length > 0 ? stale(parent, earlier, error) : [failedRow(parent, reasonOf(error))],
	};
}
