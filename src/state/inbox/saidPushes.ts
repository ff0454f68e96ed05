import type { PushSaid } from '../../forge/deliveryHint.ts';
import type { ReferenceChange } from './inboxEntry.ts';

/** Reference changes and their pusher. */
export interface ToldPush {
	/** `~name`; `undefined` if unknown or ambiguous. */
	readonly by: string | undefined;
	readonly changes: readonly ReferenceChange[];
}

/** One reference change of a delivery. */
interface Move {
	/** Commit ids; `undefined` if the reference didn't exist. */
	readonly before: string | undefined;
	readonly after: string | undefined;
	readonly isAnnotatedTag: boolean;
	readonly push: PushSaid;
}

/**
 * Groups reference changes by push. A delivery counts only as part of a chain from the reference's old target to its
 * new one; all other changes form one group without a pusher. The order and number of deliveries don't matter, and a
 * change with several possible pushers names none. Annotated tags match without ids: a delivery has the commit, a read
 * has the tag object. Takes linear time, because deliveries are untrusted and can be as large as a body.
 */
export function pushesOf(changes: readonly ReferenceChange[], said: readonly PushSaid[]): readonly ToldPush[] {
	const moves = movesByName(said);
	const pushes = new Map<string, ToldPush & { readonly changes: ReferenceChange[] }>();
	for (const change of changes) {
		const steps = stepsOf(change, moves.get(change.name) ?? []);
		const pushers = new Set(steps.map(({ push }) => push.pusher.canonicalName));
		const [by] = pushers.size === 1 ? pushers : [];
		const isAnnotatedTag = steps.some((step) => step.after === change.now && step.isAnnotatedTag);
		const ids = [...new Set(steps.map(({ push }) => push.pushId))].toSorted();
		// A forged delivery may reuse the id of a push.
		const key = JSON.stringify([by, ids]);
		const told = pushes.get(key) ?? { by, changes: [] };
		told.changes.push({ ...change, isAnnotatedTag });
		pushes.set(key, told);
	}
	return [...pushes.values()];
}

function movesByName(said: readonly PushSaid[]): ReadonlyMap<string, readonly Move[]> {
	const moves = said.flatMap((push) =>
		push.references.map(({ name, before, after, annotatedTag }) => ({
			name,
			move: {
				before: before?.id,
				after: after?.id,
				isAnnotatedTag: after !== undefined && Boolean(annotatedTag),
				push,
			},
		})),
	);
	return new Map(
		Array.from(
			Map.groupBy(moves, ({ name }) => name),
			([name, of]) => [name, of.map(({ move }) => move)],
		),
	);
}

/** All moves on chains from the old target to the new one; empty without a complete chain. */
function stepsOf({ name, old, now }: ReferenceChange, moves: readonly Move[]): readonly Move[] {
	// Otherwise it may be a tag object.
	const isCommit = now === undefined || moves.some(({ after, isAnnotatedTag }) => after === now && !isAnnotatedTag);
	// A delivery doesn't say whether the old object was an annotated tag.
	const wasCommit =
		old === undefined ||
		!name.startsWith('refs/tags/') ||
		moves.some(({ before, after, isAnnotatedTag }) => before === old || (after === old && !isAnnotatedTag));
	const steps = moves.flatMap((move): readonly Move[] => {
		const step = { ...move, isAnnotatedTag: false };
		const ends = isCommit || !move.isAnnotatedTag ? [step] : [step, { ...move, after: now }];
		return wasCommit || move.before === undefined ? ends : [...ends, ...ends.map((each) => ({ ...each, before: old }))];
	});
	const reached = reachedFrom(old, steps);
	const leading = reachedFrom(
		now,
		steps.map(({ before, after }) => ({ before: after, after: before })),
	);
	return steps.filter(({ before, after }) => reached.has(before) && leading.has(after));
}

/** All targets reachable from `start`. */
function reachedFrom(
	start: string | undefined,
	steps: readonly Pick<Move, 'before' | 'after'>[],
): ReadonlySet<string | undefined> {
	const from = Map.groupBy(steps, ({ before }) => before);
	const reached = new Set([start]);
	for (const at of reached) {
		from.get(at)?.forEach(({ after }) => reached.add(after));
	}
	return reached;
}
