import { ForgeError, isForgeError } from '../port/forgeError.ts';
import type { LearntFacts } from '../port/learntFacts.ts';
import type { Caller } from './caller.ts';

/** API members that need routes beyond the contract. A server may lack them. */
export type OptionalFeature = 'lists.remove' | 'trackers.editComment';

/** True if an earlier refusal proved that the server lacks the route. The member is absent then. */
export function isMissingFeature(learnt: LearntFacts, member: OptionalFeature): boolean {
	return learnt.has(factOf(member));
}

/** A call to an optional route. */
export interface OptionalCall<T> {
	readonly member: OptionalFeature;
	readonly work: Promise<T>;
	/** True if the target exists; distinguishes a missing route from a missing resource. */
	readonly isThere: () => Promise<boolean>;
}

/** Awaits such a call. Remembers a missing route, and throws `notOffered` for it. */
export async function orMissingFeature<T>({ learnt }: Caller, { member, work, isThere }: OptionalCall<T>): Promise<T> {
	try {
		return await work;
	} catch (error) {
		const kind = isForgeError(error) ? error.problem.kind : undefined;
		const isLack = kind === 'notOffered' || (kind === 'notFound' && (await unlessUnknown(isThere)));
		if (!isLack) {
			throw error;
		}
		learnt.learn(factOf(member), true);
		throw kind === 'notOffered' ? error : new ForgeError({ kind: 'notOffered' }, { cause: error });
	}
}

/** A failed check proves nothing. */
async function unlessUnknown(isThere: () => Promise<boolean>): Promise<boolean> {
	try {
		return await isThere();
	} catch (error) {
		if (!isForgeError(error)) {
			throw error;
		}
		return false;
	}
}

function factOf(member: OptionalFeature): string {
	return `lacks:${member}`;
}
