import type { Disposable } from '../base/lifecycle.ts';
import type { SessionStore } from '../editor/sessionStore.ts';

/**
 * Forgets here, too, what is kept of an account that another window signed out: this one may have written some of it
 * after the other had forgotten everything. Not of accounts that live in memory only, which end with their forge.
 */
export function forgetElsewhere(
	sessions: Pick<SessionStore, 'onDidChange' | 'refresh'>,
	forget: (connectionKey: string) => Promise<void>,
	failed: (error: unknown) => void,
): Disposable {
	async function forgetUnlessBack(key: string): Promise<void> {
		// Somebody may have signed in again meanwhile, and what was kept since is wanted.
		if ((await sessions.refresh(key)) === undefined) {
			await forget(key);
		}
	}

	return sessions.onDidChange(({ removed }) => {
		for (const { id } of removed.filter(({ inMemoryOnly }) => !inMemoryOnly)) {
			forgetUnlessBack(id).catch(failed);
		}
	});
}
