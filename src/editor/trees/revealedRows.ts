import type { Problems } from '../ask/problems.ts';
import type { KnownRows } from './knownRows.ts';
import type { TreeNode } from './treeNode.ts';
import type { TreeParts } from './treeSource.ts';

/** Expands rows in the editor. Logs refusals. */
export type RevealedRows = ReturnType<typeof revealedRows>;

export function revealedRows(
	view: Pick<TreeParts['view'], 'reveal' | 'visible'>,
	rows: Pick<KnownRows, 'find' | 'known'>,
	problems: Pick<Problems, 'log'>,
) {
	async function reveal(row: TreeNode, takesKeys: boolean): Promise<void> {
		try {
			await view.reveal(rows.known(row), { select: takesKeys, focus: takesKeys, expand: true });
		} catch (error) {
			problems.log(error);
		}
	}

	return {
		/** Unfolds a row, selects it, and gives it the keys. */
		open: (row: TreeNode) => reveal(row, true),
		/** Expands a visible row without focus. */
		async unfold(id: string) {
			const row = rows.find(id);
			// Revealing a row would open a hidden view.
			if (row && view.visible) {
				await reveal(row, false);
			}
		},
	};
}
