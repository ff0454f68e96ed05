import type { ListApi } from '../../forge/forge.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import { refOfList, type ListRef, type Subscription } from '../../forge/list.ts';
import type { Pages } from '../../forge/page.ts';
import type { GraphqlCaller, Operation } from '../door/graphqlCaller.ts';
import { listed, orNotFound } from '../door/listed.ts';
import { bareName, byName } from '../door/variables.ts';
import {
	listSubscribed,
	listSubscriptions,
	readSubscribed,
	subscribeToList,
	unsubscribeFromList,
} from './listDocuments.ts';
import type { ListIds } from './listIds.ts';

/** Subscriptions to lists, over GraphQL. One cannot be looked up by its number. */
export function graphqlSubscriptions(
	{ ask, me }: GraphqlCaller,
	ids: ListIds,
): Pick<ListApi, 'subscriptions' | 'subscribe' | 'unsubscribe'> {
	/** What was ever told of the list of a subscription, by its number. */
	const known = new Map<number, Subscription>();

	function remember(told: readonly (Subscription | undefined)[]): void {
		told.forEach((each) => each && known.set(each.id, each));
	}

	/**
	 * Lists that are not told may be others than the one that we may not see: our own and those that were asked for by their
	 * names tell their subscriptions themselves.
	 */
	async function lookAround(signal: AbortSignal): Promise<void> {
		const own = listed(
			{
				async fetch(cursor, pageSignal) {
					const page = await ask(listSubscribed, { owner: bareName(me), cursor }, pageSignal);
					return page && { ...page, items: page.items.flatMap((each) => each ?? []) };
				},
				key: ({ id }: Subscription) => id,
			},
			signal,
		);
		for await (const { items } of own) {
			remember(items);
		}
		remember(await Promise.all(ids.refs().map((ref) => ask(readSubscribed, byName(ref), signal))));
	}

	async function* subscriptions(signal: AbortSignal): Pages<Subscription> {
		let hidden = 0;
		let hasLooked = false;
		const pages = listed<Subscription>(
			{
				async fetch(cursor, pageSignal) {
					const page = orNotFound(await ask(listSubscriptions, { cursor }, pageSignal));
					remember(page.items.map((each) => each.known));
					if (!hasLooked && page.items.some(({ id }) => !known.has(id))) {
						hasLooked = true;
						await lookAround(pageSignal);
					}
					const items = page.items.flatMap(({ id }) => known.get(id) ?? []);
					hidden += page.items.length - items.length;
					return { ...page, items };
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

	/** Where nothing was done by a remembered number, the name may belong to a list that was made since, which is meant. */
	async function send<T>(
		operation: Operation<T | undefined>,
		ref: ListRef,
		signal: AbortSignal,
	): Promise<T | undefined> {
		const id = await ids.of(ref, signal);
		const done = await ask(operation, { id }, signal).catch(undefinedIfNotFound);
		if (done !== undefined) {
			return done;
		}
		ids.forget(ref);
		const now = await ids.of(ref, signal);
		return now === id ? undefined : ask(operation, { id: now }, signal);
	}

	return {
		subscriptions,
		async subscribe(ref, signal) {
			const made = orNotFound(await send(subscribeToList, ref, signal));
			remember([made]);
			return made;
		},
		async unsubscribe({ list }, signal) {
			// Null where there was none any more.
			await send(unsubscribeFromList, refOfList(list), signal);
		},
	};
}

function undefinedIfNotFound(error: unknown): undefined {
	if (!isForgeError(error) || error.problem.kind !== 'notFound') {
		throw error;
	}
}
