import type { PushSaid } from 'sourcehut/port/deliveryHint.ts';
import { makeCommit } from '../../../support/fakeRepositories.ts';

/** Commit ids before and after, and the message of an annotated tag. */
type PushedMove = readonly [before?: string | undefined, after?: string | undefined, tag?: string];

/** The description of a push; moves by reference name. */
export function makePushSaid(pushId: string, pusher: string, moves: Readonly<Record<string, PushedMove>>): PushSaid {
	const commit = (id: string | undefined) => (id === undefined ? undefined : makeCommit(1, { id }));
	return {
		pushId,
		pusher: { canonicalName: pusher, name: pusher.slice(1) },
		references: Object.entries(moves).map(([name, [before, after, message]]) => ({
			name,
			before: commit(before),
			after: commit(after),
			annotatedTag: message === undefined ? undefined : { name, message },
		})),
	};
}
