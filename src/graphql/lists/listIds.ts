import { ForgeError } from '../../forge/forgeError.ts';
import { listKey, type ListRef } from '../../forge/list.ts';
import { throwUnsent } from '../../forge/mayHaveArrived.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import { byName } from '../door/variables.ts';
import { readList } from './listDocuments.ts';

/** The numbers by which writes name lists (docs/protocol.md#graphql-values). */
export interface ListIds {
	told(ref: ListRef, id: number | undefined): void;
	/** What it throws says that nothing was written; `notFound` where there is no such list. */
	of(ref: ListRef, signal: AbortSignal): Promise<number>;
	forget(ref: ListRef): void;
	/** An answer named this list. */
	met(ref: ListRef): void;
	/** Lists that answers named. */
	refs(): readonly ListRef[];
}

export function listIds({ ask }: GraphqlCaller): ListIds {
	const known = new Map<string, { readonly ref: ListRef; readonly id: number }>();
	const names = new Map<string, ListRef>();
	return {
		told(ref, id) {
			if (id !== undefined) {
				known.set(listKey(ref), { ref, id });
			}
		},
		async of(ref, signal) {
			const id = known.get(listKey(ref))?.id ?? (await ask(readList, byName(ref), signal).catch(throwUnsent))?.id;
			if (id === undefined) {
				throw new ForgeError({ kind: 'notFound' }, { isUnsent: true });
			}
			known.set(listKey(ref), { ref, id });
			return id;
		},
		met: (ref) => void names.set(listKey(ref), ref),
		refs: () => [...new Map([...names, ...Array.from(known, ([key, { ref }]) => [key, ref] as const)]).values()],
		forget: (ref) => void known.delete(listKey(ref)),
	};
}
