import { threadsOfLines } from 'public-inbox/lines/threadsOfLines.ts';
import { unlessMissing } from 'sourcehut/port/isAway.ts';
import { listKey, type ListRef, type ShortEmail } from 'sourcehut/port/list.ts';
import type { Connection } from '../../store/connection.ts';
import { knownLists } from '../../store/lists/knownLists.ts';

/** A list whose server searches it. */
export interface SearchedPlace {
	readonly connection: Connection;
	readonly list: ListRef;
}

/** Nobody waits for more. */
const mostLists = 8;

const isArchive = ({ instance }: Connection): boolean => instance.archiveUrl !== undefined;

export const placeKey = ({ connection, list }: SearchedPlace): string => `${connection.key} ${listKey(list)}`;

/** The lists to ask: `first` (as of `placeKey`), those of archives, then others. Throws at the end if some are unknown. */
export async function* searchedPlaces(
	connections: readonly Connection[],
	first: string | undefined,
	signal: AbortSignal,
): AsyncGenerator<SearchedPlace, void, void> {
	const rank = (connection: Connection): number =>
		first?.startsWith(`${connection.key} `) === true ? 0 : isArchive(connection) ? 1 : 2;
	const isLater = (place: SearchedPlace): number => Number(placeKey(place) !== first);
	let left = mostLists;
	let failure: { readonly error: unknown } | undefined;
	for (const connection of connections.toSorted((one, other) => rank(one) - rank(other))) {
		if (connection.lists.uncached.search && left > 0) {
			const known = await knownLists(connection.lists.collection, signal);
			failure ??= known.failure;
			const places = known.lists.map((list) => ({ connection, list }));
			yield* places.toSorted((one, other) => isLater(one) - isLater(other)).slice(0, left);
			left -= places.length;
		}
	}
	if (failure) {
		throw failure.error;
	}
}

/** The first page. Nothing for an empty query. */
export async function searched({ connection, list }: SearchedPlace, query: string, signal: AbortSignal) {
	const page = query === '' ? undefined : await connection.lists.uncached.search?.(list, query, signal).next();
	return page?.done === false ? page.value.items : [];
}

/** Searches for lines. Their results live with the connection. */
export function lineSearches() {
	type Search = ReturnType<typeof threadsOfLines<ShortEmail>>;
	const known = new WeakMap<Connection, Map<string, Search>>();

	function newSearch(place: SearchedPlace): Search {
		const { connection, list } = place;
		const { lists, texts } = connection;
		return threadsOfLines<ShortEmail>({
			hasPrefixes: isArchive(connection),
			search: (query, signal) => searched(place, query, signal),
			// Archives take any mail of a thread, other servers its first one.
			thread: async (messageId, row, signal) =>
				(await unlessMissing<readonly ShortEmail[]>(
					row && !isArchive(connection)
						? lists.thread(list, row.threadId ?? row.id, signal)
						: lists.threadNamed({ messageId, list }, signal),
				)) ?? [],
			patch: async ({ id }, signal) => (await texts.readPatch(id, signal)).patch,
		});
	}

	return (place: SearchedPlace): Search => {
		const ofConnection = known.get(place.connection) ?? new Map<string, Search>();
		known.set(place.connection, ofConnection);
		const search = ofConnection.get(listKey(place.list)) ?? newSearch(place);
		ofConnection.set(listKey(place.list), search);
		return search;
	};
}
