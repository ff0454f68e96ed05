import { createRandom, type Random } from '../../src/sampleForge/worlds/random.ts';
import type { Fault } from './fault.ts';

/** Draws faults so that each room has its share of them, and at least one while there are enough. */
export function draw(pool: readonly Fault[], count: number, seed: number): readonly Fault[] {
	const random = createRandom(seed);
	const byRoom = Map.groupBy(pool, ({ room }) => room);
	const shuffled = Array.from(byRoom.values(), (faults) => shuffle(faults, random));
	// The place of a fault in its room, from 0 to 1: the lowest of all rooms together are an even share of each. Chance
	// decides between equal places, because the first of every room are equal.
	const placed = shuffled.flatMap((faults) =>
		faults.map((fault, index) => ({ fault, place: index / faults.length, tie: random.below(2 ** 31) })),
	);
	return placed
		.toSorted((a, b) => a.place - b.place || a.tie - b.tie)
		.slice(0, count)
		.map(({ fault }) => fault);
}

function shuffle<T>(items: readonly T[], random: Random): readonly T[] {
	return items
		.map((item) => ({ item, key: random.below(2 ** 31) }))
		.toSorted((a, b) => a.key - b.key)
		.map(({ item }) => item);
}
