import { ForgeError, isForgeError, unfit } from '../../port/forgeError.ts';
import { ticketLimits } from '../../port/ticketLimits.ts';
import type { TrackerRef } from '../../port/tracker.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import { orNotFound } from '../door/listed.ts';
import { saysEither } from '../door/problems.ts';
import { readTracker } from './trackerDocuments.ts';
import type { TrackerIds } from './trackerIds.ts';
import { byName } from '../door/variables.ts';

/** Dependencies of the ticket API's parts. */
export interface TodoParts {
	readonly caller: GraphqlCaller;
	readonly ids: TrackerIds;
}

/**
 * Enforces the minimum length of other servers; GraphQL servers accept any title (docs/protocol.md#rights-in-graphql).
 */
export function checkedTitle(title: string): string {
	if (title.trim().length < ticketLimits.shortestTitle) {
		throw unfit('title', 'titleLength');
	}
	return title;
}

/** A write in a tracker, by id. */
export interface TrackerWrite<T> {
	readonly ref: TrackerRef;
	readonly work: Promise<T | undefined>;
}

/**
 * Completes a write. Some errors don't distinguish missing from forbidden (docs/protocol.md#graphql-errors), so look up
 * the tracker. Forgets an id that wasn't found, so that the next write reads it again.
 */
export async function written<T>({ caller, ids }: TodoParts, write: TrackerWrite<T>, signal: AbortSignal): Promise<T> {
	try {
		return orNotFound(await write.work);
	} catch (error) {
		if (!isForgeError(error) || error.problem.kind !== 'notFound') {
			throw error;
		}
		ids.forget(write.ref);
		const tracker = saysEither(error) ? await caller.ask(readTracker, byName(write.ref), signal) : undefined;
		throw tracker === undefined ? error : new ForgeError({ kind: 'notAllowed' }, { cause: error });
	}
}
