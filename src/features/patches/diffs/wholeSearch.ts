import * as vscode from 'vscode';
import { latest } from '@forge-desk/base/latest.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { listKey, type ListRef, type PatchsetRef } from 'sourcehut/port/list.ts';
import { patchSubject } from 'patchmail/series/patchSubject.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import type { FileDiff } from 'patchmail/patch/fileDiff.ts';
import type { FilePlace } from 'patchmail/patch/patchChain.ts';
import { type PatchSeries, seriesOfPatchset } from '../../../editor/patchDocuments/patchInSeries.ts';
import type { FoundFile, WhyMissing } from '../../../editor/patchDocuments/fullFileTexts.ts';
import type { Connection } from '../../../store/connection.ts';
import type { SearchBudget } from '../../../store/repositories/history/historyReads.ts';
import type { HowFar } from '../../../store/wholeFiles/fileFinder.ts';
import type { SeriesFile, SeriesFiles } from '../../../store/wholeFiles/seriesFiles.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import { askPatchRepository, repositoryByForge, repositoryHere, type PatchesOfList } from './patchRepository.ts';
import { ownBefore } from 'patchmail/patch/ownBefore.ts';
import { wholeFile, type WholeFile } from 'patchmail/patch/wholeFile.ts';
import type { FoundFiles, PlacedPatch } from '../../../editor/patchDocuments/patchDiffs.ts';
import { shownInBytes } from 'patchmail/series/diffInBytes.ts';
import type { PatchMail, SeriesReading } from 'patchmail/series/seriesReading.ts';

/** Patches for a search of whole files. */
interface SearchedSeries {
	readonly connection: Connection;
	readonly list: ListRef;
	readonly read: (signal: AbortSignal) => Promise<PatchSeries>;
	readonly wanted: (series: PatchSeries) => readonly FilePlace[];
	/** Subject of the search in progress texts. */
	readonly title: string;
	/** Requests of all searches of one command; without it, this one has its own. */
	readonly budget?: SearchBudget | undefined;
}

/** Results of a search until its end or cancellation. */
interface FoundSeries {
	readonly series: PatchSeries | undefined;
	readonly repository: RepositoryRef | undefined;
	readonly spans: SeriesFiles['spans'];
	file(place: FilePlace): FoundFile;
}

/** Search for whole files while the user waits. */
export type WholeSearch = ReturnType<typeof wholeSearch>;

export function wholeSearch(parts: ListsContext) {
	/** Lists with a cancelled repository question. */
	const closed = new Set<string>();

	return {
		/**
		 * Searches with cancellable progress; a cancel keeps earlier results. Asks for an unknown repository, once per
		 * window. `further`: with a larger budget and retries; explains an empty result. Throws only if `signal` aborts.
		 */
		async find(searched: SearchedSeries, how: HowFar, signal: AbortSignal) {
			const search = new Search(parts, searched, how);
			try {
				await search.run(closed, signal);
				search.tell();
			} catch (error) {
				if (signal.aborted) {
					throw error;
				}
				parts.problems.log(error);
				if (!isAbort(error) && !isForgeError(error)) {
					throw error;
				}
			}
			return search.found();
		},
	};
}

class Search {
	readonly #parts: ListsContext;
	readonly #searched: SearchedSeries;
	readonly #how: HowFar;
	readonly #files = new Map<string, SeriesFile>();
	/** Why there is no repository to look in. */
	#noRepository: WhyMissing = 'noRepository';
	#series: PatchSeries | undefined;
	#repository: RepositoryRef | undefined;
	#spans: SeriesFiles['spans'] = [];

	constructor(parts: ListsContext, searched: SearchedSeries, how: HowFar) {
		this.#parts = parts;
		this.#searched = searched;
		this.#how = how;
	}

	found(): FoundSeries {
		return {
			series: this.#series,
			repository: this.#repository,
			spans: this.#spans,
			file: (place) => {
				const file = this.#files.get(keyOf(place));
				return file && { whole: file.whole, missing: this.#whyMissing(file) };
			},
		};
	}

	/** Logs the forge's errors and reports what an extended search missed. */
	tell(): void {
		const files = [...this.#files.values()];
		const failed = files.find(({ error }) => error !== undefined);
		if (failed) {
			this.#parts.problems.log(failed.error);
		}
		const missing = files.flatMap((file) => this.#whyMissing(file) ?? []);
		if (this.#how === 'further' && missing.length > 0) {
			// Fixable reasons first.
			tellBriefly(
				missing.includes('failed')
					? vscode.l10n.t('The forge could not be asked for all files. Try again later.')
					: missing.includes('tooLarge')
						? vscode.l10n.t(
								'Not all files were found, and the history of the repository is too large to load. Clone the repository to see whole files.',
							)
						: missing.includes('budget') || missing.includes('tooMany')
							? vscode.l10n.t('Not all files were found yet. Load from Older Commits continues from here.')
							: missing.includes('gone')
								? vscode.l10n.t('Not all files were found. Choose the repository of these patches again.')
								: vscode.l10n.t('Not all files were found, and there are no older commits to search.'),
			);
		}
	}

	/** A renamed or deleted repository stays missing on every retry. */
	#whyMissing({ missing, error }: SeriesFile): WhyMissing | undefined {
		if (missing === 'failed' && isForgeError(error) && error.problem.kind === 'notFound') {
			return 'gone';
		}
		return missing === 'noRepository' ? this.#noRepository : missing;
	}

	async run(closed: Set<string>, signal: AbortSignal): Promise<void> {
		const { connection, list, title } = this.#searched;
		const { series, likely } = await withProgress(title, signal, (working) => this.#lookUnasked(working));
		if (!likely) {
			return;
		}
		const key = JSON.stringify([connection.key, listKey(list), patchesOf(this.#searched, series).prefix]);
		if (!closed.has(key) || this.#how === 'further') {
			closed.add(key);
			const chosen = await askPatchRepository(patchesOf(this.#searched, series), likely, signal).catch(
				(error: unknown) => {
					if (!isForgeError(error)) {
						throw error;
					}
					void this.#parts.problems.show(error);
					return undefined;
				},
			);
			if (chosen === 'none') {
				this.#noRepository = 'noneChosen';
			} else if (chosen) {
				await withProgress(title, signal, (working) => this.#look(connection, series, chosen, working));
			}
		}
	}

	/** `likely`: candidates if the user has to choose the repository. */
	async #lookUnasked(signal: AbortSignal) {
		const { connection, read } = this.#searched;
		const series = await read(signal);
		this.#series = series;
		const patches = patchesOf(this.#searched, series);
		const here = await repositoryHere(this.#parts, patches, signal);
		await this.#look(connection, series, here?.ref, signal);
		if (here) {
			this.#noRepository = 'noneChosen';
		}
		if (here || !Array.from(this.#files.values()).some(({ missing }) => missing === 'noRepository')) {
			return { series, likely: undefined };
		}
		const known = await repositoryByForge(this.#parts, patches, signal);
		switch (known.kind) {
			case 'ask':
				return { series, likely: known.likely };
			case 'found':
				await this.#look(connection, series, known.ref, signal);
				break;
			case 'unknown':
				this.#noRepository = 'failed';
		}
		return { series, likely: undefined };
	}

	async #look(
		{ wholeFiles }: Connection,
		{ wanted }: PatchSeries,
		repository: RepositoryRef | undefined,
		signal: AbortSignal,
	): Promise<void> {
		const files = wholeFiles.of({ ...wanted, repository });
		this.#repository = repository;
		this.#spans = files.spans;
		const look = files.look(this.#how, this.#searched.budget);
		const places = this.#series ? this.#searched.wanted(this.#series) : [];
		if (places.length > 1) {
			await look.prepare(places, signal);
		}
		for (const place of places) {
			const file = await look.file(place, signal);
			if (file) {
				this.#files.set(keyOf(place), file);
			}
		}
	}
}

function patchesOf({ connection, list }: SearchedSeries, { subject }: PatchSeries): PatchesOfList {
	const prefix = patchSubject(subject)?.prefix ?? '';
	return { connection, list, prefix: prefix === '' ? undefined : prefix };
}

/** The title of a search for one file, and for several. */
export function searchTitle(name: string | undefined): string {
	return name === undefined
		? vscode.l10n.t('Searching for whole files…')
		: vscode.l10n.t('Searching for the whole file {0}…', name);
}

function keyOf({ patch, file }: FilePlace): string {
	return `${patch} ${file}`;
}

/** Searches for all files of a series. */
export function searchedSeries(
	{ search }: { readonly search: WholeSearch },
	connection: Connection,
	ref: PatchsetRef,
	{ far, budget }: { readonly far: HowFar; readonly budget?: SearchBudget },
	signal: AbortSignal,
): Promise<FoundSeries> {
	return search.find(
		{
			connection,
			list: ref.list,
			read: (working) => seriesOfPatchset(connection, ref, working),
			wanted: ({ wanted }) =>
				wanted.patches.flatMap(({ diff }, patch) => diff.files.map((_, file) => ({ patch, file }))),
			title: searchTitle(undefined),
			budget,
		},
		far,
		signal,
	);
}

/** Patches of a series with their found files. */
export function placedSeries(
	connectionKey: string,
	ref: PatchsetRef,
	series: SeriesReading,
	found: FoundSeries,
): readonly PlacedPatch[] {
	return series.patches.map(({ mail, patch, index }): PlacedPatch => {
		const at = found.series?.mailIds.indexOf(mail.id) ?? -1;
		return {
			connectionKey,
			list: ref.list,
			patchsetId: ref.id,
			mailId: mail.id,
			patch,
			number: series.count > 1 ? `${index}/${series.count}` : '',
			found: filesIn(found, at, patch),
		};
	});
}

/** Whole files that patches contain. A command asks for the same one several times, and steps through comments again. */
const ownWhole = latest<FileDiff, WholeFile>(4);

/** Files of patch `at`. */
export function filesIn(found: FoundSeries | undefined, at: number, patch: PatchMail): FoundFiles {
	return {
		repository: found?.repository,
		file(place) {
			const searched = found?.file({ patch: at, file: place });
			if (searched) {
				return searched;
			}
			// The patch may contain the file completely.
			const { diff, diffText } = shownInBytes(patch);
			const file = diff.files[place];
			return file && ownBefore(diffText, file).kind !== 'wanted'
				? { whole: ownWhole(file, () => wholeFile({ text: diffText, file, before: undefined })), missing: undefined }
				: undefined;
		},
	};
}
