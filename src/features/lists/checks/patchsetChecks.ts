import { LRUCache } from 'lru-cache';
import { Emitter } from '@forge-desk/base/event.ts';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { PatchVerdict } from 'patchmail/patch/trySeries.ts';

/** Result of a check whether a patchset applies. */
export interface PatchsetCheck {
	/** Short name of the tested reference or branch. */
	readonly on: string;
	/** Full id of the commit. */
	readonly commit: string;
	/** In patch order. */
	readonly verdicts: readonly CheckedPatch[];
	/** Result of `git am -3`. `undefined` if git could not run; then the check only compared lines. */
	readonly byGit?: CheckByGit | undefined;
	/** False after the reference moved or the series changed, as far as known. */
	readonly isFresh: () => boolean;
}

export interface CheckByGit {
	/** The patch at which git stops, and the reason; `undefined` if all patches apply. */
	readonly stop: { readonly index: number; readonly hasConflicts: boolean; readonly reason: string } | undefined;
	/** A patch needs a three-way merge. */
	readonly isMerged: boolean;
	/** Files that git writes differently from the diffs. After a stop: files of earlier patches only. */
	readonly others: readonly string[];
	/** Files that were too large to compare. */
	readonly untried: readonly string[];
	/** Binary files without data in the patches: git takes these blobs from the clone. */
	readonly unseen: readonly { readonly index: number; readonly path: string; readonly id: string }[];
	/** Numbers of the patches that git commits with another author, date or message. */
	readonly otherMessages: readonly number[];
}

export interface CheckedPatch {
	readonly index: number;
	readonly mailId: number;
	/** In the file order of the patch. */
	readonly paths: readonly string[];
	readonly verdict: PatchVerdict;
}

/** Cache size. The least recently used check goes first. */
const mostChecks = 500;

/** Checks of this window. */
export type PatchsetChecks = ReturnType<typeof patchsetChecks>;

export function patchsetChecks() {
	const known = new LRUCache<string, PatchsetCheck>({ max: mostChecks });
	const changed = new Emitter<{ readonly connectionKey: string; readonly ref: PatchsetRef }>();
	const keyOf = (connectionKey: string, { list, id }: PatchsetRef): string =>
		JSON.stringify([connectionKey, refText(list), id]);
	return {
		/** The last check, if still fresh. */
		of(connectionKey: string, ref: PatchsetRef) {
			const check = known.get(keyOf(connectionKey, ref));
			return check?.isFresh() === true ? check : undefined;
		},
		note(connectionKey: string, ref: PatchsetRef, check: PatchsetCheck) {
			known.set(keyOf(connectionKey, ref), check);
			changed.fire({ connectionKey, ref });
		},
		/** Forgets a check that is no longer fresh. */
		forgetOld(connectionKey: string, ref: PatchsetRef) {
			const key = keyOf(connectionKey, ref);
			if (known.get(key)?.isFresh() === false) {
				known.delete(key);
				changed.fire({ connectionKey, ref });
			}
		},
		/** Fires after each check, and where one is forgotten. */
		onDidChange: changed.event,
	};
}
