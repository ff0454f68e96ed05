import type { ShortEmail } from '../../forge/list.ts';
import { subjectOfThread, titleOfThread } from '../../forge/patchSubject.ts';

/** A conversation as far as the posts that were read tell. */
export interface ThreadSummary {
	/** Number of its first mail. */
	readonly id: number;
	/** One `Re:` where the first mail replies to a mail that is not on the list. */
	readonly subject: string;
	/** The first mail, where it is among the posts that were read. */
	readonly first: ShortEmail | undefined;
	/** The newest mail among them. */
	readonly latest: ShortEmail;
}

/**
 * The conversations in posts, in the order of their newest mail. Observed servers list first mails only, the document
 * lists all mails (docs/protocol.md#posts); both come out the same.
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

/** The same, with the newest replies that are known: servers that list first mails only do not tell them. */
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
