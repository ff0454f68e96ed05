import * as v from 'valibot';
import type { Clock } from '../../../base/clock.ts';
import type { Connections } from '../../../store/connection.ts';
import { applyStepMs } from '../../../machine/git/applyCommands.ts';
import { goodOf, keptIn, type KeptText } from '../../../store/shared/keptText.ts';
import type { PatchsetSubject } from '../subjects/subjects.ts';

/** A patchset applied in a folder, or in progress there. */
export interface AppliedPatchset {
	readonly subject: PatchsetSubject;
	/** Of the patchset, as written. */
	readonly title: string;
	/** Folder of the files; absolute. */
	readonly folder: string;
	/** Top folder of the clone; equals `folder` without a worktree. */
	readonly root: string;
	/** Short branch name; `undefined` if detached. */
	readonly branch: string | undefined;
	/** Parent commit of the first patch. */
	readonly before: string;
	/** Commit of the last patch; `undefined` during a stop. */
	readonly after: string | undefined;
	/** Time before git started; `undefined` when the outcome is known. */
	readonly begunMs?: number | undefined;
}

const commit = v.pipe(v.string(), v.regex(/^[0-9a-f]{40,64}$/));
const entry = v.object({
	list: v.object({ owner: v.string(), name: v.string() }),
	id: v.pipe(v.number(), v.safeInteger()),
	title: v.string(),
	folder: v.string(),
	root: v.string(),
	branch: v.optional(v.string()),
	before: commit,
	after: v.optional(commit),
	begunMs: v.optional(v.number()),
});
type Entry = v.InferOutput<typeof entry>;
const entries = goodOf(entry);

/** After this time a window that recorded a start must be dead, and so is its git. */
const mostBegunMs = 2 * applyStepMs;

/** Of one account; older ones are forgotten. */
const mostKept = 30;

/** Records of applied patchsets, shared by all windows until the sign-out. Git's own state takes precedence. */
export type KeptApplied = ReturnType<typeof keptApplied>;

export function keptApplied(
	connections: Pick<Connections, 'all'>,
	placeOf: (connectionKey: string) => KeptText,
	clock: Pick<Clock, 'nowMs'>,
) {
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
	const isBeginning = ({ begunMs }: Entry): boolean =>
		begunMs !== undefined && Math.abs(clock.nowMs() - begunMs) < mostBegunMs;
	const drop = (folder: string): Promise<void> => dropThose((each) => each.folder === folder);
	return {
		/** The newest first. */
		all: (): readonly AppliedPatchset[] =>
			connections.all().flatMap(({ key }) => of(key).map((each) => appliedOf(key, each))),
		/** Replaces the folder's record. */
		async put({ subject: { connectionKey, ref }, ...rest }: AppliedPatchset) {
			await drop(rest.folder);
			const { owner, name } = ref.list;
			await write(connectionKey, [{ list: { owner, name }, id: ref.id, ...rest }, ...of(connectionKey)]);
		},
		drop,
		/**
		 * Only if the record says "stopped": another window may have recorded completion or a start that git has not
		 * written yet.
		 */
		dropStopped: (folder: string) =>
			dropThose((each) => each.folder === folder && each.after === undefined && !isBeginning(each)),
	};
}

function appliedOf(connectionKey: string, { list, id, ...rest }: Entry): AppliedPatchset {
	return {
		...rest,
		subject: { kind: 'patchset', connectionKey, ref: { list, id } },
		branch: rest.branch,
		after: rest.after,
	};
}
