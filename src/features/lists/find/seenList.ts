import type { Connection } from '../../../state/connection.ts';
import type { ListRef } from '../../../forge/list.ts';

/** A list of one account. */
export interface SeenList {
	readonly connection: Connection;
	readonly list: ListRef;
}
