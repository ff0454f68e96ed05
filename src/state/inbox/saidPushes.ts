import type { PushSaid } from '../../forge/deliveryHint.ts';
import type { ReferenceChange } from './inboxEntry.ts';

/** Changes of references, and who made them. */
export interface ToldPush {
	/** `~name`; `undefined` where nobody tells, or where several did. */
	readonly by: string | undefined;
	readonly changes: readonly ReferenceChange[];
}

/** One reference, as one push says that it changed. */
interface Move {
	/** Commit ids; `undefined` where it was not there. */
	readonly before: string | undefined;
	readonly after: string | undefined;
	readonly isAnnotatedTag: boolean;
	readonly push: PushSaid;
}

/**
 * Tells changes that were read by the pushes that they came with, each push by itself. What a push says counts only where
 * it leads from where the reference stood to where it stands, in one step or by several pushes; the rest is told together,
 * as by nobody. In which order deliveries came, and how often, makes no difference: of several people who may have made a
 * change none is named. Of an annotated tag neither end is compared: a push says which commit it names, and a reading which
 * object the tag is. Takes time that grows with what is told and not faster: strangers may say as much as a body holds.
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
		// Others may say that theirs has the same number.
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

/** All steps on the ways by which a reference may have come from where it stood to where it stands; none where no way is all said. */
function stepsOf({ name, old, now }: ReferenceChange, moves: readonly Move[]): readonly Move[] {
	// Otherwise it may be the object of a tag.
	const isCommit = now === undefined || moves.some(({ after, isAnnotatedTag }) => after === now && !isAnnotatedTag);
	// A push does not say whether what it moved or deleted was an annotated tag.
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

/** Where steps lead from there, by however many. */
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
