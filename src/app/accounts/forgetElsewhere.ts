import type { Disposable } from '../../base/lifecycle.ts';
import type { SessionStore } from '../../editor/accounts/sessionStore.ts';

/**
 * Forgets here, too, what is kept of an account that another window signed out: this one may have written some of it
 * after the other had forgotten everything. Not of accounts that live in memory only, which end with their forge, nor
 * of those whose secret is there and cannot be read by this version.
 */
export function forgetElsewhere(
	sessions: Pick<SessionStore, 'onDidChange' | 'isGone'>,
	forget: (connectionKey: string) => Promise<void>,
	failed: (error: unknown) => void,
): Disposable {
	async function forgetIfGone(key: string): Promise<void> {
		// Somebody may have signed in again meanwhile, and what was kept since is wanted.
		if (await sessions.isGone(key)) {
			await forget(key);
		}
	}

	return sessions.onDidChange(({ removed }) => {
		for (const { id } of removed.filter(({ inMemoryOnly }) => !inMemoryOnly)) {
			forgetIfGone(id).catch(failed);
		}
	});
}
