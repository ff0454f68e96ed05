import { isAbort } from '../../base/abort.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import type { Pages } from '../../forge/page.ts';
import type { Listing } from '../shared/listing.ts';
import { PagedList, type PagedListParts } from '../shared/pagedList.ts';
import type { ReadPart } from '../shared/readPart.ts';

/** One thing that somebody has many of. */
export interface PersonPart<T> extends Disposable {
	now(): ReadPart<Listing<T>>;
	/** Reads what is not known. Throws nothing but an abort; what went wrong is told by `now`. */
	read(signal: AbortSignal): Promise<void>;
	/** Reads on. Throws what went wrong. */
	more(signal: AbortSignal): Promise<void>;
}

/** `tell` is called whenever `now` says something else. */
export function personPart<T>(list: PagedListParts<T>, tell: () => void): PersonPart<T> {
	const paged = new PagedList({ ...list, open: (signal) => orNone(list.open(signal)) });
	let failure: { readonly error: unknown } | undefined;

	return {
		now() {
			const value = paged.known();
			if (value) {
				return { kind: 'known', value };
			}
			return failure ? { kind: 'failed', error: failure.error } : { kind: 'reading' };
		},
		async read(signal) {
			if (paged.known()) {
				return;
			}
			failure = undefined;
			try {
				await paged.first(signal);
			} catch (error) {
				if (isAbort(error)) {
					throw error;
				}
				failure = { error };
			}
			tell();
		},
		async more(signal) {
			await paged.more(signal);
			tell();
		},
		dispose: () => paged.close(),
	};
}

/** An area that does not know the person has nothing of theirs: people get an account per area with their first visit. */
async function* orNone<T>(pages: Pages<T>): Pages<T> {
	try {
		yield* pages;
	} catch (error) {
		if (!isForgeError(error) || error.problem.kind !== 'notFound') {
			throw error;
		}
		yield { items: [], seen: 0, completeness: { kind: 'complete' } };
	}
}
