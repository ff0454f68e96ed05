import { connectionOf } from '../../../editor/commands/subjects.ts';
import { listKey, type ListRef } from 'sourcehut/port/list.ts';
import type { Connection } from '../../../store/connection.ts';
import { listTarget, type TargetContext } from '../subjects/listTargets.ts';

/** A list of one account. */
export interface AccountList {
	readonly connection: Connection;
	readonly list: ListRef;
}

/** The list that a command is about, with its account. Asks for one otherwise. */
export async function accountListOf(
	context: TargetContext,
	subject: unknown,
	signal: AbortSignal,
): Promise<AccountList> {
	const { connectionKey, ref } = await listTarget(context, subject, signal);
	return { connection: connectionOf(context.connections, { connectionKey }), list: ref };
}

/** State of each list, made on first use and dropped with its account. */
export function perList<T>(make: () => T): (seen: AccountList) => T {
	const accounts = new WeakMap<Connection, Map<string, T>>();
	return ({ connection, list }) => {
		const lists = accounts.get(connection) ?? new Map<string, T>();
		accounts.set(connection, lists);
		const state = lists.get(listKey(list)) ?? make();
		lists.set(listKey(list), state);
		return state;
	};
}
