import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';

/** What keeps things that are followed in the editor's storage. */
export interface FollowsKept {
	/** Tells of what another window follows or unfollows since the last look. Needs no request. */
	lookAtFollowed(): void;
}

const everyMs = 5000;

/** The editor's storage comes to all windows and tells nobody: so it is compared now and then. */
export function followsElsewhere(stores: readonly FollowsKept[], clock: Clock): Disposable {
	let timer = next();

	function next(): Disposable {
		return clock.after(everyMs, () => {
			timer = next();
			stores.forEach((store) => store.lookAtFollowed());
		});
	}

	return { dispose: () => timer.dispose() };
}
