import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import type { Connections } from '../../../store/connection.ts';

/** Notifies of index changes in all current accounts, for boxes that stay open. */
export function onIndexChange(connections: Connections, listener: () => void): Disposable {
	const listening = new Disposables();
	for (const { index } of connections.all()) {
		listening.add(index.onDidChange(listener));
	}
	return listening;
}
