import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../base/event.ts';
import { Disposables, onDispose, type Disposable } from '../../base/lifecycle.ts';
import type { SessionStore } from '../../editor/accounts/sessionStore.ts';
import type { Session } from '../../forge/identity/session.ts';

export interface HeldSessionsParts {
	readonly sessions: SessionStore;
	/** Of all windows one looks. */
	readonly lease: { isHeld(): boolean; readonly onDidChange: Event<void> };
	readonly clock: Clock;
}

/** Timers do not reach over a year, and the window that looks may be another one by then. */
const lookMs = 15 * 60_000;

/** Inspects each session when any session changes and at intervals, in the window that holds the lease. */
export function lookAtSessions(
	{ sessions, lease, clock }: HeldSessionsParts,
	look: (session: Session) => void,
): Disposable {
	const owned = new Disposables();
	let timer: Disposable | undefined;
	owned.add(onDispose(() => timer?.dispose()));
	owned.add(sessions.onDidChange(lookAtAll));
	owned.add(lease.onDidChange(lookAtAll));
	again();

	function again(): void {
		timer = clock.after(lookMs, () => {
			lookAtAll();
			again();
		});
	}

	function lookAtAll(): void {
		for (const session of lease.isHeld() ? sessions.current() : []) {
			look(session);
		}
	}

	return owned;
}
