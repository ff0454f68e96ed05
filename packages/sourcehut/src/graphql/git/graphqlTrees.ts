import { gatheredReads, type GatheredRead } from '@forge-desk/base/gatheredReads.ts';
import { provenBy } from 'patchmail/git/objectId.ts';
import { treeBytes } from 'patchmail/git/treeBytes.ts';
import type { RepositoryApi } from '../../port/forge.ts';
import { isForgeError, ForgeError } from '../../port/forgeError.ts';
import { refText } from '../../port/namedRef.ts';
import type { RepositoryRef, Tree, TreeEntry, TreePath } from '../../port/repository.ts';
import { orNotFound } from '../transport/listed.ts';
import { unsentKey } from '../transport/partial.ts';
import type { TreeBeginning } from './gitAnswers.ts';
import { readEntries, readFolder, readRoot, readTrees } from './gitDocuments.ts';
import { checkedSteps, headRevision } from './namedRepositories.ts';
import type { GitService } from './openRepository.ts';

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

/** Limit for incomplete folders: 1,000 names. */
const mostPages = 40;

/**
 * Reads folders over GraphQL. Folders with more than 25 entries lose some (docs/protocol.md#graphql-pages-of-names):
 * the folder's id proves a complete one, and Git reads the others.
 */
export function graphqlTrees({
	named,
	openRepositories: visits,
	instance,
	git,
}: GitService): Pick<RepositoryApi, 'tree' | 'treeById'> & Required<Pick<RepositoryApi, 'entriesAt'>> {
	const byId = objectsById<TreeBeginning>(async (ref, ids, signal) => {
		const found = (await named.ask(readTrees, ref, { ids }, signal)) ?? [];
		return new Map(found.flatMap((each) => (each ? [[each.tree.id, each] as const] : [])));
	});

	async function whole(ref: RepositoryRef, found: TreeBeginning | undefined, signal: AbortSignal): Promise<Tree> {
		const beginning = orNotFound(found);
		const { tree } = beginning;
		const isAll = beginning.next === undefined;
		const bytes = isAll ? treeBytes(tree) : undefined;
		if (bytes !== undefined && provenBy(tree.id, 'tree', bytes) === 'same') {
			return tree;
		}
		const read = await git?.tree({ instance, ref: named.now(ref) }, tree.id, signal);
		if (read) {
			return { ...read, shortId: tree.shortId };
		}
		// Names that are not UTF-8 arrive with replacement characters, so the id can't prove them.
		if (isAll && beginning.isPart !== true && tree.entries.some(({ name }) => name.includes('\u{fffd}'))) {
			return tree;
		}
		throw new ForgeError({ kind: 'incomplete', known: await withLaterPages(ref, beginning, signal) });
	}

	/** The names that the API has. Each page boundary loses two. */
	async function withLaterPages(ref: RepositoryRef, { tree, next }: TreeBeginning, signal: AbortSignal): Promise<Tree> {
		const entries = new Map(tree.entries.map((each) => [each.name, each]));
		let cursor = next;
		for (let page = 1; cursor !== undefined && page < mostPages; page += 1) {
			const [more] = (await named.ask(readTrees, ref, { ids: [tree.id], cursor }, signal)) ?? [];
			const before = entries.size;
			more?.tree.entries.forEach((each) => entries.set(each.name, each));
			cursor = entries.size > before ? more?.next : undefined;
		}
		return { ...tree, entries: [...entries.values()] };
	}

	return {
		async entriesAt(ref, places, signal) {
			const found = new Map<TreePath, TreeEntry | 'unread' | undefined>();
			const size = readEntries.mostAtOnce;
			const chunks = [...Map.groupBy(places, (place) => place.ref).values()].flatMap((ofCommit) =>
				Array.from({ length: Math.ceil(ofCommit.length / size) }, (_, at) =>
					ofCommit.slice(at * size, (at + 1) * size),
				),
			);
			await Promise.all(
				chunks.map(async (some) => {
					const asked = Array.from({ length: size }, (_, at) => some[at] ?? some[0]);
					const paths = asked.map((place, at) => [`path${at}`, checkedSteps(place?.path ?? '')] as const);
					const variables = { revision: some[0]?.ref, ...Object.fromEntries(paths) };
					const { [unsentKey]: failed, ...entries } = orNotFound(await named.ask(readEntries, ref, variables, signal));
					some.forEach((place, at) =>
						found.set(place, failed.includes(`e${at}`) ? 'unread' : (entries[`e${at}`] ?? undefined)),
					);
				}),
			);
			return places.map((place) => found.get(place));
		},
		async tree(ref, at, signal) {
			const { ref: revision, path } = at ?? { ref: headRevision, path: '' };
			const found =
				path === ''
					? await named.ask(readRoot, ref, { revision }, signal)
					: await named.ask(readFolder, ref, { revision, path: checkedSteps(path) }, signal);
			return whole(ref, found, signal);
		},
		treeById: async (ref, id, signal) => whole(ref, visits.tree(ref, id) ?? (await byId(ref)(id, signal)), signal),
	};
}
