import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { ListRef } from '../../../forge/port/list.ts';
import type { Connection } from '../../../store/connection.ts';
import { listTarget, type TargetParts } from '../subjects/listTargets.ts';

/** A list of one account. */
export interface SeenList {
	readonly connection: Connection;
	readonly list: ListRef;
}

/** The list that a command is about, with its account. Asks for one otherwise. */
export async function seenListOf(parts: TargetParts, subject: unknown, signal: AbortSignal): Promise<SeenList> {
	const { connectionKey, ref } = await listTarget(parts, subject, signal);
	return { connection: connectionOf(parts.connections, { connectionKey }), list: ref };
}
