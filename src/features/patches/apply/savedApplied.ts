import * as v from 'valibot';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { Connections } from '../../../store/connection.ts';
import { applyStepMs } from 'hardened-git/applyCommands.ts';
import type { StoppedState } from 'hardened-git/applyState.ts';
import { goodOf, keptIn, maybe, named, whole, type KeptText } from '../../../store/shared/keptText.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import { present, type PatchsetSubject } from '../../lists/subjects/subjects.ts';

export interface ApplyContext extends ListsContext {
	/** Records of applied patchsets. */
	readonly applied: SavedApplied;
	/** Call when an operation in a folder stops or resumes. */
	readonly changed: () => Promise<void>;
	/** Runs git in a folder; a stop during the run needs no user. Calls `changed` afterwards. */
	readonly during: <T>(work: () => Promise<T>) => Promise<T>;
}

const commit = v.pipe(v.string(), v.regex(/^[0-9a-f]{40,64}$/));

/** A patchset applied in a folder, or in progress there. */
const entry = v.object({
	list: named,
	id: whole,
	/** Of the patchset, as written. */
	title: v.string(),
	/** Folder of the files; absolute. */
	folder: v.string(),
	/** Top folder of the clone; equals `folder` without a worktree. */
	root: v.string(),
	/** Short branch name; `undefined` if detached. */
	branch: maybe(v.string()),
	/** Parent commit of the first patch. */
	before: commit,
	/** Commit of the last patch; `undefined` during a stop. */
	after: maybe(commit),
	/** Time before git started; `undefined` when the outcome is known. */
	begunMs: v.optional(v.number()),
	/** Mails of the patches in git's order, and lines added to each. Unknown in old records. */
	given: v.optional(
		v.array(
			v.object({ mail: whole, index: whole, trailers: v.array(v.object({ key: v.string(), value: v.string() })) }),
		),
	),
	/** Positions in `given`, from 1, where git stopped, and the conflicts there. The user resolved these files. */
	stops: v.fallback(
		v.optional(
			v.array(v.object({ at: whole, conflicts: v.array(v.object({ path: v.string(), between: v.string() })) })),
		),
		undefined,
	),
});
type Entry = Readonly<v.InferOutput<typeof entry>>;
export type AppliedPatchset = Omit<Entry, 'list' | 'id'> & { readonly subject: PatchsetSubject };
const entries = goodOf(entry);

/** A folder with a stopped `git am`. */
export interface StoppedApply {
	readonly folder: string;
	readonly state: StoppedState;
	/** The record; `undefined` for operations from outside this extension, which have no options of ours. */
	readonly applied: AppliedPatchset | undefined;
}

/** After this time a window that recorded a start must be dead, and so is its git. */
const mostBegunMs = 2 * applyStepMs;

/** Of one account; older ones are forgotten. */
const mostKept = 30;

/** Records of applied patchsets, shared by all windows until the sign-out. Git's own state takes precedence. */
export type SavedApplied = ReturnType<typeof savedApplied>;

export function savedApplied(connections: Connections, placeOf: (connectionKey: string) => KeptText, clock: Clock) {
	const of = (key: string): readonly Entry[] => keptIn(placeOf(key).read(), entries, []);
	const write = (key: string, kept: readonly Entry[]): Promise<void> =>
		placeOf(key).write(JSON.stringify(kept.slice(0, mostKept)));
	const dropThose = async (isWanted: (each: Entry) => boolean): Promise<void> => {
		for (const { key } of connections.all()) {
			const kept = of(key);
			const others = kept.filter((each) => !isWanted(each));
			if (others.length < kept.length) {
				await write(key, others);
			}
		}
	};

	const isStopped = (each: Entry | AppliedPatchset): boolean =>
		each.after === undefined && !(each.begunMs !== undefined && Math.abs(clock.nowMs() - each.begunMs) < mostBegunMs);
	const all = (): readonly AppliedPatchset[] =>
		connections.all().flatMap(({ key }) =>
			of(key).map(({ list, id, ...rest }) => ({
				...rest,
				subject: present(connections, { kind: 'patchset', connectionKey: key, ref: { list, id } }),
			})),
		);
	const drop = (folder: string): Promise<void> => dropThose((each) => each.folder === folder);
	return {
		/** The newest first. */
		all,
		/** Replaces the folder's record. */
		async put({ subject: { connectionKey, ref }, ...rest }: AppliedPatchset) {
			await drop(rest.folder);
			await write(connectionKey, [{ ...ref, ...rest }, ...of(connectionKey)]);
		},
		drop,
		/**
		 * Only if the record says "stopped": another window may have recorded completion or a start that git has not
		 * written yet.
		 */
		dropStopped: (folder: string) => dropThose((each) => each.folder === folder && isStopped(each)),
		/** The record that `dropStopped` drops. */
		stoppedIn: (folder: string): AppliedPatchset | undefined =>
			all().find((each) => each.folder === folder && isStopped(each)),
	};
}
