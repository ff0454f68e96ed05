import type { ListRef, Patchset, PatchsetRef, ShortEmail } from '../../../forge/list.ts';
import type { Connection } from '../../../state/connection.ts';
import type { LookedInList, ThreadRef } from '../../../state/listLooks.ts';
import { threadsOf, type ThreadGlance } from '../../../state/listThreads.ts';
import { patchsetIds } from '../thread/threadHead.ts';

/*
 * Conversations and patchsets as looks at them count, by what is known of them without asking. What one wrote oneself is
 * no news.
 */

/** What of a mail tells whether it is news. */
interface Written {
	readonly id: number;
	readonly createdMs: number;
	/** `~name`; `undefined` for a sender without account. */
	readonly account: string | undefined;
}

function writtenOf({ id, createdMs, sender }: ShortEmail): Written {
	return { id, createdMs, account: sender?.canonicalName };
}

function newestOf(mails: readonly Written[], from: number): number {
	return mails.reduce((newest, { createdMs }) => Math.max(newest, createdMs), from);
}

/** A conversation: its mails as far as they were read, and those of the list's posts. */
export function lookedThread({ lists, me }: Connection, list: ListRef, thread: ThreadGlance): LookedInList {
	const { id, first, latest } = thread;
	const mails = [...(lists.knownThread(list, id) ?? []), ...(first ? [first] : []), latest].map(writtenOf);
	const others = mails.filter(({ account }) => account !== me);
	const isOwn = others.length === 0;
	return { list, id, isOwn, updatedMs: newestOf(isOwn ? mails : others, 0) };
}

/** A patchset: its own state, and the mails of its conversation where they are known. `isMine`: the account sent it. */
export function lookedPatchset(
	connection: Connection,
	list: ListRef,
	patchset: Patchset,
	isMine: boolean,
): LookedInList {
	const { lists, standings, me } = connection;
	const ref = { list, id: patchset.id };
	const threadId = threadOfPatchset(connection, ref);
	const thread = threadId === undefined ? undefined : lists.knownThread(list, threadId)?.map(writtenOf);
	const mails: readonly Written[] = thread ?? standings.known(ref)?.mails ?? [];
	const series = mails.length === 0 ? undefined : lists.knownSeries(ref);
	const own = new Set([series?.cover, ...(series?.patches ?? [])].map((mail) => mail?.id));
	const answers = mails.filter(({ id, account }) => account !== me && !own.has(id));
	return {
		list,
		id: patchset.id,
		isOwn: isMine && answers.length === 0 && patchset.status === 'proposed',
		updatedMs: newestOf(answers, patchset.updatedMs),
	};
}

/** The number of the conversation that a patchset came in, where that is known. */
export function threadOfPatchset({ lists, standings }: Connection, ref: PatchsetRef): number | undefined {
	const series = lists.knownSeries(ref);
	const patchset = lists.knownPatchset(ref);
	const mail =
		patchset?.coverLetter ?? series?.cover ?? series?.patches[0] ?? postOf(lists.knownPosts(ref.list)?.items, ref.id);
	return standings.known(ref)?.threadId ?? (mail && (mail.threadId ?? mail.id));
}

/** By the patchset that servers tell with a post; made once for what is known of a list. */
const postsOfPatchsets = new WeakMap<readonly ShortEmail[], ReadonlyMap<number, ShortEmail>>();

function postOf(posts: readonly ShortEmail[] | undefined, patchsetId: number): ShortEmail | undefined {
	if (!posts) {
		return undefined;
	}
	const index =
		postsOfPatchsets.get(posts) ??
		new Map(posts.flatMap((post) => (post.patchsetId === undefined ? [] : [[post.patchsetId, post]])));
	postsOfPatchsets.set(posts, index);
	return index.get(patchsetId);
}

/** A conversation of which at least one mail is known. */
export function knownGlance(connection: Connection, ref: ThreadRef): ThreadGlance | undefined {
	const [glance] = threadsOf([
		...(connection.lists.knownThread(ref.list, ref.id) ?? []).map((mail) =>
			mail.id === ref.id ? mail : { ...mail, threadId: ref.id },
		),
		...postsOf(connection, ref),
	]);
	return glance;
}

function postsOf({ lists }: Connection, { list, id }: ThreadRef): readonly ShortEmail[] {
	return (lists.knownPosts(list)?.items ?? []).filter((post) => (post.threadId ?? post.id) === id);
}

/** Somebody looked at a conversation, and so at what it says of its patchsets. `newest`: where its mails were read. */
export function lookAtThread(connection: Connection, ref: ThreadRef, newest: number | undefined): void {
	const { lists, threadLooks, patchsetLooks } = connection;
	const { list } = ref;
	const glance = knownGlance(connection, ref);
	if (glance) {
		threadLooks.look(lookedThread(connection, list, glance), newest);
	}
	const told = postsOf(connection, ref).flatMap(({ patchsetId }) => patchsetId ?? []);
	for (const id of new Set([...told, ...patchsetIds(connection, ref, lists.knownThread(list, ref.id) ?? [])])) {
		const patchset = lists.knownPatchset({ list, id });
		if (patchset) {
			patchsetLooks.look(lookedPatchset(connection, list, patchset, false), undefined);
		}
	}
}

/** Somebody looked at a patchset, and so at the conversation that it stands in; the mails stay new to its page. */
export function lookAtPatchset(connection: Connection, ref: PatchsetRef): void {
	const patchset = connection.lists.knownPatchset(ref);
	const threadId = threadOfPatchset(connection, ref);
	if (patchset) {
		connection.patchsetLooks.look(lookedPatchset(connection, ref.list, patchset, false), undefined);
	}
	const glance = threadId === undefined ? undefined : knownGlance(connection, { list: ref.list, id: threadId });
	if (glance) {
		connection.threadLooks.look(lookedThread(connection, ref.list, glance), undefined);
	}
}
