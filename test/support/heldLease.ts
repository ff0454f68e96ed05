import type { WindowLease } from '../../src/store/watch/windowLease.ts';

/** The lease of the only window that there is. */
export const heldLease: WindowLease = {
	isHeld: () => true,
	onDidChange: () => ({ dispose: () => undefined }),
	dispose: () => undefined,
};
