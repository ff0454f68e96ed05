import { gatheredReads, type GatheredRead } from '../../../base/gatheredReads.ts';
import { isForgeError } from '../../port/forgeError.ts';
import { refText } from '../../port/namedRef.ts';
import type { RepositoryRef } from '../../port/repository.ts';

/** Objects per query: a file's text has up to 128 KiB. */
const mostAtOnce = 30;

type ReadAll<T> = (ref: RepositoryRef, ids: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, T>>;

/**
 * Batches reads of single objects into one query: `objects` takes any number of ids, but a document must not open the
 * same repository twice. `read` omits unknown ids, or throws `notFound` for them.
 */
export function objectsById<T>(read: ReadAll<T>): (ref: RepositoryRef) => GatheredRead<T> {
	const gathered = new Map<string, GatheredRead<T>>();

	async function readAll(
		ref: RepositoryRef,
		ids: readonly string[],
		signal: AbortSignal,
	): Promise<ReadonlyMap<string, T>> {
		try {
			return await read(ref, ids, signal);
		} catch (error) {
			if (!isMissing(error) || ids.length === 1) {
				throw error;
			}
			// One id is unknown, and the server doesn't name it.
			const single = await Promise.all(
				ids.map(async (id) => {
					try {
						return await read(ref, [id], signal);
					} catch (failure) {
						if (!isMissing(failure)) {
							throw failure;
						}
						return new Map<string, T>();
					}
				}),
			);
			return new Map(single.flatMap((each) => [...each]));
		}
	}

	return (ref) => {
		const key = refText(ref);
		const one =
			gathered.get(key) ??
			gatheredReads({ read: (ids, signal) => readAll(ref, ids, signal), mostAtOnce, mostUnderWay: 2 });
		gathered.set(key, one);
		return one;
	};
}

function isMissing(error: unknown): boolean {
	return isForgeError(error) && error.problem.kind === 'notFound';
}
