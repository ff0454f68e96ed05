import * as v from 'valibot';
import { ForgeError } from '../../forge/forgeError.ts';
import type { OwnerName } from '../../forge/user.ts';

/** Numbers have 32 bits. */
const largestId = 2 ** 31 - 1;

/** A number as answers name things by it. */
export const id = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(largestId));

/** The number of a thing as it may be asked for. A larger one ends the server's process (docs/protocol.md#graphql-values). */
export function askableId(wanted: number): number {
	if (!Number.isSafeInteger(wanted) || wanted < 1 || wanted > largestId) {
		throw new ForgeError({ kind: 'notFound' }, { isUnsent: true });
	}
	return wanted;
}

/** People are asked for without the tilde: with it they are unknown. */
export function bareName(owner: OwnerName): string {
	return owner.replace(/^~/, '');
}

interface Named {
	readonly owner: OwnerName;
	readonly name: string;
}

/** What names a tracker or a list. */
export function byName({ owner, name }: Named): { readonly owner: string; readonly name: string } {
	return { owner: bareName(owner), name };
}
