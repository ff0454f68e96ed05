import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import type { SessionStore } from '../../editor/accounts/sessionStore.ts';

/**
 * Deletes an account's data also when another window signed it out: this window may have written some after the other's
 * deletion. Excludes in-memory accounts, because they end with their forge, and accounts with a secret that this version
 * cannot read.
 */
export function forgetElsewhere(
	sessions: SessionStore,
	forget: (connectionKey: string) => Promise<void>,
	failed: (error: unknown) => void,
): Disposable {
	return sessions.onDidChange(({ removed }) => {
		for (const { id } of removed.filter(({ inMemoryOnly }) => !inMemoryOnly)) {
			sessions
				.isGone(id)
				// Somebody may have signed in again, and needs the new data.
				.then((isGone) => (isGone ? forget(id) : undefined))
				.catch(failed);
		}
	});
}
