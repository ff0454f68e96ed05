/** Chance that is the same at every start. */
export interface Random {
	/** A whole number from 0 up to but without `limit`. */
	below(limit: number): number;
	/** True in `percent` of a hundred cases. */
	chance(percent: number): boolean;
	pick<T>(items: readonly [T, ...T[]]): T;
}

/** A small counter-based generator (the finishing steps are those of the 32-bit mix in common use). */
export function createRandom(seed: number): Random {
	let state = seed >>> 0;
	const next = (): number => {
		state = (state + 0x9e37_79b9) >>> 0;
		let mixed = state;
		mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85eb_ca6b);
		mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
		return (mixed ^ (mixed >>> 16)) >>> 0;
	};
	const below = (limit: number): number => Math.floor((next() / 2 ** 32) * limit);
	return {
		below,
		chance: (percent) => below(100) < percent,
		pick: (items) => items[below(items.length)] ?? items[0],
	};
}
