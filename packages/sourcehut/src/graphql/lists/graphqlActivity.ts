import * as v from 'valibot';
import { timestamp } from '../../answers/timestamp.ts';
import type { ListActivity } from '../../port/forge.ts';
import { listKey } from '../../port/list.ts';
import type { GraphqlCaller } from '../transport/graphqlCaller.ts';
import { ofOwner, query } from '../transport/operations.ts';
import { partly } from '../transport/partial.ts';
import { aliased, selected } from '../transport/selection.ts';
import { bareName, id } from '../transport/variables.ts';

/** At three fields each beside that of the owner, below the servers' limit. */
export const mostLists = 65;

/**
 * Times of the last mails in lists of one owner: the variables `n0` … are their names, the fields `l0` … the results.
 * Older servers lack the time, and a selection needs a field.
 */
export function listActivity(count: number) {
	return query(
		{ area: 'lists', scope: 'lists:read' } as const,
		'ListActivity',
		[ofOwner],
		aliased(
			Array.from({ length: count }, (_, at) => `l${at}: list(name: $n${at} String!): MailingList`),
			v.nullable(selected('MailingList', { id, lastActivity: v.nullish(timestamp) })),
			partly,
		),
	);
}

/** Joins the owners of a call into one request. */
export function graphqlActivity({ ask }: GraphqlCaller): ListActivity {
	return {
		mostLists,
		async lastMs(refs, signal) {
			const byOwner = Map.groupBy(refs, ({ owner }) => bareName(owner));
			const told = await Promise.all(
				[...byOwner].map(async ([owner, lists]) => {
					const names = Object.fromEntries(lists.map(({ name }, at) => [`n${at}`, name]));
					const found = await ask(listActivity(lists.length), { owner, ...names }, signal);
					return lists.flatMap((ref, at): readonly (readonly [string, number])[] => {
						const name: `l${number}` = `l${at}`;
						const lastMs = found?.[name]?.lastActivity;
						return lastMs === undefined ? [] : [[listKey(ref), lastMs ?? 0]];
					});
				}),
			);
			return new Map(told.flat());
		},
	};
}
