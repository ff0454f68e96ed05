import { LRUCache } from 'lru-cache';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { turns } from '@forge-desk/base/timeSlice.ts';
import { minOf } from '@forge-desk/base/longArrays.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { shownInBytes } from 'patchmail/series/diffInBytes.ts';
import type { PatchMail, SeriesMail, SeriesReading } from 'patchmail/series/seriesReading.ts';
import type { KeptNames } from '../shared/keptNames.ts';
import { keptReadings, type KeptTexts } from '../shared/keptReadings.ts';
import type { RepositoryStore } from '../repositories/repositoryStore.ts';
import { fileFinder, type FileSources } from './fileFinder.ts';
import { forgeObjects, foundBefore, keepingHistory, shortIdSupport, statedIds } from './forgeObjects.ts';
import { GitSearch, type HistoryOfGit } from './gitSearch.ts';
import type { ObjectsOfClone, PatchBase } from './preImage.ts';
import type { RepositoryChoices } from './repositoryChoices.ts';
import { seriesFiles, wantedOfSeries, type FilesOfPatch, type SeriesFiles } from './seriesFiles.ts';

/** Consecutive patches whose complete files are wanted. */
export interface WantedSeries {
	/** Cache key: equal patches in the same repository share findings. */
	readonly key: string;
	readonly patches: readonly FilesOfPatch[];
	readonly base: PatchBase;
	/** `undefined` when unknown; then only clones are searched. */
	readonly repository: RepositoryRef | undefined;
}

export interface WholeFilesContext {
	readonly repositories: RepositoryStore;
	/** `~name` of the account. */
	readonly me: string;
	/** Clones open in this window. */
	readonly clones: ObjectsOfClone;
	/** The history of a repository through git; absent when nothing may be stored. */
	readonly historyAt: (ref: RepositoryRef) => HistoryOfGit | undefined;
	/** Disk cache of ids; absent when nothing may be stored. */
	readonly disk: KeptTexts | undefined;
	/** Detected support for abbreviated blob ids. */
	readonly shortIds: KeptNames;
	readonly choices: RepositoryChoices & Disposable;
	readonly clock: Clock;
}

/** Cached series; see `seriesFiles` for the limit of each. */
const mostSeries = 6;

/** Complete files of one account's patches. */
export type WholeFiles = ReturnType<typeof wholeFiles>;

export function wholeFiles(parts: WholeFilesContext) {
	const { repositories, me, clones, historyAt, disk, choices, clock } = parts;
	const ids = statedIds(disk && keptReadings(disk, clock));
	const shortIds = shortIdSupport(parts.shortIds);
	const turn = turns(clock);
	const ending = new AbortController();
	// Evicted series still complete for their waiting callers.
	const held = new LRUCache<string, { readonly patches: readonly FilesOfPatch[]; readonly files: SeriesFiles }>({
		max: mostSeries,
	});

	function filesOf(patches: readonly FilesOfPatch[], sources: FileSources, base: PatchBase): SeriesFiles {
		return seriesFiles(patches, fileFinder(sources, base), turn, ending.signal);
	}

	function sourcesOf(ref: RepositoryRef | undefined, patches: readonly FilesOfPatch[], base: PatchBase): FileSources {
		if (!ref) {
			return { before: undefined, clone: clones, forge: undefined, history: undefined };
		}
		const forge = forgeObjects(repositories, ref, ref.owner === me, shortIds);
		const atGit = historyAt(ref);
		const history = atGit && keepingHistory(repositories, ref, atGit);
		return {
			before: foundBefore(repositories, ref, ids),
			clone: clones,
			forge,
			history: history && new GitSearch(history, base.sentMs, () => wantedOfSeries(patches)),
		};
	}

	return {
		/** The user's choices of repositories for lists. */
		choices,
		of({ key, patches, base, repository }: WantedSeries) {
			const name = JSON.stringify([key, repository && refText(repository)]);
			const known = held.get(name);
			// Equal texts can share a cached series.
			const isSame = (each: FilesOfPatch, at: number): boolean => each.diffText === patches[at]?.diffText;
			if (known?.patches.length === patches.length && known.patches.every(isSame)) {
				return known.files;
			}
			const files = filesOf(patches, sourcesOf(repository, patches, base), base);
			held.set(name, { patches, files });
			return files;
		},
		/** Uses only earlier findings and clones. No request, no cache. */
		withoutRequests: ({ patches, base, repository }: Omit<WantedSeries, 'key'>) =>
			filesOf(patches, { ...sourcesOf(repository, patches, base), forge: undefined }, base),
		dispose() {
			ending.abort();
			held.clear();
			choices.dispose();
		},
	};
}

/** First release of git; earlier dates are wrong. */
const firstMs = Date.UTC(2005, 3, 7);

/** The patches of a series and the hints of its mails to the base commit. */
export function filesOfSeries(
	{ cover, patches }: Pick<SeriesReading, 'cover' | 'patches'>,
	patchOf: (mail: SeriesMail) => PatchMail | undefined,
): Pick<WantedSeries, 'patches' | 'base'> {
	const mails = [...(cover ? [cover] : []), ...patches.map(({ mail }) => mail)];
	const stated = [cover && patchOf(cover)?.baseCommit, ...patches.map(({ patch }) => patch.baseCommit)];
	return {
		patches: patches.map(({ patch }) => shownInBytes(patch)),
		base: {
			commit: stated.find((each) => each !== undefined),
			sentMs: minOf(
				mails.map(({ createdMs, reading }) => {
					const writtenMs = reading.kind === 'read' ? reading.mail.dateMs : undefined;
					// The archive may have received a mail much later than it was sent, but never earlier.
					return writtenMs !== undefined && writtenMs >= firstMs ? Math.min(writtenMs, createdMs) : createdMs;
				}),
			),
		},
	};
}
