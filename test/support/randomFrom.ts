/** Pseudo-random numbers from 0 to 1, determined by the seed. */
export function randomFrom(start: number): () => number {
	let state = start;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}
