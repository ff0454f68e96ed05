import * as v from 'valibot';
import { timestamp } from '../../answers/timestamp.ts';
import type { TicketsInBulk } from '../../port/forge.ts';
import type { GraphqlCaller } from '../transport/graphqlCaller.ts';
import { ofOwner, query } from '../transport/operations.ts';
import { partly } from '../transport/partial.ts';
import { aliased, selected, withArguments } from '../transport/selection.ts';
import { bareName, id } from '../transport/variables.ts';

/** At five fields each beside that of the owner, below the servers' limit. */
export const mostPages = 39;

const page = v.pipe(
	v.array(selected('Ticket', { id, updated: timestamp })),
	v.transform((all): ReadonlyMap<number, number> => new Map(all.map((each) => [each.id, each.updated]))),
);

/**
 * Numbers and update times on pages of one owner's trackers: the variables `n0` … are their names, `c0` … the cursors,
 * the fields `t0` … the results.
 */
export function readChangedPages(count: number) {
	const tickets = v.nullish(selected('TicketCursor', { results: page }));
	return query(
		{ area: 'todo', scope: 'tickets:read' } as const,
		'ChangedPages',
		[ofOwner],
		aliased(
			Array.from({ length: count }, (_, at) => `t${at}: tracker(name: $n${at} String!): Tracker`),
			v.nullable(selected('Tracker', { tickets: withArguments('(cursor: $c# Cursor)', tickets) })),
			partly,
		),
	);
}

/** Joins the owners of a call into one request. */
export function changedPages({ ask }: GraphqlCaller): Pick<TicketsInBulk, 'mostPages' | 'changedOn'> {
	return {
		mostPages,
		async changedOn(pages, signal) {
			const found = new Map<object, ReadonlyMap<number, number> | undefined>();
			const byOwner = Map.groupBy(pages, ({ ref }) => bareName(ref.owner));
			await Promise.all(
				[...byOwner].map(async ([owner, asked]) => {
					const variables = asked.flatMap(({ ref, after }, at) => [
						[`n${at}`, ref.name] as const,
						[`c${at}`, after] as const,
					]);
					const told = await ask(readChangedPages(asked.length), { owner, ...Object.fromEntries(variables) }, signal);
					asked.forEach((each, at) => {
						const name: `t${number}` = `t${at}`;
						found.set(each, told?.[name]?.tickets?.results);
					});
				}),
			);
			return pages.map((each) => found.get(each));
		},
	};
}
