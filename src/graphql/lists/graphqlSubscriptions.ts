import type { ListApi } from '../../forge/forge.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import { listKey, refOfList, type ListRef, type Subscription } from '../../forge/list.ts';
import type { Pages } from '../../forge/page.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import { listed, orNotFound, readBack } from '../door/listed.ts';
import { bareName, byName } from '../door/variables.ts';
import {
	listSubscribed,
	listSubscriptions,
	readSubscribed,
	subscribeToList,
	unsubscribeFromList,
} from './listDocuments.ts';
import type { ListIds } from './listIds.ts';

/** Requests about single lists go eight in one document. */
const mostNamed = 100;

/** Subscriptions to lists, over GraphQL. One cannot be looked up by its number. */
export function graphqlSubscriptions(
	{ ask, me }: GraphqlCaller,
	ids: ListIds,
): Pick<ListApi, 'subscriptions' | 'subscribe' | 'unsubscribe'> {
	/** Subscriptions by number, from any answer. */
	const known = new Map<number, Subscription>();

	function remember(told: readonly (Subscription | undefined)[]): void {
		told.forEach((each) => each && known.set(each.id, each));
	}

	/** The subscriptions that lists themselves report: our own lists, and those known by name. */
	async function lookAround(named: readonly ListRef[], signal: AbortSignal): Promise<readonly Subscription[]> {
		const found: Subscription[] = [];
		const own = listed(
			{
				fetch: (cursor, pageSignal) => ask(listSubscribed, { owner: bareName(me), cursor }, pageSignal),
				key: ({ name }) => name,
			},
			signal,
		);
		for await (const { items } of own) {
			found.push(...items.flatMap((each) => each.own ?? []));
		}
		const refs = new Map([...named, ...ids.refs()].map((ref) => [listKey(ref), ref]));
		const asked = [...refs.values()].slice(0, mostNamed);
		const told = await Promise.all(asked.map((ref) => ask(readSubscribed, byName(ref), signal)));
		found.push(...told.flatMap((each) => each?.own ?? []));
		remember(found);
		return found;
	}

	/**
	 * The server lists 25 subscriptions at most, and none of them by name if we may not see one of their lists. Lists that are
	 * known by name are asked one by one then, and the result is never called complete
	 * (docs/protocol.md#graphql-subscriptions).
	 */
	async function* subscriptions(named: readonly ListRef[], signal: AbortSignal): Pages<Subscription> {
		const told = new Set<number>();
		let around: readonly Subscription[] | undefined;
		let hidden = 0;
		const pages = listed(
			{
				fetch: (cursor, pageSignal) => ask(listSubscriptions, { cursor }, pageSignal),
				key: ({ id }) => id,
			},
			signal,
		);
		for await (const { items: numbered, completeness, ...page } of pages) {
			remember(numbered.map((each) => each.known));
			const isCut = completeness.kind === 'more' && completeness.isLast === true;
			if (isCut || numbered.some(({ id }) => !known.has(id))) {
				around ??= await lookAround(named, signal);
			}
			const items = numbered.flatMap(({ id }) => known.get(id) ?? []);
			hidden += numbered.length - items.length;
			items.forEach(({ id }) => told.add(id));
			const more = isCut ? (around ?? []).filter(({ id }) => !told.has(id)) : [];
			more.forEach(({ id }) => told.add(id));
			const isPart = completeness.kind === 'complete' && hidden > 0;
			yield {
				...page,
				items: [...items, ...more],
				seen: told.size,
				completeness: isPart ? { kind: 'more', total: told.size + hidden } : completeness,
			};
		}
	}

	return {
		subscriptions,
		async subscribe(ref, signal) {
			orNotFound(await ask(subscribeToList, { id: await ids.current(ref, signal) }, signal));
			const made = await readBack(ask(readSubscribed, byName(ref), signal).then((each) => each?.own));
			remember([made]);
			return made;
		},
		async unsubscribe({ list }, signal) {
			const id = await ids.current(refOfList(list), signal);
			// Null, or not found, if another client ended it before.
			await ask(unsubscribeFromList, { id }, signal).catch(undefinedIfNotFound);
		},
	};
}

function undefinedIfNotFound(error: unknown): undefined {
	if (!isForgeError(error) || error.problem.kind !== 'notFound') {
		throw error;
	}
}
