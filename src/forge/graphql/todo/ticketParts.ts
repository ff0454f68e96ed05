import * as v from 'valibot';
import { Document } from '../door/document.ts';
import { below, query } from '../door/operations.ts';
import { aliased, selectionOf } from '../door/selection.ts';
import { id } from '../door/variables.ts';
import { inTracker } from './todoAnswers.ts';

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
			),
		),
		variables: Object.fromEntries(names.map((name, at) => [`l${at}`, name])),
	};
}
