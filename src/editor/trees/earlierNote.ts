import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import { watchConnections, type Connection, type Connections } from '../../store/connection.ts';
import { agoText } from '../ask/readBefore.ts';
import type { TreeNote } from './treeSource.ts';

/** Age of an account's visible rows. */
export interface EarlierRows {
	/** Time of the oldest rows from an earlier window with a running request; `undefined` if none. */
	earlierMs(): number | undefined;
	readonly onDidChange: Event<unknown>;
}

/** Says beside a view's name of when its rows are, while they are those of an earlier window. */
export interface EarlierNote extends Disposable {
	readonly note: TreeNote;
}

export function earlierNote(
	connections: Connections,
	rowsOf: (connection: Connection) => EarlierRows,
	clock: Clock,
): EarlierNote {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());

	function text(): string {
		const times = connections.all().flatMap((connection) => rowsOf(connection).earlierMs() ?? []);
		return times.length === 0 ? '' : vscode.l10n.t('from {0}', agoText(Math.min(...times), clock.nowMs(), 'long'));
	}

	owned.add(
		watchConnections(
			connections,
			(connection) => [rowsOf(connection).onDidChange(() => changed.fire())],
			() => changed.fire(),
		),
	);
	return { note: { text, onDidChange: changed.event }, dispose: () => owned.dispose() };
}
