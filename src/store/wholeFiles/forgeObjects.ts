import * as v from 'valibot';
import { isObjectId } from 'patchmail/git/objectId.ts';
import { isBinary } from 'patchmail/git/isBinary.ts';
import { blobId } from 'patchmail/patch/blobId.ts';
import { isForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import { historySource } from '../repositories/history/historyReads.ts';
import { headRevision } from '../repositories/repositoryReferences.ts';
import type { RepositoryStore } from '../repositories/repositoryStore.ts';
import type { KeptNames } from '../shared/keptNames.ts';
import { headBytes, type KeptReadings } from '../shared/keptReadings.ts';
import type { HistoryOfGit } from './gitSearch.ts';
import type { ContentsById, FoundBefore, ObjectsOfForge } from './preImage.ts';

/** Per repository. */
const mostIds = 2000;

const idsOfFile = v.parser(
	v.array(
		v.pipe(
			v.tuple([v.string(), v.string()]),
			v.check(([stated, full]) => isObjectId(full) && full.startsWith(stated) && stated !== ''),
		),
	),
);

export type StatedIds = ReturnType<typeof statedIds>;

/** Full ids by the abbreviated ids in patches, per repository; cached on disk. */
export function statedIds(kept: KeptReadings | undefined) {
	const known = new Map<string, Promise<Map<string, string>>>();

	function idsOf(ref: RepositoryRef): Promise<Map<string, string>> {
		const name = nameOf(ref);
		const ids = known.get(name) ?? read(name);
		known.set(name, ids);
		return ids;
	}

	async function read(name: string): Promise<Map<string, string>> {
		return new Map((await kept?.read(name, idsOfFile))?.value);
	}

	return {
		/** Never rejects. */
		async fullId(ref: RepositoryRef, stated: string): Promise<string | undefined> {
			return isObjectId(stated) ? stated : (await idsOf(ref)).get(stated);
		},
		note(ref: RepositoryRef, stated: string, content: Uint8Array): void {
			if (isObjectId(stated)) {
				return;
			}
			const full = blobId(content);
			void idsOf(ref).then((ids) => {
				if (ids.get(stated) !== full) {
					ids.delete(stated);
					ids.set(stated, full);
					for (const oldest of [...ids.keys()].slice(0, Math.max(0, ids.size - mostIds))) {
						ids.delete(oldest);
					}
					kept?.keep(nameOf(ref), [...ids], headBytes + ids.size * 100);
				}
			});
		},
	};
}

function nameOf(ref: RepositoryRef): string {
	return `stated-ids ${refText(ref)}`;
}

const supports = ['given out', 'refused'] as const;
type Support = (typeof supports)[number];

export type ShortIdSupport = ReturnType<typeof shortIdSupport>;

/** Detected support for abbreviated blob ids, separately for own and other repositories. */
export function shortIdSupport(kept: KeptNames) {
	const factOf = (isMine: boolean, support: Support): string => `${isMine ? 'own' : 'other'} ${support}`;
	const of = (isMine: boolean): Support | undefined =>
		supports.find((support) => kept.all().includes(factOf(isMine, support)));
	return {
		of,
		learn(isMine: boolean, support: Support): void {
			if (of(isMine) !== support) {
				const others = kept.all().filter((name) => !name.startsWith(isMine ? 'own' : 'other'));
				kept.keep([...others, factOf(isMine, support)]).catch(() => undefined);
			}
		},
	};
}

/** One repository through its store, which caches objects. */
export function forgeObjects(
	repositories: RepositoryStore,
	ref: RepositoryRef,
	isMine: boolean,
	shortIds: ShortIdSupport,
): ObjectsOfForge {
	return {
		history: historySource(repositories, ref),
		async head(sinceMs, budget, signal) {
			const known = repositories.folders.knownPinned(ref, headRevision)?.commit;
			if (known && known.timestampMs >= sinceMs) {
				return known.id;
			}
			budget.spend(signal);
			const newer = known
				? await repositories.newerThanStanding(ref, headRevision, signal)
				: (await repositories.folders.standing(ref, headRevision, signal))?.commit;
			return (newer ?? known)?.id;
		},
		content: contentAt(repositories, ref),
		byId: contentsById(repositories, ref, isMine, shortIds),
	};
}

/** Implements `ObjectsOfForge.content`. */
export function contentAt(repositories: RepositoryStore, ref: RepositoryRef): ObjectsOfForge['content'] {
	return async (id, at, budget, signal) => {
		const kept = await repositories.objects.keptBlob(ref, id);
		if (kept) {
			return kept.bytes;
		}
		budget.spend(signal);
		if (repositories.objects.wantsPlaces(ref)) {
			// The folder is cached.
			await repositories.folders.find(ref, at, signal);
		}
		return (await repositories.objects.blob(ref, id, signal)).bytes;
	};
}

/** Downloaded contents by the ids in patches. */
export function foundBefore(repositories: RepositoryStore, ref: RepositoryRef, ids: StatedIds): FoundBefore {
	return {
		async content(id) {
			const full = await ids.fullId(ref, id);
			const kept = full === undefined ? undefined : await repositories.objects.keptBlob(ref, full);
			return kept?.bytes;
		},
		note: (id, content) => ids.note(ref, id, content),
	};
}

/** A history whose contents stay in the cache of objects. */
export function keepingHistory(repositories: RepositoryStore, ref: RepositoryRef, history: HistoryOfGit): HistoryOfGit {
	return {
		versions: (question, signal) => history.versions(question, signal),
		async contents(ids, signal) {
			const found = new Map<string, Uint8Array>();
			for (const id of ids) {
				const kept = await repositories.objects.keptBlob(ref, id);
				if (kept) {
					found.set(id, kept.bytes);
				}
			}
			const left = ids.filter((id) => !found.has(id));
			for (const [id, bytes] of left.length === 0 ? [] : await history.contents(left, signal)) {
				repositories.objects.keepBlob(ref, id, { bytes, isBinary: isBinary(bytes) });
				found.set(id, bytes);
			}
			return found;
		},
	};
}

function contentsById(
	repositories: RepositoryStore,
	ref: RepositoryRef,
	isMine: boolean,
	shortIds: ShortIdSupport,
): ContentsById {
	/** Ids that the server refused. */
	const refused = new Set<string>();
	/** The refused ids that failed temporarily; they may be tried again. */
	const failed = new Set<string>();
	let isRouteMissing = false;

	async function read(id: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
		if (isObjectId(id)) {
			return (await repositories.objects.blob(ref, id, signal)).bytes;
		}
		const blob = await repositories.objects.blobByShortId?.(ref, id, signal);
		if (blob) {
			shortIds.learn(isMine, 'given out');
		}
		return blob?.bytes;
	}

	return {
		canAsk(id) {
			if (!isObjectId(id) && !repositories.objects.blobByShortId) {
				return false;
			}
			const support = isObjectId(id) ? undefined : shortIds.of(isMine);
			// While support is unknown, allow only one try.
			return (
				!refused.has(id) && !isRouteMissing && support !== 'refused' && (support === 'given out' || refused.size === 0)
			);
		},
		async content(id, budget, signal) {
			budget.spend(signal);
			try {
				const content = await read(id, signal);
				if (!content) {
					refused.add(id);
				}
				return content;
			} catch (error) {
				if (!isForgeError(error) || !(error.problem.kind === 'notFound' || saysNoSuchRoute.has(error.problem.kind))) {
					throw error;
				}
				refused.add(id);
				if (error.problem.kind === 'serverError') {
					failed.add(id);
				}
				isRouteMissing ||= error.problem.kind !== 'notFound';
				return undefined;
			}
		},
		wasThere(id) {
			if (refused.has(id) && !failed.has(id) && !isObjectId(id) && shortIds.of(isMine) === undefined) {
				shortIds.learn(isMine, 'refused');
			}
		},
	};
}

/** Responses of various servers to an unknown route. */
const saysNoSuchRoute: ReadonlySet<Problem['kind']> = new Set([
	'invalid',
	'serverError',
	'notUnderstood',
	'notOffered',
]);
