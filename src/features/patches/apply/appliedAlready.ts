import { nextTurn } from '@forge-desk/base/timeSlice.ts';
import { isStated } from 'patchmail/patch/blobId.ts';
import { byteText } from 'patchmail/patch/byteText.ts';
import type { FileDiff } from 'patchmail/patch/fileDiff.ts';
import { patchId } from 'patchmail/patch/patchId.ts';
import { reversedPatchId } from 'patchmail/patch/reversedPatchId.ts';
import { isApplied } from 'patchmail/patch/reverseText.ts';
import type { SeriesPatch } from 'patchmail/series/seriesReading.ts';
import { filesAtCommit } from 'hardened-git/filesAtCommit.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import type { HardenedGit } from 'hardened-git/hardenedGit.ts';
import { patchesInClone } from 'hardened-git/readClone.ts';
import type { ApplyContext } from './savedApplied.ts';

/** Maximum number of commits to compare with a series. */
const mostCommits = 300;

/** Patches and the commits that have them already. */
type AppliedAlready = ReadonlyMap<SeriesPatch, string>;

/** The part that git applies. */
export function appliedDiff({ patch }: SeriesPatch): SeriesPatch['patch']['gitDiff'] & object {
	return patch.gitDiff ?? patch;
}

/** Patches of a series with the same id. */
interface SamePatches {
	readonly patches: readonly SeriesPatch[];
	readonly reversedId: string | undefined;
	/** Commits with the change, not reverted, newest first. */
	readonly commits: string[];
	/** Reverts whose original commit is older and still to be found. */
	takenBack: number;
}

/**
 * Finds patches among the newest commits of a clone before a commit, by patch id. Ignores commits that a newer one reverted; each
 * commit matches a single patch. Stops after all matches. Throws `GitFailure`.
 */
export async function appliedAlready(
	git: HardenedGit,
	root: string,
	from: string,
	patches: readonly SeriesPatch[],
	signal: AbortSignal,
): Promise<AppliedAlready> {
	const wanted = samePatches(patches);
	/** Effects of newer commits on files. */
	const newer = new Set<string>();
	for await (const { commit, diff } of patchesInClone(git, root, { commit: from, count: mostCommits }, signal)) {
		const ofDiff = patchId(diff);
		const same = wanted.get(ofDiff ?? '');
		// Merged branches may contain the same commit several times; one revert cancels all copies.
		const isBack = same !== undefined && newer.has(changedIds(diff, 'back'));
		if (same && (isBack || same.takenBack > 0)) {
			same.takenBack = Math.max(0, same.takenBack - 1);
		} else if (same && !isFound(same)) {
			same.commits.push(commit);
		} else {
			// A patch of the series itself never counts as a revert.
			for (const each of wanted.values()) {
				each.takenBack += ofDiff !== undefined && each.reversedId === ofDiff ? 1 : 0;
			}
			const ids = changedIds(diff, 'on');
			if (ids !== '') {
				newer.add(ids);
			}
		}
		if (Array.from(wanted.values()).every(isFound)) {
			break;
		}
		await nextTurn();
	}
	// With fewer commits than equal patches, the first patches count as applied.
	return new Map(
		Array.from(wanted.values()).flatMap(({ patches: same, commits }) =>
			commits.toReversed().flatMap((each, at): readonly (readonly [SeriesPatch, string])[] => {
				const patch = same[at];
				return patch ? [[patch, each]] : [];
			}),
		),
	);
}

/** By patch id. */
function samePatches(patches: readonly SeriesPatch[]): ReadonlyMap<string, SamePatches> {
	const found = new Map<string, SamePatches>();
	for (const patch of patches) {
		const { diff, diffText } = appliedDiff(patch);
		const id = patchId(diffText, diff.start);
		if (id !== undefined) {
			const same = found.get(id)?.patches ?? [];
			const reversedId = reversedPatchId(diffText, diff);
			found.set(id, { patches: [...same, patch], reversedId, commits: [], takenBack: 0 });
		}
	}
	return found;
}

function isFound({ commits, patches }: SamePatches): boolean {
	return commits.length === patches.length;
}

/**
 * Ids of all files that a commit changes, before and after. A commit with swapped ids reverts it, even if the lines of
 * its diff differ.
 */
function changedIds(diff: string, direction: 'on' | 'back'): string {
	const ids = Array.from(diff.matchAll(/^index ([0-9a-f]+)\.\.([0-9a-f]+)/gm), ([, before, after]) =>
		direction === 'on' ? `${before}..${after}` : `${after}..${before}`,
	);
	return ids.toSorted().join();
}

/**
 * Finds applied patches, for checks and before applying. Commits suffice as proof for some patches; if all seem
 * applied, the files must show it too. Unknown is no reason to stop: a partial or slow clone counts as having no patch,
 * with a log entry. `commits`: by the ids of patches alone. `sameChanges`: commits make all changes of the series, and
 * the files do not show them: something took them back since. Throws aborts, and `GitFailure` where git must not run.
 */
export async function appliedHere(
	parts: ApplyContext,
	root: string,
	commit: string,
	patches: readonly SeriesPatch[],
	signal: AbortSignal,
) {
	const commits = await ifKnown(parts, appliedAlready(parts.git, root, commit, patches, signal), new Map());
	if (commits.size === 0 || commits.size < patches.length) {
		return { kind: 'some', commits } as const;
	}
	const isSeen = await ifKnown(parts, isInFiles(parts.git, root, commit, patches, signal), false);
	return { kind: isSeen ? 'all' : 'sameChanges', commits } as const;
}

async function ifKnown<T>({ problems }: ApplyContext, reading: Promise<T>, unknown: T): Promise<T> {
	try {
		return await reading;
	} catch (error) {
		if (!(error instanceof GitFailure) || error.problem.kind === 'notTrusted') {
			throw error;
		}
		problems.log(error);
		return unknown;
	}
}

/** True if, for each patch, a commit has at least one file in the patch's final state. */
async function isInFiles(
	git: HardenedGit,
	root: string,
	commit: string,
	patches: readonly SeriesPatch[],
	signal: AbortSignal,
): Promise<boolean> {
	const paths = patches.flatMap((patch) => appliedDiff(patch).diff.files.flatMap((file) => pathOf(file) ?? []));
	const read = await filesAtCommit(git, root, { commit, paths: Array.from(new Set(paths)) }, signal);
	return patches.every((patch) => {
		const { diff, diffText } = patch.patch.bytes;
		return diff.files.some((file) => {
			const path = pathOf(file);
			const there = path === undefined ? undefined : read(path);
			if (file.newPath === undefined || there?.kind !== 'file') {
				return file.newPath === undefined && there?.kind === 'missing';
			}
			const hunks = file.content.kind === 'text' ? file.content.hunks : undefined;
			return (
				hunks?.length === 0 ||
				isStated(there.content, file.newId) ||
				(hunks !== undefined && file.damage.length === 0 && isApplied(byteText(there.content), diffText, hunks))
			);
		});
	});
}

function pathOf({ newPath, oldPath }: FileDiff): string | undefined {
	return newPath ?? oldPath;
}
