import type { PushSaid } from '../../forge/deliveryHint.ts';
import type { ReferenceChange } from './inboxEntry.ts';

/** Changes of references, and who made them. */
export interface ToldPush {
	/** `~name`; `undefined` where nobody tells, or where several did. */
	readonly by: string | undefined;
	readonly changes: readonly ReferenceChange[];
}

/** One reference, as one push says that it changed. */
interface Step {
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
 * change none is named. Of an annotated tag the end is not compared: a push says which commit it names, and a reading which
 * object the tag is.
 */
export function pushesOf(changes: readonly ReferenceChange[], said: readonly PushSaid[]): readonly ToldPush[] {
	const pushes = new Map<string, ToldPush>();
	for (const change of changes) {
		const steps = stepsOf(change, said);
		const pushers = new Set(steps.map(({ push }) => push.pusher.canonicalName));
		const [by] = pushers.size === 1 ? pushers : [];
		const isAnnotatedTag = steps.some((step) => step.after === change.now && step.isAnnotatedTag);
		const name = [...new Set(steps.map(({ push }) => push.pushId))].toSorted().join(' ');
		const others = pushes.get(name)?.changes ?? [];
		pushes.set(name, { by, changes: [...others, { ...change, isAnnotatedTag }] });
	}
	return [...pushes.values()];
}

/** All steps on the ways by which a reference may have come from where it stood to where it stands; none where no way is all said. */
function stepsOf({ name, old, now }: ReferenceChange, said: readonly PushSaid[]): readonly Step[] {
	const moves = said.flatMap((push) =>
		push.references.filter((reference) => reference.name === name).map((reference) => ({ ...reference, push })),
	);
	// Otherwise it may be the object of a tag.
	const isCommit = now === undefined || moves.some(({ after, annotatedTag }) => after?.id === now && !annotatedTag);
	const steps = moves.flatMap(({ before, after, annotatedTag, push }): readonly Step[] => {
		const step = { before: before?.id, after: after?.id, isAnnotatedTag: false, push };
		return isCommit || !after || !annotatedTag ? [step] : [step, { ...step, after: now, isAnnotatedTag: true }];
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
	steps: readonly Pick<Step, 'before' | 'after'>[],
): ReadonlySet<string | undefined> {
	const reached = new Set([start]);
	for (const at of reached) {
		steps.filter(({ before }) => before === at).forEach(({ after }) => reached.add(after));
	}
	return reached;
}
