import { isSameValue } from '../../../base/isSameValue.ts';
import { runResting, type Resting, type Steps } from '@forge-desk/base/timeSlice.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';

interface GivenList {
	readonly build: (signal: AbortSignal) => Promise<readonly TreeNode[]>;
	readonly looks: readonly unknown[];
	readonly begun: number;
}

export type GivenRows = ReturnType<typeof givenRows>;

/**
 * Lists of rows that the editor has, by the id of the tracker or queue and of the row above the list. A list that looks
 * the same needs no redraw, and a redraw can swallow a click.
 */
export function givenRows(resting: Resting) {
	const given = new Map<string, Map<string, GivenList>>();
	/** Two readings may overlap; the editor shows the one that started later. */
	let beginnings = 0;

	return {
		/** Builds a list for the editor. `build` sends no request, because it runs again after changes. */
		async give(
			topId: string,
			aboveId: string,
			build: GivenList['build'],
			signal: AbortSignal,
		): Promise<readonly TreeNode[]> {
			beginnings += 1;
			const begun = beginnings;
			const rows = await build(signal);
			const lists = given.get(topId) ?? new Map<string, GivenList>();
			if (!signal.aborted && begun > (lists.get(aboveId)?.begun ?? 0)) {
				given.set(topId, lists.set(aboveId, { build, looks: rows.map(lookOf), begun }));
			}
			return rows;
		},
		/** True if a list of the tracker or queue looks different than before. The caller redraws it. */
		async differ(topId: string, signal: AbortSignal): Promise<boolean> {
			let isDifferent = false;
			const lists = given.get(topId) ?? new Map<string, GivenList>();
			const built: (readonly [string, GivenList, readonly unknown[]])[] = [];
			for (const [aboveId, list] of lists) {
				const looks = (await list.build(signal)).map(lookOf);
				isDifferent ||= await runResting(differenceSteps(looks, list.looks), resting, signal);
				built.push([aboveId, list, looks]);
			}
			// Only now: if a later list fails, the next call must find the differences of the earlier ones again.
			for (const [aboveId, list, looks] of built) {
				if (lists.get(aboveId) === list) {
					lists.set(aboveId, { ...list, looks });
				}
			}
			return isDifferent;
		},
		clear: () => given.clear(),
	};
}

function* differenceSteps(ones: readonly unknown[], others: readonly unknown[]): Steps<boolean> {
	for (const [at, one] of ones.entries()) {
		if (!isSameValue(one, others[at])) {
			return true;
		}
		yield;
	}
	return ones.length !== others.length;
}

/** As JSON, because the commands of an item may hold functions. */
function lookOf(row: TreeNode): unknown {
	return [row.id, row.look ?? JSON.stringify(row.item)];
}
