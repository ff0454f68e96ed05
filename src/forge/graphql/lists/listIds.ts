import { ForgeError } from '../../port/forgeError.ts';
import { listKey, type ListRef } from '../../port/list.ts';
import { throwUnsent } from '../../port/mayHaveArrived.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import { byName } from '../door/variables.ts';
import { readList } from './listDocuments.ts';

/** Writes refer to lists by id (docs/protocol.md#graphql-values). */
export type ListIds = ReturnType<typeof listIds>;

export function listIds({ ask }: GraphqlCaller) {
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
		/** For writes: reads the list again, because the name may belong to a new list. Errors are `isUnsent`. */
		current,
		told(ref: ListRef, id: number | undefined) {
			if (id !== undefined) {
				known.set(listKey(ref), { ref, id });
			}
		},
		/** For reads: the cached id. Throws `notFound`. */
		of: async (ref: ListRef, signal: AbortSignal) => known.get(listKey(ref))?.id ?? (await current(ref, signal)),
		/** Remembers a list from a response. */
		met: (ref: ListRef): void => void names.set(listKey(ref), ref),
		/** All lists from responses. */
		refs: (): readonly ListRef[] => [
			...new Map([...names, ...Array.from(known, ([key, { ref }]) => [key, ref] as const)]).values(),
		],
		forget: (ref: ListRef): void => void known.delete(listKey(ref)),
	};
}
