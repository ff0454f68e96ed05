import type { TreeNode } from './treeNode.ts';

/** Limit for a root that changes constantly. */
const mostReads = 3;

/**
 * Answers the editor's request for root rows with fresh data. Reloads the root if it changes before the answer goes
 * out. An event right after the answer would make the editor drop visible rows, and a row expanded at that moment would
 * look empty. `again`: too many changes; send an event.
 */
export function askedTop(read: (signal: AbortSignal) => Promise<readonly TreeNode[]>, again: () => void) {
	let asked: { isOld: boolean; readonly answered: PromiseWithResolvers<void> } | undefined;

	return {
		async ask(signal: AbortSignal) {
			const mine = { isOld: false, answered: Promise.withResolvers<void>() };
			asked = mine;
			try {
				let rows = await read(signal);
				for (let reads = 1; mine.isOld && reads < mostReads && !signal.aborted; reads += 1) {
					mine.isOld = false;
					rows = await read(signal);
				}
				return rows;
			} finally {
				asked = asked === mine ? undefined : asked;
				mine.answered.resolve();
				if (mine.isOld) {
					again();
				}
			}
		},
		/** The root changed. During a request: resolves when the editor has the answer with this change. */
		changed() {
			if (asked) {
				asked.isOld = true;
			}
			return asked?.answered.promise;
		},
	};
}
