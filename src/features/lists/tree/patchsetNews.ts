import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import type { PatchsetRef } from '../../../forge/list.ts';
import type { Connection, Connections } from '../../../state/connection.ts';
import type { PatchsetChecks } from '../checks/patchsetChecks.ts';
import type { DraftCounts } from '../review/draftCounts.ts';

/** Sources of changes beyond the store. */
export interface PatchsetNewsParts {
	readonly connections: Connections;
	readonly checks: Pick<PatchsetChecks, 'onDidChange'>;
	readonly drafts: Pick<DraftCounts, 'onDidChange'>;
}

/** Notifies of rows that changed through checks or review drafts. */
export function patchsetNews(
	{ connections, checks, drafts }: PatchsetNewsParts,
	tell: (connection: Connection, ref: PatchsetRef) => void,
): Disposable {
	const owned = new Disposables();
	const changed = (connectionKey: string, ref: PatchsetRef): void => {
		const connection = connections.byKey(connectionKey);
		if (connection) {
			tell(connection, ref);
		}
	};
	owned.add(checks.onDidChange(({ connectionKey, ref }) => changed(connectionKey, ref)));
	owned.add(
		drafts.onDidChange(({ connectionKey, ref, patchsetId }) => changed(connectionKey, { list: ref, id: patchsetId })),
	);
	return owned;
}
