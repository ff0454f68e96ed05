import type { Clock } from '../../base/clock.ts';
import type { ThreadMails } from './mailDocuments.ts';

/** Threads that came with patches, for who reads the thread right after them. */
export interface ThreadsOfPatches {
	/** Keeps a thread for a moment, and answers it. */
	told(thread: ThreadMails): ThreadMails;
	/** The thread that begins with this mail, once and no later than a slow answer would come. */
	taken(rootId: number): ThreadMails | undefined;
}

const longestMs = 10_000;
/** Of more patchsets nobody reads on at the same time. */
const mostThreads = 8;

/** What is known of a thread says nothing of what comes to it: who takes it compares it with its mailbox. */
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
