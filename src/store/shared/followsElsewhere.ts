import type { Clock } from '@forge-desk/base/clock.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';

/** Stores followed items in the editor's storage. */
export interface FollowsKept {
	/** Picks up follows and unfollows of other windows. No request. */
	lookAtFollowed(): void;
}

const everyMs = 5000;

/** All windows share the editor's storage, but it fires no events, so this polls it. */
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
