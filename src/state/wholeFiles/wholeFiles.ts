import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { turns } from '../../base/timeSlice.ts';
import type { RepositoryRef } from '../../forge/repository.ts';
import { refText } from '../../forge/namedRef.ts';
import { shownInBytes } from '../../series/diffInBytes.ts';
import type { PatchMail, SeriesMail, SeriesReading } from '../../series/seriesReading.ts';
import type { KeptNames } from '../shared/keptNames.ts';
import { keptReadings, type KeptTexts } from '../shared/keptReadings.ts';
import type { RepositoryStore } from '../repositories/repositoryStore.ts';
import { fileFinder } from './fileFinder.ts';
import { forgeObjects, foundBefore } from './forgeObjects.ts';
import type { FileSources, ObjectsOfClone, PatchBase } from './preImage.ts';
import type { RepositoryChoices } from './repositoryChoices.ts';
import { seriesFiles, type FilesOfPatch, type SeriesFiles } from './seriesFiles.ts';
import { shortIdWays, statedIds } from './statedIds.ts';

/** Patches that follow each other, whose files are wanted whole. */
export interface WantedSeries {
	/** Names them; the same patches in the same repository share what was found. */
	readonly key: string;
	readonly patches: readonly FilesOfPatch[];
	readonly base: PatchBase;
	/** Where to look; `undefined` where nobody knows yet, and then only clones are looked into. */
	readonly repository: RepositoryRef | undefined;
}

/** The whole files of one account's patches, and how sure they are. */
export interface WholeFiles {
	of(series: WantedSeries): SeriesFiles;
	/** The same of what takes no request: of what was found before, also in an earlier window, and of clones. Holds nothing. */
	withoutRequests(series: Omit<WantedSeries, 'key'>): SeriesFiles;
	/** Which repository the patches of lists belong to, as people have said it. */
	readonly choices: RepositoryChoices;
}

export interface WholeFilesParts {
	readonly repositories: RepositoryStore;
	/** `~name` of the account. */
	readonly me: string;
	/** The clones of this window. */
	readonly clones: ObjectsOfClone;
	/** Where ids outlive the window; absent where they are not to. */
	readonly disk: KeptTexts | undefined;
	/** Whether this server gives files out by the beginnings of their ids. */
	readonly shortIds: KeptNames;
	readonly choices: RepositoryChoices & Disposable;
	readonly clock: Clock;
}

/** Series whose files are held; each holds no more than it may, see `seriesFiles`. */
const mostSeries = 6;

export function wholeFiles(parts: WholeFilesParts): WholeFiles & Disposable {
	const { repositories, me, clones, disk, choices, clock } = parts;
	const ids = statedIds(disk && keptReadings(disk, clock));
	const shortIds = shortIdWays(parts.shortIds);
	const turn = turns(clock);
	const ending = new AbortController();
	// What makes room is still made for those who wait for it.
	const held = new LRUCache<string, HeldSeries>({ max: mostSeries });

	function filesOf(patches: readonly FilesOfPatch[], sources: FileSources, base: PatchBase): SeriesFiles {
		return seriesFiles({ patches, finder: fileFinder(sources, base), turn, ending: ending.signal });
	}

	function sourcesOf(ref: RepositoryRef | undefined): FileSources {
		if (!ref) {
			return { before: undefined, clone: clones, forge: undefined };
		}
		const forge = forgeObjects({ repositories, ref, isMine: ref.owner === me, shortIds });
		return { before: foundBefore({ repositories, ref }, ids), clone: clones, forge };
	}

	return {
		choices,
		of({ key, patches, base, repository }) {
			const name = JSON.stringify([key, repository && refText(repository)]);
			const known = held.get(name);
			if (known && isSame(known.patches, patches)) {
				return known.files;
			}
			const files = filesOf(patches, sourcesOf(repository), base);
			held.set(name, { patches, files });
			return files;
		},
		withoutRequests: ({ patches, base, repository }) =>
			filesOf(patches, { ...sourcesOf(repository), forge: undefined }, base),
		dispose() {
			ending.abort();
			held.clear();
			choices.dispose();
		},
	};
}

interface HeldSeries {
	readonly patches: readonly FilesOfPatch[];
	readonly files: SeriesFiles;
}

/** The same texts, so that whoever reads them anew gets what is known. */
function isSame(some: readonly FilesOfPatch[], others: readonly FilesOfPatch[]): boolean {
	return some.length === others.length && some.every(({ diffText }, at) => diffText === others[at]?.diffText);
}

/** The patches of a series, and what its mails say of the commit that they were made from. */
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
			sentMs: Math.min(...mails.map(sentAt)),
		},
	};
}

/** Before this there was no git, so a mail that says so says it wrongly. */
const firstMs = Date.UTC(2005, 3, 7);

/** An archive may have taken a mail in much later than it was sent; nobody sends one later than it arrives. */
function sentAt({ createdMs, reading }: SeriesMail): number {
	const writtenMs = reading.kind === 'read' ? reading.mail.dateMs : undefined;
	return writtenMs !== undefined && writtenMs >= firstMs ? Math.min(writtenMs, createdMs) : createdMs;
}
