import type { Problems } from '../ask/problems.ts';
import type { KnownRows } from './knownRows.ts';
import type { TreeNode } from './treeNode.ts';
import type { TreeParts } from './treeSource.ts';

/** Expands rows in the editor. Logs refusals. */
export interface RevealedRows {
	/** Unfolds a row, selects it, and gives it the keys. */
	open(row: TreeNode): Promise<void>;
	/** Expands a visible row without focus. */
	unfold(id: string): Promise<void>;
}

interface RevealedRowsParts {
	readonly view: Pick<TreeParts['view'], 'reveal' | 'visible'>;
	readonly rows: Pick<KnownRows, 'find' | 'known'>;
	readonly problems: Pick<Problems, 'log'>;
}

export function revealedRows({ view, rows, problems }: RevealedRowsParts): RevealedRows {
	async function reveal(row: TreeNode, takesKeys: boolean): Promise<void> {
		try {
			await view.reveal(rows.known(row), { select: takesKeys, focus: takesKeys, expand: true });
		} catch (error) {
			problems.log(error);
		}
	}

	return {
		open: (row) => reveal(row, true),
		async unfold(id) {
			const row = rows.find(id);
			// Revealing a row would open a hidden view.
			if (row && view.visible) {
				await reveal(row, false);
			}
		},
	};
}
