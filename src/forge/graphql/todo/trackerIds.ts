import { ForgeError, isForgeError, unfit } from '../../port/forgeError.ts';
import { throwUnsent } from '../../port/mayHaveArrived.ts';
import type { TicketRef } from '../../port/ticket.ts';
import { ticketLimits } from '../../port/ticketLimits.ts';
import type { TrackerRef } from '../../port/tracker.ts';
import type { OwnerName } from '../../port/user.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import { orNotFound } from '../door/listed.ts';
import { saysEither } from '../door/problems.ts';
import { askableId, bareName, byName } from '../door/variables.ts';
import { labelNumbers, mostParts } from './ticketParts.ts';
import { findPerson, readTracker } from './todoDocuments.ts';

/** Variables that name a ticket. */
export function inTicket({ tracker, id }: TicketRef) {
	return { ...byName(tracker), id: askableId(id) };
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

export type TrackerIds = ReturnType<typeof trackerIds>;

/** Writes refer to trackers, labels and users by id (docs/protocol.md#graphql-values). Errors are `isUnsent`. */
export function trackerIds(caller: GraphqlCaller) {
	const { ask } = caller;
	const people = new Map<string, number>();

	/** Reads the tracker again, because the name may belong to a new tracker. Throws `notFound`. */
	async function current(ref: TrackerRef, signal: AbortSignal): Promise<number> {
		const found = await ask(readTracker, byName(ref), signal).catch(throwUnsent);
		if (found?.id === undefined) {
			throw new ForgeError({ kind: 'notFound' }, { isUnsent: true });
		}
		return found.id;
	}

	return {
		caller,
		current,
		/** Reads the labels again, because their names can change. Omits missing labels. */
		async labels(ref: TrackerRef, names: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
			const found = new Map<string, number>();
			for (let at = 0; at < names.length; at += mostParts) {
				const part = names.slice(at, at + mostParts);
				const { operation, variables } = labelNumbers(part);
				const labels = await ask(operation, { ...byName(ref), ...variables }, signal).catch(throwUnsent);
				part.forEach((name, index) => {
					const id = labels?.[`l${index}`]?.id;
					return id === undefined ? undefined : found.set(name, id);
				});
			}
			return found;
		},
		/** `undefined` for a user that the service doesn't know. */
		async person(name: OwnerName, signal: AbortSignal): Promise<number | undefined> {
			const bare = bareName(name);
			const id = people.get(bare) ?? (await ask(findPerson, { name: bare }, signal).catch(throwUnsent));
			if (id !== undefined) {
				people.set(bare, id);
			}
			return id;
		},
		/**
		 * Completes a write in a tracker. Some errors don't distinguish missing from forbidden
		 * (docs/protocol.md#graphql-errors), so look up the tracker.
		 */
		async written<T>(ref: TrackerRef, work: Promise<T | undefined>, signal: AbortSignal): Promise<T> {
			try {
				return orNotFound(await work);
			} catch (error) {
				if (!isForgeError(error) || error.problem.kind !== 'notFound') {
					throw error;
				}
				const tracker = saysEither(error) ? await ask(readTracker, byName(ref), signal) : undefined;
				throw tracker === undefined ? error : new ForgeError({ kind: 'notAllowed' }, { cause: error });
			}
		},
	};
}
