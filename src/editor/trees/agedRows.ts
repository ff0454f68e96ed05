import type * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { ageStep } from '../../engine/text/age.ts';
import type { TreeNode } from './treeNode.ts';

const minuteMs = 60_000;

/**
 * Rows with an age text. Checks every minute, while the view is visible, for rows with an outdated age text. `redraw`:
 * redraws a row whose age text changed. False: not now, but with the next check.
 */
export function agedRows(view: vscode.TreeView<TreeNode>, clock: Clock, redraw: (id: string) => boolean) {
	const drawn = new Map<string, { readonly atMs: number; readonly step: number }>();
	let waiting: Disposable | undefined;
	const watching = view.onDidChangeVisibility(visibilityChanged);
	visibilityChanged();

	function visibilityChanged(): void {
		waiting?.dispose();
		waiting = undefined;
		if (view.visible) {
			look();
		}
	}

	function look(): void {
		waiting = clock.after(minuteMs, look);
		const nowMs = clock.nowMs();
		for (const [id, { atMs, step }] of Array.from(drawn)) {
			const now = ageStep(atMs, nowMs);
			if (now !== step && redraw(id)) {
				drawn.set(id, { atMs, step: now });
			}
		}
	}

	return {
		/** The row was drawn. */
		rendered({ id, agedMs }: TreeNode) {
			if (agedMs === undefined) {
				drawn.delete(id);
			} else {
				drawn.set(id, { atMs: agedMs, step: ageStep(agedMs, clock.nowMs()) });
			}
		},
		/** The row is gone. */
		forget: (id: string): void => void drawn.delete(id),
		dispose() {
			waiting?.dispose();
			watching.dispose();
		},
	};
}
