import type { PushedReference, PushSaid } from '../../forge/deliveryHint.ts';
import type { ReferenceChange } from './inboxEntry.ts';

/** Changes of references, and who made them. */
export interface ToldPush {
	/** `~name`; `undefined` where nobody tells, or where several did. */
	readonly by: string | undefined;
	readonly changes: readonly ReferenceChange[];
}

/** One reference, as one push says that it changed. */
interface Step extends PushedReference {
	readonly push: PushSaid;
}

/**
 * Tells changes that were read by the pushes that they came with, each push by itself. What a push says counts only where
 * it leads from where the reference stood to where it stands, in one step or by several pushes; the rest is told together,
 * as by nobody. Of an annotated tag the end is not compared: a push says which commit it names, and a reading which object
 * the tag is.
 */
export function pushesOf(changes: readonly ReferenceChange[], said: readonly PushSaid[]): readonly ToldPush[] {
	const pushes = new Map<string, ToldPush>();
	for (const change of changes) {
		const steps = stepsOf(change, said);
		const pushers = new Set(steps.map(({ push }) => push.pusher.canonicalName));
		const [by] = pushers.size === 1 ? pushers : [];
		const isAnnotatedTag = steps.at(-1)?.annotatedTag !== undefined;
		const name = steps.map(({ push }) => push.pushId).join(' ');
		const others = pushes.get(name)?.changes ?? [];
		pushes.set(name, { by, changes: [...others, { ...change, isAnnotatedTag }] });
	}
	return [...pushes.values()];
}

/** How a reference came from where it stood to where it stands, the first step first; none where that is not all said. */
function stepsOf({ name, old, now }: ReferenceChange, said: readonly PushSaid[]): readonly Step[] {
	const left = said.flatMap((push) =>
		push.references.filter((reference) => reference.name === name).map((reference): Step => ({ ...reference, push })),
	);
	const steps: Step[] = [];
	let at = now;
	do {
		const isEnd = steps.length === 0 && now !== undefined;
		const last = left.findLastIndex(({ after, annotatedTag }) =>
			isEnd && after && annotatedTag ? true : after?.id === at,
		);
		const [step] = last === -1 ? [] : left.splice(last, 1);
		if (!step) {
			return [];
		}
		steps.unshift(step);
		at = step.before?.id;
	} while (at !== old);
	return steps;
}
