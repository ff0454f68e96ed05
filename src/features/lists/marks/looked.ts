import type { ListRef, Patchset, ShortEmail } from '../../../forge/list.ts';
import type { Connection } from '../../../state/connection.ts';
import type { LookedInList } from '../../../state/readMarks/listReadMarks.ts';
import { mailsOfThread, threadsOf, type ThreadSummary } from '../../../state/lists/listThreads.ts';
import { patchsetIds } from '../subjects/patchsetIds.ts';

/*
 * Threads and patchsets in the form that read marks need, from loaded data. Own mails are never news.
 */

/** The parts of a mail that decide about news. */
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

/** A list with its loaded data. */
export interface ListOfMarks {
	readonly connection: Connection;
	readonly list: ListRef;
	readonly posts: readonly ShortEmail[] | undefined;
	/** Whether the account sent it. */
	readonly isMine: (patchset: Patchset) => boolean;
}

/** A thread with its loaded mails and the list's posts. */
export function lookedThread({ lists, me }: Connection, list: ListRef, thread: ThreadSummary): LookedInList {
	const { id, first, latest } = thread;
	const mails = [...(lists.knownThread(list, id) ?? []), ...(first ? [first] : []), latest].map(writtenOf);
	const others = mails.filter(({ account }) => account !== me);
	const isOwn = others.length === 0;
	return { list, id, isOwn, updatedMs: newestOf(isOwn ? mails : others, 0) };
}

/** A patchset with its state and the loaded mails of its thread. */
export function lookedPatchset(of: ListOfMarks, patchset: Patchset): LookedInList {
	const { connection, list } = of;
	const { lists, reviews, me } = connection;
	const ref = { list, id: patchset.id };
	const threadId = threadOfPatchset(of, patchset.id);
	const thread = threadId === undefined ? undefined : lists.knownThread(list, threadId)?.map(writtenOf);
	const mails: readonly Written[] = thread ?? reviews.known(ref)?.mails ?? [];
	const series = mails.length === 0 ? undefined : lists.knownSeries(ref);
	const own = new Set([series?.cover, ...(series?.patches ?? [])].map((mail) => mail?.id));
	const answers = mails.filter(({ id, account }) => account !== me && !own.has(id));
	return {
		list,
		id: patchset.id,
		isOwn: of.isMine(patchset) && answers.length === 0 && patchset.status === 'proposed',
		updatedMs: newestOf(answers, patchset.updatedMs),
	};
}

/** Thread id of a patchset, if loaded. */
export function threadOfPatchset({ connection, list, posts }: ListOfMarks, id: number): number | undefined {
	const { lists, reviews } = connection;
	const ref = { list, id };
	const series = lists.knownSeries(ref);
	const patchset = lists.knownPatchset(ref);
	const mail = patchset?.coverLetter ?? series?.cover ?? series?.patches[0] ?? postOf(posts, id);
	return reviews.known(ref)?.threadId ?? (mail && (mail.threadId ?? mail.id));
}

/** Posts by the server's patchset id; built once per loaded listing. */
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

/** A thread with at least one loaded mail. */
export function knownSummary(of: ListOfMarks, id: number): ThreadSummary | undefined {
	const [summary] = threadsOf([...mailsOfThread(id, of.connection.lists.knownThread(of.list, id)), ...postsOf(of, id)]);
	return summary;
}

function postsOf({ posts }: ListOfMarks, id: number): readonly ShortEmail[] {
	return (posts ?? []).filter((post) => (post.threadId ?? post.id) === id);
}

/** Marks a thread and its mails about patchsets as read. `newest`: the newest loaded mail. */
export function lookAtThread(of: ListOfMarks, id: number, newest: number | undefined): void {
	const { connection, list } = of;
	const { lists, threadReadMarks, patchsetReadMarks } = connection;
	const summary = knownSummary(of, id);
	if (summary) {
		threadReadMarks.look(lookedThread(connection, list, summary), newest);
	}
	const told = postsOf(of, id).flatMap(({ patchsetId }) => patchsetId ?? []);
	const inMails = patchsetIds(connection, { list, id }, lists.knownThread(list, id) ?? []);
	for (const each of new Set([...told, ...inMails])) {
		const patchset = lists.knownPatchset({ list, id: each });
		if (patchset) {
			patchsetReadMarks.look(lookedPatchset(of, patchset), undefined);
		}
	}
}

/** Marks a patchset and its thread as read; the mails stay new on the thread's page. */
export function lookAtPatchset(of: ListOfMarks, id: number): void {
	const { connection, list } = of;
	const patchset = connection.lists.knownPatchset({ list, id });
	const threadId = threadOfPatchset(of, id);
	if (patchset) {
		connection.patchsetReadMarks.look(lookedPatchset(of, patchset), undefined);
	}
	const summary = threadId === undefined ? undefined : knownSummary(of, threadId);
	if (summary) {
		connection.threadReadMarks.look(lookedThread(connection, list, summary), undefined);
	}
}
