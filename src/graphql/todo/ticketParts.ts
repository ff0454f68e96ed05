import * as v from 'valibot';
import { below } from '../door/below.ts';
import { graphql } from '../door/document.ts';
import type { Operation } from '../door/graphqlCaller.ts';
import type { Variables } from '../door/smallerQuestions.ts';
import { id } from '../door/variables.ts';

/** A label or an assignee that comes or goes, by its number. */
export type PartMutation =
	| { readonly mutation: 'labelTicket' | 'unlabelTicket'; readonly labelId: number }
	| { readonly mutation: 'assignUser' | 'unassignUser'; readonly userId: number };

/** At two points each, below the cost that servers allow. */
export const mostParts = 98;

/**
 * Changes several labels and assignees with one request. If one of them fails, the answer tells nothing about the others
 * (docs/protocol.md#several-mutations): only the ticket does. `variables` do not name the ticket.
 */
export function changeParts(parts: readonly PartMutation[]): {
	readonly operation: Operation<readonly { readonly id: number }[] | undefined>;
	readonly variables: Variables;
} {
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
		},
		variables: Object.fromEntries(ids.map((part, at) => [`part${at}`, part])),
	};
}
