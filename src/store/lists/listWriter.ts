import { isAbort } from '@forge-desk/base/abort.ts';
import type { ListApi } from 'sourcehut/port/forge.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { ListRef } from 'sourcehut/port/list.ts';
import type { ListNews } from 'sourcehut/port/news.ts';
import { isSameText } from '../shared/isSameText.ts';
import { isGone, makeOnce, sendOnce } from '../shared/sentOnce.ts';
import type { WriteJournal } from '../shared/writeJournal.ts';

/** The only writer of lists. Sends each request once, and looks for the result after a lost response. */
export type ListWrites = ReturnType<typeof listWriter>;

/** Disposal ends the lookups. `renewSubscriptions` reads them again, if known. */
export function listWriter(
	api: ListApi,
	journal: WriteJournal,
	ownRef: (name: string) => ListRef,
	apply: (news: ListNews) => void,
	renewSubscriptions: (signal: AbortSignal) => Promise<void>,
) {
	const ending = new AbortController();
	const looking = ending.signal;
	const make = makeOnce(journal, 'makeList', async ({ name }, afterwards) => {
		const found = await api.list(ownRef(name), afterwards);
		return found.name === name ? found : undefined;
	});
	const describe = sendOnce(journal, 'describeList', async ({ ref, description }, afterwards) => {
		const now = await api.list(ref, afterwards);
		return isSameText(now.description ?? '', description) ? now : undefined;
	});
	const removeOnce = sendOnce<'removeList', unknown>(journal, 'removeList', ({ ref }, afterwards) =>
		isGone(async () => Boolean(await api.list(ref, afterwards))),
	);

	async function remove(ref: ListRef, signal: AbortSignal): Promise<boolean> {
		try {
			await removeOnce({ kind: 'removeList', ref }, async (sending) => api.remove?.(ref, sending), { signal, looking });
		} catch (error) {
			if (isForgeError(error) && error.problem.kind === 'notOffered') {
				return false;
			}
			throw error;
		}
		apply({ kind: 'listDeleted', list: ref });
		return true;
	}

	return {
		/**
		 * Creates an own list. Servers subscribe its owner (docs/protocol.md#subscriptions), so this reads the subscriptions
		 * again.
		 */
		async create(wanted: Parameters<ListApi['create']>[0], signal: AbortSignal) {
			const list = await make({ kind: 'makeList', name: wanted.name }, (sending) => api.create(wanted, sending), {
				signal,
				looking,
			});
			apply({ kind: 'listChanged', list });
			await renewSubscriptions(looking).catch((error: unknown) => {
				// The list exists, even if the follow-up failed.
				if (!isForgeError(error) && !isAbort(error)) {
					throw error;
				}
			});
			return list;
		},
		/** Replaces the description of an own list. */
		async describe(ref: ListRef, description: string, signal: AbortSignal) {
			const list = await describe(
				{ kind: 'describeList', ref, description },
				(sending) => api.update(ref, description, sending),
				{ signal, looking },
			);
			apply({ kind: 'listChanged', list });
			return list;
		},
		/** Deletes an own list. Resolves to false if the server cannot; `undefined` if that is known before. */
		get remove() {
			return api.remove && remove;
		},
		dispose: () => ending.abort(),
	};
}
