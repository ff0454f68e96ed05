import * as v from 'valibot';
import { ForgeError } from '../../port/forgeError.ts';
import type { OwnerName } from '../../port/user.ts';

/** GraphQL's `Int` has 32 bits. */
const largestId = 2 ** 31 - 1;

/** An id in a response. */
export const id = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(largestId));

/** Checks an id before a query. A larger one crashes the server's process (docs/protocol.md#graphql-values). */
export function askableId(wanted: number): number {
	if (!Number.isSafeInteger(wanted) || wanted < 1 || wanted > largestId) {
		throw new ForgeError({ kind: 'notFound' }, { isUnsent: true });
	}
	return wanted;
}

/** The API knows users only without the tilde. */
export function bareName(owner: OwnerName): string {
	return owner.replace(/^~/, '');
}

/** Variables that name a tracker, list or repository. */
export function byName({ owner, name }: { readonly owner: OwnerName; readonly name: string }) {
	return { owner: bareName(owner), name };
}
