import type { Connection } from '../../../state/connection.ts';
import type { ListRef } from '../../../forge/list.ts';

/** What ties an account to a list; its own list counts as subscribed too, because that is what can be ended. */
export type ListTie = 'own' | 'subscribed' | 'followed';

export function tieOf({ lists }: Connection, ref: ListRef): ListTie {
	return lists.knownSubscription(ref) ? 'subscribed' : lists.isMine(ref) ? 'own' : 'followed';
}
