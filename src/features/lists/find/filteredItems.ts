import * as vscode from 'vscode';
import { moreRow } from '../../../editor/trees/pagingRows.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { Left } from './listFinder.ts';
import { perList, type SeenList } from './seenList.ts';

/**
 * Items that a list's filter shows. Loads the mails of undecided items, up to `most` per step: redraws are frequent, and
 * only the user extends the limit. A new filter resets a list. `load` gets each item once; items that fail become due
 * with the next redraw.
 */
export function filteredItems<T extends { readonly id: number }>(
	most: number,
	look: (seen: SeenList) => Left<T>,
	isOld: (seen: SeenList) => boolean,
	load: (seen: SeenList, due: readonly T[], signal: AbortSignal) => Promise<void>,
) {
	const shares = perList(() => ({ filter: '', tried: new Set<number>(), wanted: most }));

	async function left(seen: SeenList, signal: AbortSignal): Promise<Left<T>> {
		const first = look(seen);
		const share = shares(seen);
		const { filter } = seen.connection.listChoices.of(seen.list);
		if (share.filter !== filter) {
			Object.assign(share, { filter, tried: new Set<number>(), wanted: most });
		}
		const { tried, wanted } = share;
		const due = first.untold.filter(({ id }) => !tried.has(id)).slice(0, Math.max(0, wanted - tried.size));
		if (due.length === 0 || isOld(seen)) {
			return first;
		}
		await load(seen, due, signal);
		due.forEach(({ id }) => tried.add(id));
		return look(seen);
	}

	/** Row with the number of undecided items; a click loads some of their mails and calls `redraw`. */
	function untoldRow(seen: SeenList, parent: TreeNode, untold: readonly T[], redraw: (seen: SeenList) => void) {
		const counts = vscode.l10n.t('not loaded for this filter: {0}', untold.length);
		const readOn = async (signal: AbortSignal): Promise<void> => {
			const share = shares(seen);
			if (untold.every(({ id }) => share.tried.has(id))) {
				// Everything was tried: retry what failed.
				untold.forEach(({ id }) => share.tried.delete(id));
			}
			share.wanted = share.tried.size + most;
			await left(seen, signal);
			redraw(seen);
		};
		return untold.length === 0 ? [] : [moreRow({ id: `${parent.id}/untold`, parent, counts }, readOn)];
	}

	return { left, untoldRow };
}
