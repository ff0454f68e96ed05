import type { ShortEmail } from 'sourcehut/port/list.ts';
import { subjectOfThread, titleOfThread } from 'patchmail/series/patchSubject.ts';

/** A thread as known from the loaded posts. */
export interface ThreadSummary {
	/** Number of the first mail. */
	readonly id: number;
	/** Starts with one `Re:` if the list lacks the parent of the first mail. */
	readonly subject: string;
	/** The first mail, if loaded. */
	readonly first: ShortEmail | undefined;
	/** The newest loaded mail. */
	readonly latest: ShortEmail;
}

/**
 * Groups posts into threads, newest mail first. Observed servers list first mails, the document lists all
 * (docs/protocol.md#posts). Both give the same threads.
 */
export function threadsOf(posts: readonly ShortEmail[]): readonly ThreadSummary[] {
	const threads = new Map<number, ThreadSummary>();
	for (const post of posts) {
		const id = post.threadId ?? post.id;
		const known = threads.get(id);
		const first = post.id === id ? post : known?.first;
		const latest = known && known.latest.createdMs >= post.createdMs ? known.latest : post;
		threads.set(id, {
			id,
			first,
			latest,
			subject: first ? titleOfThread(first.subject) : subjectOfThread(latest.subject),
		});
	}
	return Array.from(threads.values()).sort((a, b) => b.latest.createdMs - a.latest.createdMs || b.id - a.id);
}

/** The same with the newest known replies, for servers that list first mails. */
export function threadsWithReplies(
	posts: readonly ShortEmail[],
	newestReply: (threadId: number) => ShortEmail | undefined,
): readonly ThreadSummary[] {
	const ids = new Set(posts.map((post) => post.threadId ?? post.id));
	return threadsOf([...posts, ...[...ids].flatMap((id) => newestReply(id) ?? [])]);
}

/** Mails as posts of their thread. */
export function mailsOfThread(id: number, mails: readonly ShortEmail[] = []): readonly ShortEmail[] {
	return mails.map((mail) => (mail.id === id ? mail : { ...mail, threadId: id }));
}
