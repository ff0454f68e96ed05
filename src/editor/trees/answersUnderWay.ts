/**
 * Answers in flight to the editor. If a change event overtakes an answer, the editor takes that answer for the new
 * state and never asks again. It loses the change and its cleared children stay cleared, so an expanded row looks
 * empty. So delay the event until the answer arrived. `roundTrip`: any request to the editor; messages keep their
 * order.
 */
export function answersUnderWay(roundTrip: () => Promise<void>) {
	const underWay = new Map<string | undefined, Promise<void>>();
	/** Rows with a waiter. */
	const awaited = new Set<string | undefined>();
	return {
		/** The editor requested children. Call the result after the answer. */
		asked(above: string | undefined): () => void {
			const answered = Promise.withResolvers<void>();
			const arrival = Promise.all([underWay.get(above), answered.promise])
				// The request precedes the answer on the wire; only the second round trip follows it.
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
		/**
		 * Resolves when that answer arrived, with true for the first waiter only: one event covers all changes.
		 * `undefined` if no answer is in flight.
		 */
		arrived(above: string | undefined) {
			const arrival = underWay.get(above);
			if (!arrival || awaited.has(above)) {
				return arrival?.then(() => false);
			}
			awaited.add(above);
			return arrival.then(() => awaited.delete(above));
		},
	};
}
