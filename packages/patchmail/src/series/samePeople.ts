import { asciiLower } from '@forge-desk/base/asciiLower.ts';
import type { GivenTrailer, SecondAddress } from './seriesReading.ts';

/** Two addresses in either order. */
export function addressPair(one: string, other: string): string {
	return [one, other].map(asciiLower).toSorted().join(' ');
}

/** The same trailers; one by a second address of its person is no longer in doubt. `pairs`: from `addressPair`. */
export function withSamePeople(trailers: readonly GivenTrailer[], pairs: ReadonlySet<string>): readonly GivenTrailer[] {
	return pairs.size === 0
		? trailers
		: trailers.map((each) =>
				each.second !== undefined && pairs.has(addressPair(each.second.sender.address, each.second.named.address))
					? { ...each, isForOther: false }
					: each,
			);
}

/** Pairs of people in doubt, each once. */
export function secondAddresses(trailers: readonly GivenTrailer[]): readonly SecondAddress[] {
	const found = new Map<string, SecondAddress>();
	for (const { second, isForOther } of trailers) {
		if (second !== undefined && isForOther) {
			found.set(addressPair(second.sender.address, second.named.address), second);
		}
	}
	return Array.from(found.values());
}
