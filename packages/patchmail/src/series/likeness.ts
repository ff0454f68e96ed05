import { asciiLower } from '@forge-desk/base/asciiLower.ts';
import { senderIn } from '../mail/onlySender.ts';
import { addressPair } from './samePeople.ts';

/** Equal patches of two patchsets, which may be versions of one series under other titles or addresses. */
export interface Likeness {
	readonly ids: readonly [number, number];
	/** Patches with the same changes. */
	readonly equal: number;
	/** Patches of the longer one. */
	readonly of: number;
}

/** Compares the patches of one patchset with those of others, by `patchIdentity`. Fewer equal ones than half say nothing. */
export function likenesses({ id, patches }: ComparedPatches, others: Iterable<ComparedPatches>): readonly Likeness[] {
	const own = new Set(patches);
	return Array.from(others).flatMap((other): readonly Likeness[] => {
		const equal = new Set(other.patches.filter((each) => own.has(each))).size;
		const of = Math.max(patches.length, other.patches.length);
		return other.id === id || equal === 0 || equal * 2 < of ? [] : [{ ids: [id, other.id], equal, of }];
	});
}

export interface ComparedPatches {
	readonly id: number;
	readonly patches: readonly string[];
}

/** How the senders of two patchsets are related. */
export type SenderRelation = 'same' | 'proven' | 'sameName' | 'other';

/**
 * Compares two From headers. Anyone can send in any name, so an equal name proves nothing. `pairs`: second addresses that
 * are proven, as from `addressPair`. A sender in doubt is another one.
 */
export function senderRelation(one: string, other: string, pairs: ReadonlySet<string>): SenderRelation {
	const [a, b] = [senderIn(one), senderIn(other)];
	if (!a || !b) {
		return 'other';
	}
	if (asciiLower(a.address) === asciiLower(b.address)) {
		return 'same';
	}
	if (pairs.has(addressPair(a.address, b.address))) {
		return 'proven';
	}
	const name = nameKey(a.name);
	return name !== '' && name === nameKey(b.name) ? 'sameName' : 'other';
}

function nameKey(name: string): string {
	return name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
