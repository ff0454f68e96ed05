/**
 * Answers that are on their way to the editor. Told of a change of rows while the answer for them is, it takes that answer for
 * the new one and does not ask: the change is lost, and what it has forgotten of those rows stays forgotten, so that nothing
 * is below a row that is unfolded then. So it hears of a change when it has the answer.
 */
export interface AnswersUnderWay {
	/** The editor asks for what is below a row, or at the top. Answers what to call when it was answered. */
	asked(above: string | undefined): () => void;
	/**
	 * Settles when the editor has the answer for that, with true for the first who waits for it: one change tells of all.
	 * `undefined` when none is on its way.
	 */
	arrived(above: string | undefined): Promise<boolean> | undefined;
}

/** `roundTrip` asks the editor anything and settles when it has answered. What is sent to it arrives in its order. */
export function answersUnderWay(roundTrip: () => Promise<void>): AnswersUnderWay {
	const underWay = new Map<string | undefined, Promise<void>>();
	/** For which of them somebody waits. */
	const awaited = new Set<string | undefined>();
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
		arrived(above) {
			const arrival = underWay.get(above);
			if (!arrival || awaited.has(above)) {
				return arrival?.then(() => false);
			}
			awaited.add(above);
			return arrival.then(() => awaited.delete(above));
		},
	};
}
