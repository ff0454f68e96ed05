import * as v from 'valibot';
import { ForgeError, isForgeError, unfit } from '../../port/forgeError.ts';
import { throwUnsent } from '../../port/mayHaveArrived.ts';
import type { TicketRef } from '../../port/ticket.ts';
import { ticketLimits } from '../../port/ticketLimits.ts';
import type { TrackerRef } from '../../port/tracker.ts';
import type { OwnerName } from '../../port/user.ts';
import { Document } from '../transport/document.ts';
import type { GraphqlCaller } from '../transport/graphqlCaller.ts';
import { orNotFound } from '../transport/listed.ts';
import { below, query } from '../transport/operations.ts';
import { saysEither } from '../transport/problems.ts';
import { aliased, selectionOf } from '../transport/selection.ts';
import { id, askableId, bareName, byName } from '../transport/variables.ts';
import { inTracker } from './todoAnswers.ts';
import { findPerson, readTicket, readTracker } from './todoDocuments.ts';

/** A label or an assignee to add or remove, by id. */
export type PartMutation =
	| { readonly mutation: 'labelTicket' | 'unlabelTicket'; readonly labelId: number }
	| { readonly mutation: 'assignUser' | 'unassignUser'; readonly userId: number };

/** At two fields each, below the servers' limit. */
export const mostParts = 98;

/**
 * Changes several labels and assignees with one request. If one change fails, the response says nothing about the
 * others (docs/protocol.md#several-mutations): only the ticket shows them. The caller adds the ticket to `variables`.
 */
export function changeParts(parts: readonly PartMutation[]) {
	const events = aliased(
		parts.map((part, at) => {
			const argument = 'labelId' in part ? 'labelId' : 'userId';
			const inTicket = 'trackerId: $trackerId Int!, ticketId: $ticketId Int!';
			return `p${at}: ${part.mutation}(${inTicket}, ${argument}: $part${at} Int!): Event`;
		}),
		v.object({ id }),
		{},
	);
	return {
		operation: {
			area: 'todo',
			scope: 'tickets:write',
			document: new Document('mutation', 'ChangeParts', selectionOf(events)),
			read: below(
				[],
				v.pipe(
					events,
					v.transform((made) => parts.flatMap((_, at) => made[`p${at}`] ?? [])),
				),
			),
		} as const,
		variables: Object.fromEntries(
			parts.map((part, at) => [`part${at}`, 'labelId' in part ? part.labelId : part.userId]),
		),
	};
}

/** Looks up label ids by name: fields `l0` …, null for a missing label. */
export function labelNumbers(names: readonly string[]) {
	return {
		operation: query(
			{ area: 'todo', scope: 'trackers:read' } as const,
			'LabelNumbers',
			inTracker,
			aliased(
				names.map((_, at) => `l${at}: label(name: $l${at} String!): Label`),
				v.nullable(v.object({ id })),
				{},
			),
		),
		variables: Object.fromEntries(names.map((name, at) => [`l${at}`, name])),
	};
}

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
		 * Completes a write to a tracker or a ticket. Some errors don't distinguish missing from forbidden
		 * (docs/protocol.md#graphql-errors), so look it up.
		 */
		async written<T>(ref: TrackerRef | TicketRef, work: Promise<T | undefined>, signal: AbortSignal): Promise<T> {
			try {
				return orNotFound(await work);
			} catch (error) {
				if (!isForgeError(error) || error.problem.kind !== 'notFound') {
					throw error;
				}
				const look = (): Promise<unknown> =>
					'tracker' in ref ? ask(readTicket, inTicket(ref), signal) : ask(readTracker, byName(ref), signal);
				const found = saysEither(error) ? await look() : undefined;
				throw found === undefined ? error : new ForgeError({ kind: 'notAllowed' }, { cause: error });
			}
		},
	};
}
