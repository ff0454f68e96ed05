import { ForgeError } from '../../port/forgeError.ts';
import { listKey, type ListRef } from '../../port/list.ts';
import { throwUnsent } from '../../port/mayHaveArrived.ts';
import type { GraphqlCaller } from '../transport/graphqlCaller.ts';
import { byName } from '../transport/variables.ts';
import { readList } from './listDocuments.ts';

/** Ids of lists, for requests that need them (docs/protocol.md#graphql-values), and the lists that answers named. */
export type ListIds = ReturnType<typeof listIds>;

export function listIds({ ask }: GraphqlCaller) {
	const known = new Map<string, ListRef>();

	/** Remembers a list from a response. */
	function met(ref: ListRef): void {
		known.set(listKey(ref), ref);
	}

	return {
		met,
		/** All lists from responses. */
		refs: (): readonly ListRef[] => [...known.values()],
		/** Reads the list again, because the name may belong to a new list. Throws `notFound`. Errors are `isUnsent`. */
		async current(ref: ListRef, signal: AbortSignal): Promise<number> {
			const id = (await ask(readList, byName(ref), signal).catch(throwUnsent))?.id;
			if (id === undefined) {
				known.delete(listKey(ref));
				throw new ForgeError({ kind: 'notFound' }, { isUnsent: true });
			}
			met(ref);
			return id;
		},
	};
}
