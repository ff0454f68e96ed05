import type { RawPage } from '../../answers/pagingWay.ts';
import type { ListApi } from '../../forge/forge.ts';
import { refOfList, type Subscription } from '../../forge/list.ts';
import type { Pages } from '../../forge/page.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import { listed, orNotFound } from '../door/listed.ts';
import { saysEither } from '../door/problems.ts';
import { countSubscriptions, listSubscriptions, subscribeToList, unsubscribeFromList } from './listDocuments.ts';
import type { ListIds } from './listIds.ts';

/** Subscriptions to lists, over GraphQL. One cannot be looked up by its number. */
export function graphqlSubscriptions(
	{ ask }: GraphqlCaller,
	ids: ListIds,
): Pick<ListApi, 'subscriptions' | 'subscribe' | 'unsubscribe'> {
	/** A page with a list that we may not see comes as nothing but its numbers (docs/protocol.md#graphql-subscriptions). */
	async function page(cursor: string | undefined, signal: AbortSignal): Promise<SubscriptionPage> {
		try {
			const whole = orNotFound(await ask(listSubscriptions, { cursor }, signal));
			return { ...whole, hidden: 0, items: whole.items.flatMap((each) => each ?? []) };
		} catch (error) {
			if (!saysEither(error)) {
				throw error;
			}
			const bare = orNotFound(await ask(countSubscriptions, { cursor }, signal));
			return { ...bare, hidden: bare.items.length, items: [] };
		}
	}

	async function* subscriptions(signal: AbortSignal): Pages<Subscription> {
		let hidden = 0;
		const pages = listed<Subscription>(
			{
				async fetch(cursor, pageSignal) {
					const found = await page(cursor, pageSignal);
					hidden += found.hidden;
					return found;
				},
				key: ({ id }) => id,
			},
			signal,
		);
		for await (const { completeness, ...rest } of pages) {
			const isPart = completeness.kind === 'complete' && hidden > 0;
			yield { ...rest, completeness: isPart ? { kind: 'more', total: rest.seen + hidden } : completeness };
		}
	}

	return {
		subscriptions,
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

interface SubscriptionPage extends RawPage<Subscription> {
	/** How many there are that nothing is known of but that. */
	readonly hidden: number;
}
