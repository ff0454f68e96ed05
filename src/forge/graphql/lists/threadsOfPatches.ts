import type { Clock } from '../../../base/clock.ts';
import type { ThreadMails } from './mailDocuments.ts';

/** Caches threads from patchset queries, because the view reads the thread right after the patches. */
export interface ThreadsOfPatches {
	/** Caches a thread for a short time, and returns it. */
	told(thread: ThreadMails): ThreadMails;
	/** Removes and returns the thread that starts with this mail, unless it has expired. */
	taken(rootId: number): ThreadMails | undefined;
}

const longestMs = 10_000;
/** Enough for the patchsets that a user opens at one time. */
const mostThreads = 8;

/** A cached thread may miss new mails, so the caller compares it with the mailbox. */
export function threadsOfPatches(clock: Pick<Clock, 'nowMs'>): ThreadsOfPatches {
	const kept = new Map<number, { readonly thread: ThreadMails; readonly atMs: number }>();
	return {
		told(thread) {
			kept.delete(thread.rootId);
			kept.set(thread.rootId, { thread, atMs: clock.nowMs() });
			for (const rootId of [...kept.keys()].slice(0, -mostThreads)) {
				kept.delete(rootId);
			}
			return thread;
		},
		taken(rootId) {
			const found = kept.get(rootId);
			kept.delete(rootId);
			return found && clock.nowMs() - found.atMs <= longestMs ? found.thread : undefined;
		},
	};
}
