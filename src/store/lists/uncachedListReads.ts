import type { ListApi } from '../../forge/port/forge.ts';
import { listKey, refOfList, type ListRef, type ShortEmail, type Subscription } from '../../forge/port/list.ts';
import { untilTheEnd } from '../../forge/port/untilTheEnd.ts';
import type { OwnerName } from '../../forge/port/user.ts';

/** Reads without a cache. */
export type UncachedListReads = ReturnType<typeof uncachedListReads>;

export function uncachedListReads(api: ListApi) {
	return {
		/** Absent if the server lacks it. */
		get search() {
			return api.search?.bind(api);
		},
		get mails() {
			return api.mails?.bind(api);
		},
		/** Visible lists of any owner. */
		ofOwner: (owner: OwnerName, signal: AbortSignal) => api.lists(owner, signal),
		/** Newest first. */
		patchsets: (list: ListRef, signal: AbortSignal) => api.patchsets(list, signal),
		/** `id`: number of the first mail. */
		thread: (id: number, signal: AbortSignal): Promise<readonly ShortEmail[]> => api.thread(id, signal),
	};
}

/** Throws `incomplete` if the forge lists only a part and the subscription is not in it. */
export async function subscriptionTo(
	api: ListApi,
	ref: ListRef,
	signal: AbortSignal,
): Promise<Subscription | undefined> {
	for await (const { items } of untilTheEnd(api.subscriptions([ref], signal))) {
		const found = items.find(({ list }) => listKey(refOfList(list)) === listKey(ref));
		if (found) {
			return found;
		}
	}
	return undefined;
}
