import type { WindowLease } from '../../src/store/watch/windowLease.ts';

/** The lease of a single window. */
export const heldLease: WindowLease = {
	isOwner: () => true,
	onDidChange: () => ({ dispose: () => undefined }),
	dispose: () => undefined,
};
