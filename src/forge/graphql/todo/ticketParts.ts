import * as v from 'valibot';
import { below, query } from '../door/operations.ts';
import { graphql } from '../door/document.ts';
import { id } from '../door/variables.ts';

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
	const ids = parts.map((part) => ('labelId' in part ? part.labelId : part.userId));
	const fields = parts.map((part, at) => {
		const argument = 'labelId' in part ? 'labelId' : 'userId';
		return `p${at}: ${part.mutation}(trackerId: $trackerId, ticketId: $ticketId, ${argument}: $part${at}) { # Event\nid\n}`;
	});
	const declared = parts.map((_, at) => `$part${at}: Int!`).join(' ');
	return {
		operation: {
			area: 'todo',
			scope: 'tickets:write',
			document: graphql(`mutation ChangeParts($trackerId: Int!, $ticketId: Int!, ${declared}) { # Mutation
				${fields.join('\n')}
			}`),
			read: below(
				[],
				v.pipe(
					v.record(v.string(), v.object({ id })),
					v.transform((events) => Object.values(events)),
				),
			),
		} as const,
		variables: Object.fromEntries(ids.map((part, at) => [`part${at}`, part])),
	};
}

/** Looks up label ids by name: fields `l0` …, null for a missing label. */
export function labelNumbers(names: readonly string[]) {
	return {
		operation: query(
			{ area: 'todo', scope: 'trackers:read' } as const,
			[
				`LabelNumbers($owner: String!, $name: String!, ${names.map((_, at) => `$l${at}: String!`).join(', ')})`,
				'user(username: $owner): User',
				'tracker(name: $name): Tracker',
			],
			names.map((_, at) => `l${at}: label(name: $l${at}) { # Label\nid }`).join('\n'),
			v.record(v.string(), v.nullable(v.object({ id }))),
		),
		variables: Object.fromEntries(names.map((name, at) => [`l${at}`, name])),
	};
}
