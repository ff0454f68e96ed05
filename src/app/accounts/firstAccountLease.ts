import { Emitter } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { WindowLease } from '../../state/watch/windowLease.ts';

/** A lazy window lease, requested when the first account exists. Nobody holds it before. */
export interface FirstAccountLease extends Disposable {
	/** Call when an account exists. */
	begin(): WindowLease;
	readonly now: Pick<WindowLease, 'isHeld' | 'onDidChange'>;
}

export function firstAccountLease(open: () => WindowLease): FirstAccountLease {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	let lease: WindowLease | undefined;
	return {
		begin() {
			if (lease === undefined) {
				lease = owned.add(open());
				owned.add(lease.onDidChange(() => changed.fire()));
			}
			return lease;
		},
		now: { isHeld: () => lease?.isHeld() ?? false, onDidChange: changed.event },
		dispose: () => owned.dispose(),
	};
}
