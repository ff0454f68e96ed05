import { ForgeError, isForgeError } from '../forge/forgeError.ts';
import type { LearntFacts } from '../forge/learntFacts.ts';
import type { Caller } from './caller.ts';

/** Members of the port that stand on routes beyond the contract, which a server may lack. */
export type Lackable = 'lists.remove' | 'trackers.editComment';

/** True where an earlier refusal has shown that the server has no such route. The member is absent then. */
export function isLacking(learnt: LearntFacts, member: Lackable): boolean {
	return learnt.has(factOf(member));
}

/** A call by a route that the server may lack. */
export interface LackableCall<T> {
	readonly member: Lackable;
	readonly work: Promise<T>;
	/** Whether what the call is about is there, which tells a missing route from a missing thing. */
	readonly isThere: () => Promise<boolean>;
}

/** Finishes such a call. The first refusal that shows that there is no route is remembered, and told as `notOffered`. */
export async function orLacking<T>(
	{ learnt }: Pick<Caller, 'learnt'>,
	{ member, work, isThere }: LackableCall<T>,
): Promise<T> {
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

/** Who could not look has shown nothing. */
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

function factOf(member: Lackable): string {
	return `lacks:${member}`;
}
