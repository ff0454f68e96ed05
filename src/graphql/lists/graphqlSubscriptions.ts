import type { RawPage } from '../../answers/pagingWay.ts';
import type { ListApi } from '../../forge/forge.ts';
import type { Subscription } from '../../forge/list.ts';
import { saysEither } from '../door/problems.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import { listed, orNotFound } from '../door/listed.ts';
import { countSubscriptions, listSubscriptions, subscribeToList, unsubscribeFromList } from './listDocuments.ts';
import type { ListIds } from './listIds.ts';
import { refOfList } from '../../forge/list.ts';

/** Subscriptions to lists, over GraphQL. One cannot be looked up by its number. */
export function graphqlSubscriptions(
	{ ask }: GraphqlCaller,
	ids: ListIds,
): Pick<ListApi, 'subscriptions' | 'subscribe' | 'unsubscribe'> {
	/** Of a page with a list that we may not see nothing can be had but how it goes on, and that it is not all. */
	async function page(cursor: string | undefined, signal: AbortSignal): Promise<RawPage<Subscription> | undefined> {
		try {
			const whole = await ask(listSubscriptions, { cursor }, signal);
			return whole && { ...whole, items: whole.items.flatMap((each) => each ?? []) };
		} catch (error) {
			if (!saysEither(error)) {
				throw error;
			}
			const { items, next } = orNotFound(await ask(countSubscriptions, { cursor }, signal));
			return { items: [], next, total: next === undefined ? items.length : undefined, isEnvelope: true };
		}
	}

	return {
		subscriptions: (signal) =>
			listed(
				{
					fetch: page,
					key: ({ id }) => id,
				},
				signal,
			),
		async subscribe(ref, signal) {
			const id = await ids.of(ref, signal);
			return orNotFound(await ask(subscribeToList, { id }, signal));
		},
		async unsubscribe({ list }, signal) {
			const id = await ids.of(refOfList(list), signal);
			// Null where there was none any more.
			await ask(unsubscribeFromList, { id }, signal);
		},
	};
}
