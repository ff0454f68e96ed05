/** Number of event loop turns during `run`. */
export async function turnsDuring(run: () => Promise<unknown>): Promise<number> {
	let turns = 0;
	let isOver = false;
	const count = (): void => {
		turns += 1;
		if (!isOver) {
			setImmediate(count);
		}
	};
	setImmediate(count);
	await run();
	isOver = true;
	return turns;
}
