import { Emitter, type Event } from '../../../base/event.ts';
import type { PatchsetRef } from '../../../forge/list.ts';
import { refText } from '../../../forge/namedRef.ts';
import type { PatchVerdict } from '../../../patch/trySeries.ts';

/** Whether the patches of a patchset apply, as it was tried. */
export interface PatchsetCheck {
	/** The reference or branch that it was tried on, by its short name. */
	readonly on: string;
	/** Full id of the commit. */
	readonly commit: string;
	/** By the number of the patch, in their order. */
	readonly verdicts: readonly CheckedPatch[];
	/** Result of `git am -3`. `undefined` if git could not run; then only lines were compared. */
	readonly byGit?: CheckByGit | undefined;
	/** Whether the reference still leads to the commit, and the series still has these patches, as far as that is known. */
	readonly isFresh: () => boolean;
}

export interface CheckByGit {
	/** The number of the patch at which git stops, and why; `undefined` where it applies all patches. */
	readonly stop: { readonly index: number; readonly hasConflicts: boolean; readonly reason: string } | undefined;
	/** A patch needs a three-way merge. */
	readonly isMerged: boolean;
	/** Files whose contents by git differ from the diffs. After a stop, only of the patches before it. */
	readonly others: readonly string[];
	/** Numbers of the patches that git commits with another author or message. */
	readonly otherMessages: readonly number[];
}

export interface CheckedPatch {
	readonly index: number;
	readonly mailId: number;
	/** Of its files, in their order. */
	readonly paths: readonly string[];
	readonly verdict: PatchVerdict;
}

/** What was tried in this window. */
export interface PatchsetChecks {
	/** The last check of a patchset while it is fresh. */
	of(connectionKey: string, ref: PatchsetRef): PatchsetCheck | undefined;
	note(connectionKey: string, ref: PatchsetRef, check: PatchsetCheck): void;
	/** Says of which patchset there is a new one. */
	readonly onDidChange: Event<{ readonly connectionKey: string; readonly ref: PatchsetRef }>;
}

/** Patchsets of which it is remembered. */
const mostChecks = 500;

export function patchsetChecks(): PatchsetChecks {
	const known = new Map<string, PatchsetCheck>();
	const changed = new Emitter<{ readonly connectionKey: string; readonly ref: PatchsetRef }>();
	const keyOf = (connectionKey: string, { list, id }: PatchsetRef): string =>
		JSON.stringify([connectionKey, refText(list), id]);
	return {
		of(connectionKey, ref) {
			const check = known.get(keyOf(connectionKey, ref));
			return check?.isFresh() === true ? check : undefined;
		},
		note(connectionKey, ref, check) {
			const key = keyOf(connectionKey, ref);
			known.delete(key);
			known.set(key, check);
			for (const oldest of [...known.keys()].slice(0, Math.max(0, known.size - mostChecks))) {
				known.delete(oldest);
			}
			changed.fire({ connectionKey, ref });
		},
		onDidChange: changed.event,
	};
}
