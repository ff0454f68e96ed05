import { LRUCache } from 'lru-cache';
import * as vscode from 'vscode';
import type { Connection, Connections } from '../../state/connection.ts';
import type { KeptNames } from '../../state/shared/keptNames.ts';
import type { TreeNode } from './treeNode.ts';

/**
 * Which rows of a view somebody unfolded or folded up, until the account that they belong to signs out, or the last one
 * where they belong to none.
 */
export interface TurnedRows {
	/** Draws a row as somebody left it. The editor looks at that when it sees a row for the first time, and never again. */
	apply(id: string, item: vscode.TreeItem): void;
	/** Somebody turned the row. */
	turn(row: Pick<TreeNode, 'id' | 'item'>, isUnfolded: boolean): void;
}

export interface TurnedRowsParts {
	readonly connections: Pick<Connections, 'all'>;
	/** Of an account by its key, and of `noAccount`. */
	readonly kept: (owner: string) => KeptNames;
	readonly log: (error: unknown) => void;
}

/** Under this is kept what belongs to no account: it stands over all of them. */
export const noAccount = 'all';

/** Whether rows are unfolded, by their ids, for as many as were turned last; what was turned last is kept last. */
type Rows = LRUCache<string, boolean>;

/** Each unfolded row may cost a request when the view is first seen. */
const mostRows = 100;
/** A folder's path has no end of its own. */
const mostLetters = 1000;

/** The editor forgets which rows are unfolded when the window is reloaded, and asks no one; so it is kept here. */
export function turnedRows({ connections, kept, log }: TurnedRowsParts): TurnedRows {
	const known = new WeakMap<Connection, Rows>();

	/** Whether rows are unfolded while nobody has turned them. What is drawn again may be drawn as somebody left it. */
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
			// These are few, and are read anew because nothing here hears when the last account goes.
			return readAll(kept(noAccount));
		}
		const rows = known.get(owner) ?? readAll(kept(owner.key));
		known.set(owner, rows);
		return rows;
	}

	return {
		apply(id, item) {
			const isUnfolded = rowsOf(ownerOf(id)).peek(id);
			if (isUnfolded !== undefined) {
				isUnfoldedByItself(item);
				const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
				item.collapsibleState = isUnfolded ? Expanded : Collapsed;
			}
		},
		turn({ id, item }, isUnfolded) {
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
	for (const [row, isUnfolded] of names.all().flatMap(read)) {
		rows.set(row, isUnfolded);
	}
	return rows;
}

function read(text: string): readonly (readonly [string, boolean])[] {
	const isUnfolded = text.startsWith('+');
	return isUnfolded || text.startsWith('-') ? [[text.slice(1), isUnfolded]] : [];
}
