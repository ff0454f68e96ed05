import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter, type Event } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { minOf } from '@forge-desk/base/longArrays.ts';
import { watchConnections, type Connection, type Connections } from '../../store/connection.ts';
import { agoText } from '../ask/readBefore.ts';

/** Age of an account's visible rows. */
export interface EarlierRows {
	/** Time of the oldest rows from an earlier window with a running request; `undefined` if none. */
	earlierMs(): number | undefined;
	readonly onDidChange: Event<unknown>;
}

/** Note beside a view's title with the age of rows from an earlier window. */
export function earlierNote(connections: Connections, rowsOf: (connection: Connection) => EarlierRows, clock: Clock) {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());

	function text(): string {
		const times = connections.all().flatMap((connection) => rowsOf(connection).earlierMs() ?? []);
		return times.length === 0 ? '' : vscode.l10n.t('from {0}', agoText(minOf(times), clock.nowMs(), 'long'));
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
