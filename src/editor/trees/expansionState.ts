import { LRUCache } from 'lru-cache';
import * as vscode from 'vscode';
import type { Connection, Connections } from '../../store/connection.ts';
import type { KeptNames } from '../../store/shared/keptNames.ts';
import type { TreeNode } from './treeNode.ts';

/** Storage key for rows outside any account. */
export const noAccount = 'all';

/** Expansion by row id in an LRU cache. */
type Rows = LRUCache<string, boolean>;

/** Each unfolded row may cost a request when the view is first seen. */
const mostRows = 100;
/** A folder's path has no end of its own. */
const mostLetters = 1000;

/**
 * Rows that the user expanded or collapsed, stored until the sign-out of their account, or of the last account for rows
 * without one.
 */
export type ExpansionState = ReturnType<typeof expansionState>;

/**
 * The editor forgets expansion on a window reload, so store it here. `kept`: of an account by its key, and of
 * `noAccount`.
 */
export function expansionState(
	connections: Connections,
	kept: (owner: string) => KeptNames,
	log: (error: unknown) => void,
) {
	const known = new WeakMap<Connection, Rows>();

	/** Initial expansion by item. A redrawn item may have the user's state already. */
	const atFirst = new WeakMap<vscode.TreeItem, boolean>();
	function isUnfoldedByItself(item: vscode.TreeItem): boolean {
		const isUnfolded = atFirst.get(item) ?? item.collapsibleState === vscode.TreeItemCollapsibleState.Expanded;
		atFirst.set(item, isUnfolded);
		return isUnfolded;
	}

	/** Ids begin with the key of the account. */
	function ownerOf(id: string): Connection | undefined {
		return connections.all().find(({ key }) => id === key || id.startsWith(`${key}/`));
	}

	function rowsOf(owner: Connection | undefined): Rows {
		if (!owner) {
			// Few rows; read them each time, because no event reports the last sign-out.
			return readAll(kept(noAccount));
		}
		const rows = known.get(owner) ?? readAll(kept(owner.key));
		known.set(owner, rows);
		return rows;
	}

	return {
		/** Restores a row's expansion. The editor reads it only at the row's first appearance. */
		apply(id: string, item: vscode.TreeItem) {
			const isUnfolded = rowsOf(ownerOf(id)).peek(id);
			if (isUnfolded !== undefined) {
				isUnfoldedByItself(item);
				const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
				item.collapsibleState = isUnfolded ? Expanded : Collapsed;
			}
		},
		/** Somebody turned the row. */
		turn({ id, item }: TreeNode, isUnfolded: boolean) {
			if (id.length > mostLetters) {
				return;
			}
			const owner = ownerOf(id);
			const rows = rowsOf(owner);
			rows.delete(id);
			if (isUnfolded || isUnfoldedByItself(item)) {
				rows.set(id, isUnfolded);
			}
			kept(owner?.key ?? noAccount)
				.keep(Array.from(rows.rentries(), ([row, isOpen]) => `${isOpen ? '+' : '-'}${row}`))
				.catch(log);
		},
	};
}

function readAll(names: KeptNames): Rows {
	const rows: Rows = new LRUCache({ max: mostRows });
	for (const text of names.all().filter((each) => /^[+-]/.test(each))) {
		rows.set(text.slice(1), text.startsWith('+'));
	}
	return rows;
}
