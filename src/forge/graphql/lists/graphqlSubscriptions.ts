import type { ListApi } from '../../port/forge.ts';
import { isForgeError } from '../../port/forgeError.ts';
import { listKey, refOfList, type ListRef, type Subscription } from '../../port/list.ts';
import type { Pages } from '../../port/page.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import { listOf, orNotFound, readBack } from '../door/listed.ts';
import { bareName, byName } from '../door/variables.ts';
import {
	listSubscribed,
	listSubscriptions,
	readSubscribed,
	subscribeToList,
	unsubscribeFromList,
} from './listDocuments.ts';
import type { ListIds } from './listIds.ts';

/** A document holds eight requests for single lists. */
const mostNamed = 100;

/** List subscriptions over GraphQL. The API has no lookup by id. */
export function graphqlSubscriptions(caller: GraphqlCaller, ids: ListIds) {
	const { ask, me } = caller;
	/** Subscriptions by id, from all responses. */
	const known = new Map<number, Subscription>();

	function remember(told: readonly (Subscription | undefined)[]): void {
		told.forEach((each) => each && known.set(each.id, each));
	}

	/** The subscriptions that the lists report: for own lists, and for lists with known names. */
	async function lookAround(named: readonly ListRef[], signal: AbortSignal): Promise<readonly Subscription[]> {
		const found: Subscription[] = [];
		for await (const { items } of listOf(caller, listSubscribed, { owner: bareName(me) }, ({ name }) => name, signal)) {
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
	 * The server lists at most 25 subscriptions, and omits all names if one of the lists is hidden. Then each list with
	 * a known name needs its own request, and the result never counts as complete
	 * (docs/protocol.md#graphql-subscriptions).
	 */
	async function* subscriptions(named: readonly ListRef[], signal: AbortSignal): Pages<Subscription> {
		const told = new Set<number>();
		let around: readonly Subscription[] | undefined;
		let hidden = 0;
		const pages = listOf(caller, listSubscriptions, {}, ({ id }) => id, signal);
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
			// Null, or not found, if another client unsubscribed first.
			await ask(unsubscribeFromList, { id }, signal).catch(undefinedIfNotFound);
		},
	} satisfies Partial<ListApi>;
}

function undefinedIfNotFound(error: unknown): undefined {
	if (!isForgeError(error) || error.problem.kind !== 'notFound') {
		throw error;
	}
}
