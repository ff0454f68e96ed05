import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { signedInKey } from '../../editor/names/storageKeys.ts';
import type { LiveConnections } from './connections.ts';
import type { NameStorage } from '../../machine/storage/editorStorage.ts';

/**
 * Stores a signed-in flag for the shell. The shell has no other access to accounts. Writes only on changes, so that windows
 * don't keep overwriting each other.
 */
export function tellOfAccounts(connections: LiveConnections, storage: NameStorage) {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	let told: string | undefined;

	async function tell(): Promise<void> {
		const keys = connections.all().map(({ key }) => key);
		const now = keys.join(' ');
		if (now === told) {
			return;
		}
		told = now;
		const isSignedIn = keys.length > 0 ? true : undefined;
		if (storage.get(signedInKey) !== isSignedIn) {
			await storage.update(signedInKey, isSignedIn);
		}
		changed.fire();
	}

	owned.add(connections.onDidChange(() => void tell()));
	void connections.ready.then(tell);
	return { onDidChange: changed.event, dispose: () => owned.dispose() };
}
