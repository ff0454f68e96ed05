import { ForgeError } from '../../port/forgeError.ts';
import { listKey, type ListRef } from '../../port/list.ts';
import { throwUnsent } from '../../port/mayHaveArrived.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import { byName } from '../door/variables.ts';
import { readList } from './listDocuments.ts';

/** Writes refer to lists by id (docs/protocol.md#graphql-values). */
export interface ListIds {
	told(ref: ListRef, id: number | undefined): void;
	/** For reads: the cached id. Throws `notFound`. */
	of(ref: ListRef, signal: AbortSignal): Promise<number>;
	/** For writes: reads the list again, because the name may belong to a new list. Errors are `isUnsent`. */
	current(ref: ListRef, signal: AbortSignal): Promise<number>;
	forget(ref: ListRef): void;
	/** Remembers a list from a response. */
	met(ref: ListRef): void;
	/** All lists from responses. */
	refs(): readonly ListRef[];
}

export function listIds({ ask }: GraphqlCaller): ListIds {
	const known = new Map<string, { readonly ref: ListRef; readonly id: number }>();
	const names = new Map<string, ListRef>();

	async function current(ref: ListRef, signal: AbortSignal): Promise<number> {
		const id = (await ask(readList, byName(ref), signal).catch(throwUnsent))?.id;
		if (id === undefined) {
			known.delete(listKey(ref));
			throw new ForgeError({ kind: 'notFound' }, { isUnsent: true });
		}
		known.set(listKey(ref), { ref, id });
		return id;
	}

	return {
		current,
		told(ref, id) {
			if (id !== undefined) {
				known.set(listKey(ref), { ref, id });
			}
		},
		of: async (ref, signal) => known.get(listKey(ref))?.id ?? (await current(ref, signal)),
		met: (ref) => void names.set(listKey(ref), ref),
		refs: () => [...new Map([...names, ...Array.from(known, ([key, { ref }]) => [key, ref] as const)]).values()],
		forget: (ref) => void known.delete(listKey(ref)),
	};
}
