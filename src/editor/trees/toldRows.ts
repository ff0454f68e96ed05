import type { TreeNode } from './treeNode.ts';

/**
 * Tells the editor of changes when it can follow them. Told of a change of rows while the answer for them is on its way to it,
 * it takes that answer for the new one and does not ask: the change is lost, and what it has forgotten of those rows stays
 * forgotten, so that nothing is below a row that is unfolded then. So it hears of a change when it has the answer.
 */
export interface ToldRows {
	/** The editor asks for what is below a row, or at the top. Answers what to call when it was answered. */
	asked(above: string | undefined): () => void;
	/** A row, or everything, is another one. Settles when the editor has heard of it. */
	tell(node: TreeNode | undefined): Promise<void>;
}

export interface ToldRowsParts {
	/** Asks the editor anything and settles when it has answered. What is sent to it arrives in its order. */
	readonly roundTrip: () => Promise<void>;
	readonly tell: (node: TreeNode | undefined) => void;
}

export function toldRows({ roundTrip, tell }: ToldRowsParts): ToldRows {
	/** Answers on their way, by ids of the rows above. */
	const underWay = new Map<string | undefined, Promise<void>>();
	/** What waits for an answer to arrive. */
	const waiting = new Map<string | undefined, Promise<void>>();

	function tellInTime(node: TreeNode | undefined): Promise<void> {
		const id = node?.id;
		const arrival = underWay.get(id);
		if (!arrival) {
			tell(node);
			return Promise.resolve();
		}
		const telling =
			waiting.get(id) ??
			arrival.then(() => {
				waiting.delete(id);
				return tellInTime(node);
			});
		waiting.set(id, telling);
		return telling;
	}

	return {
		asked(above) {
			const answered = Promise.withResolvers<void>();
			const arrival = Promise.all([underWay.get(above), answered.promise])
				// The answer is sent after this one was asked, so only the next one is behind it.
				.then(roundTrip)
				.then(roundTrip)
				.finally(() => {
					if (underWay.get(above) === arrival) {
						underWay.delete(above);
					}
				});
			underWay.set(above, arrival);
			return answered.resolve;
		},
		tell: tellInTime,
	};
}
