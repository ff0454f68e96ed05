import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import type { Connections } from '../../../state/connection.ts';

/** Hears whenever more tickets are known, of any account that is signed in now. For boxes that are open for a while. */
export function onIndexChange(connections: Connections, listener: () => void): Disposable {
	const listening = new Disposables();
	for (const { index } of connections.all()) {
		listening.add(index.onDidChange(listener));
	}
	return listening;
}
