import { isAbort } from '@forge-desk/base/abort.ts';
import { turns } from '@forge-desk/base/timeSlice.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { patchId } from 'patchmail/patch/patchId.ts';
import { dependenciesOf, type Dependency } from 'patchmail/series/dependencies.ts';
import type { SeriesReading } from 'patchmail/series/seriesReading.ts';
import { versionOf } from 'patchmail/series/versions.ts';
import type { Patchset, PatchsetRef } from 'sourcehut/port/list.ts';
import type { ListStore } from '../listStore.ts';
import type { PatchsetReview } from './patchsetReview.ts';
import type { statedLinks } from './statedLinks.ts';

/** Something that a series needs, and the patchset that has it, if known. */
export interface Prerequisite {
	readonly dependency: Dependency;
	readonly patchset: Patchset | undefined;
}

/** Older patchsets of the same sender to read, in search of patch ids. */
const mostRead = 10;

/**
 * Resolves the dependencies of a series. Patch ids are searched in `loaded` reviews, then in the newest older patchsets
 * of the same sender. Only aborts throw.
 */
export async function readPrerequisites(
	review: PatchsetReview,
	{
		clock,
		lists,
		loaded,
		read,
		stated,
	}: {
		readonly clock: Clock;
		readonly lists: ListStore;
		readonly loaded: readonly PatchsetReview[];
		readonly read: (ref: PatchsetRef, signal: AbortSignal) => Promise<PatchsetReview>;
		readonly stated: ReturnType<typeof statedLinks>;
	},
	signal: AbortSignal,
): Promise<readonly Prerequisite[]> {
	const dependencies = dependenciesOf(review.series);
	const own = new Set([review.ref.id, ...review.versions.map(({ patchset }) => patchset.id)]);
	const turn = turns(clock);
	const ofPatch = new Map<string, Patchset>();
	const seen = new Set(own);

	async function note({ ref, patchset, series }: PatchsetReview): Promise<void> {
		if (!seen.has(ref.id)) {
			seen.add(ref.id);
			for (const id of patchIdsOf(series)) {
				ofPatch.set(id, ofPatch.get(id) ?? patchset);
				await turn(signal);
			}
		}
	}

	const isMissing = (): boolean => dependencies.some((each) => each.kind === 'patch' && !ofPatch.has(each.patchId));
	if (isMissing()) {
		for (const each of loaded) {
			await note(each);
		}
	}
	const { submitter, createdMs } = review.patchset;
	const older = lists
		.knownPatchsets(review.ref.list)
		.filter((each) => each.submitter === submitter && each.createdMs <= createdMs && !seen.has(each.id));
	for (const { id } of older.slice(0, mostRead)) {
		if (isMissing()) {
			await note(await read({ list: review.ref.list, id }, signal).catch(unlessAbort(review)));
		}
	}

	async function resolved(dependency: Dependency): Promise<Patchset | undefined> {
		switch (dependency.kind) {
			case 'patch':
				return ofPatch.get(dependency.patchId);
			case 'series':
				return loaded
					.filter(({ ref, stated }) => ref.id !== review.ref.id && stated.changeId === dependency.changeId)
					.map(({ patchset }) => patchset)
					.filter((patchset) => dependency.version === undefined || versionOf(patchset) === dependency.version)
					.toSorted((one, other) => versionOf(other) - versionOf(one))[0];
			case 'mail':
				return await stated.patchsetOf(review.ref.list, dependency.messageId, signal);
		}
	}

	const found: Prerequisite[] = [];
	for (const dependency of dependencies) {
		const patchset = await resolved(dependency);
		// A series does not need its own versions.
		if (patchset === undefined || !own.has(patchset.id)) {
			found.push({ dependency, patchset });
		}
	}
	return found;
}

function* patchIdsOf({ patches }: SeriesReading): Generator<string, void> {
	for (const { patch } of patches) {
		const { diff, diffText } = patch.bytes;
		const id = patchId(diffText.slice(0, diff.end), diff.start);
		if (id !== undefined) {
			yield id;
		}
	}
}

/** An unreadable patchset leaves its patches unresolved. */
function unlessAbort<T>(instead: T): (error: unknown) => T {
	return (error) => {
		if (isAbort(error)) {
			throw error;
		}
		return instead;
	};
}
