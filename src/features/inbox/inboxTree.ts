import { Emitter } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import { accountRows } from '../../editor/trees/accountRows.ts';
import { tailRows } from '../../editor/trees/pagingRows.ts';
import type { TreeNode } from '../../editor/trees/treeNode.ts';
import type { TreeNote, TreeSource } from '../../editor/trees/treeSource.ts';
import { watchConnections, type Connection } from '../../state/connection.ts';
import type { DoneShown } from './doneShown.ts';
import type { InboxParts } from './inboxParts.ts';
import { thingRow } from './inboxRows.ts';
import { thingsIn } from './inboxThings.ts';

/** More rows slow the editor down, and nobody reads them. */
const thingsAtOnce = 200;

export interface InboxTreeParts extends Pick<InboxParts, 'connections' | 'clock' | 'words'> {
	readonly doneShown: Omit<DoneShown, 'dispose'>;
	readonly note: TreeNote;
}

/** Rows of the view: entries grouped by thing. Makes no requests. */
export function inboxTree({ connections, clock, words, doneShown, note }: InboxTreeParts): TreeSource & Disposable {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<TreeNode | undefined>());
	/** Maximum number of things shown, by account key. */
	const limits = new Map<string, number>();
	const accounts = accountRows(connections, (connection) => Promise.resolve(rowsOf(connection)));

	function rowsOf(connection: Connection): readonly TreeNode[] {
		const { key, inbox } = connection;
		const parent = accounts.above(connection);
		const all = thingsIn(inbox, doneShown.now());
		const limit = limits.get(key) ?? thingsAtOnce;
		const items = all.slice(0, limit).map((thing) => thingRow({ connection, words, clock }, thing, parent));
		return [
			...items,
			...tailRows(
				{ id: key, parent },
				{
					items,
					completeness: all.length > limit ? { kind: 'more', total: all.length } : { kind: 'complete' },
				},
				async () => {
					limits.set(key, limit + thingsAtOnce);
					changed.fire(parent);
				},
			),
		];
	}

	owned.add(
		watchConnections(
			connections,
			(connection) => [connection.inbox.onDidChange(() => changed.fire(accounts.above(connection)))],
			() => changed.fire(undefined),
		),
	);
	owned.add(doneShown.onDidChange(() => changed.fire(undefined)));
	return {
		roots: (signal) => accounts.roots(signal),
		forget: () => undefined,
		note,
		onDidChange: changed.event,
		dispose: () => owned.dispose(),
	};
}
