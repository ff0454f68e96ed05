import { ForgeError, isForgeError, unfit } from '../../forge/forgeError.ts';
import { ticketLimits } from '../../forge/ticketLimits.ts';
import type { TrackerRef } from '../../forge/tracker.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import { orNotFound } from '../door/listed.ts';
import { saysEither } from '../door/problems.ts';
import { readTracker } from './trackerDocuments.ts';
import type { TrackerIds } from './trackerIds.ts';
import { byName } from '../door/variables.ts';

/** What the members of the ticket service share. */
export interface TodoParts {
	readonly caller: GraphqlCaller;
	readonly ids: TrackerIds;
}

/** A title that other servers would take, too: these take any (docs/protocol.md#rights-in-graphql). */
export function checkedTitle(title: string): string {
	if (title.trim().length < ticketLimits.shortestTitle) {
		throw unfit('title', 'titleLength');
	}
	return title;
}

/** A write into a tracker, which names it by its number. */
export interface TrackerWrite<T> {
	readonly ref: TrackerRef;
	readonly work: Promise<T | undefined>;
}

/**
 * Finishes a write. One refusal says that something is missing or that it is not allowed, and not which
 * (docs/protocol.md#graphql-errors): a look at the tracker tells. What was not found by its number is asked for by its
 * name the next time.
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
