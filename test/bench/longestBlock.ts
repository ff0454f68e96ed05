/** The longest that the event loop stood still while `run` ran, in milliseconds: the worst turn of three runs' best. */
export async function longestBlock(run: () => Promise<unknown>, runs = 3): Promise<number> {
	const worst: number[] = [];
	for (let round = 0; round < runs; round++) {
		worst.push(await longestTurn(run));
	}
	return Math.min(...worst);
}

/** Watches every turn of the event loop: an immediate that asks for the next one shows how long each took. */
async function longestTurn(run: () => Promise<unknown>): Promise<number> {
	let longestMs = 0;
	let isOver = false;
	let lastMs = performance.now();
	const watch = (): void => {
		const nowMs = performance.now();
		longestMs = Math.max(longestMs, nowMs - lastMs);
		lastMs = nowMs;
		if (!isOver) {
			setImmediate(watch);
		}
	};
	setImmediate(watch);
	await run();
	// The turn in which the work ended counts, too.
	await new Promise((resolve) => setImmediate(resolve));
	isOver = true;
	return longestMs;
}
