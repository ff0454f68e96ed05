import type { TreeNode } from './treeNode.ts';

/** Answers the editor's question for the rows at the top with what is true by then. */
export interface AskedTop {
	ask(signal: AbortSignal): Promise<readonly TreeNode[]>;
	/** The top changed. While the editor waits for it: settles when it was answered, with that change. */
	changed(): Promise<void> | undefined;
}

/** Something that changes all the time is shown as it was a moment ago. */
const mostReads = 3;

/**
 * What changes at the top before the editor was answered is read once more for that answer. Told of it right after the
 * answer, the editor would drop rows that are to be seen by then, and who unfolds one of them would see nothing below it.
 * `again`: it changed too often, and has to be told.
 */
export function askedTop(read: (signal: AbortSignal) => Promise<readonly TreeNode[]>, again: () => void): AskedTop {
	let asked: { isOld: boolean; readonly answered: PromiseWithResolvers<void> } | undefined;

	return {
		async ask(signal) {
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
		changed() {
			if (asked) {
				asked.isOld = true;
			}
			return asked?.answered.promise;
		},
	};
}
