import * as vscode from 'vscode';
import type { Event } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { viewIds, type ViewId } from '../../commands/viewIds.ts';
import type { TreeNode } from './treeNode.ts';

/**
 * The view that a command of the palette means. The palette takes the focus, and the editor never says which view had
 * it. So the view in which the user last chose a row counts, until an editor or a page takes the keyboard.
 * `onPageFocus`: a page took it.
 */
export function focusedView(views: Readonly<Record<ViewId, vscode.TreeView<TreeNode>>>, onPageFocus: Event<void>) {
	const owned = new Disposables();
	let focused: ViewId | undefined;
	const leave = (): void => {
		focused = undefined;
	};
	for (const id of viewIds) {
		let chosen = '';
		owned.add(
			views[id].onDidChangeSelection(({ selection }) => {
				const ids = selection.map((row) => row.id).join('\n');
				// A redraw drops the selection and brings it back.
				if (ids !== '' && ids !== chosen) {
					chosen = ids;
					focused = id;
				}
			}),
		);
	}
	const { window } = vscode;
	owned.add(onPageFocus(leave));
	owned.add(window.tabGroups.onDidChangeTabs(leave));
	owned.add(window.tabGroups.onDidChangeTabGroups(leave));
	owned.add(window.onDidChangeActiveTextEditor(leave));
	owned.add(
		window.onDidChangeTextEditorSelection(({ kind, textEditor }) => {
			if (kind !== undefined && textEditor === window.activeTextEditor) {
				leave();
			}
		}),
	);
	return {
		/** `undefined` after the user went to an editor. */
		now(): { readonly view: ViewId; readonly rows: readonly TreeNode[] } | undefined {
			const rows = focused !== undefined && views[focused].visible ? views[focused].selection : [];
			return focused !== undefined && rows.length > 0 ? { view: focused, rows } : undefined;
		},
		dispose: () => owned.dispose(),
	};
}
