import { type ListRef, type Patchset, type PatchsetRef, listKey, type ShortEmail } from 'sourcehut/port/list.ts';
import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import type { SeriesMail } from 'patchmail/series/seriesReading.ts';
import type { Mark } from 'sourcehut/port/mark.ts';
import type { Connection } from '../../../store/connection.ts';
import { threadsOf, type ThreadSummary, mailsOfThread } from '../../../store/lists/listThreads.ts';
import { isOwnWriter, sentBy, writerOf, writerOfRead } from '../../../store/people/sentBy.ts';
import type { LookedInList, ThreadRef } from '../../../store/readMarks/storedReadMarks.ts';
import { patchsetIds } from '../subjects/mailPlaces.ts';
import * as vscode from 'vscode';
import { refText } from 'sourcehut/port/namedRef.ts';

/** Posts by the server's patchset id; built once per loaded listing. */
const postsOfPatchsets = new WeakMap<readonly ShortEmail[], ReadonlyMap<number, ShortEmail>>();

/** Unread items of a list. */
export interface ListUnread {
	/** By `authority + path` of the row URIs. */
	readonly patchsets: ReadonlyMap<string, Mark>;
	readonly threads: ReadonlyMap<string, Mark>;
	/** By thread: a patchset and its thread count once. */
	readonly things: ReadonlyMap<string, Mark>;
}

/** Unread marks of lists, from cached data. Sends no requests. */
export type ListMarks = ReturnType<typeof listMarks>;

/** `addressOf`: the account's e-mail address, to recognise its own patchsets. */
export function listMarks(addressOf: (connection: Connection) => string | undefined) {
	const places = new WeakMap<Connection, Map<string, ReadOfList>>();
	const counted = new WeakMap<ReadOfList, ListUnread>();

	/** Last read data of a list. It survives a refresh until the next read, so unread marks stay the same. */
	function readOf(connection: Connection, list: ListRef): ReadOfList {
		const { lists } = connection;
		const ofAccount = places.get(connection) ?? new Map<string, ReadOfList>();
		places.set(connection, ofAccount);
		const name = listKey(list);
		const before = ofAccount.get(name);
		const posts = lists.posts(list).known()?.items ?? before?.posts;
		const patchsets = lists.patchsets(list).known()?.items ?? before?.patchsets;
		const address = addressOf(connection);
		if (before && before.posts === posts && before.patchsets === patchsets && before.address === address) {
			return before;
		}
		const mails = (posts ?? []).filter(({ sender }) => sender?.canonicalName === connection.me);
		const isMine = sentBy({ account: connection.me, address, mails });
		const now = { connection, list, posts, patchsets, address, isMine };
		ofAccount.set(name, now);
		return now;
	}

	const lookedAt = (connection: Connection, list: ListRef, patchset: Patchset): LookedInList =>
		lookedPatchset(readOf(connection, list), patchset);

	return {
		patchset: (connection: Connection, list: ListRef, patchset: Patchset) =>
			connection.patchsetReadMarks.mark(lookedAt(connection, list, patchset)),
		thread: (connection: Connection, list: ListRef, thread: ThreadSummary) =>
			connection.threadReadMarks.mark(lookedThread(connection, list, thread)),
		/** Lazy; cached until `changed`. */
		unread(connection: Connection, list: ListRef) {
			const of = readOf(connection, list);
			const unread = counted.get(of) ?? countedWhenAsked(of);
			counted.set(of, unread);
			return unread;
		},
		/** Call after mails, patchsets or read marks changed, in one list or in the whole account. */
		changed(connection: Connection, list: ListRef | undefined) {
			const ofAccount = places.get(connection) ?? new Map<string, ReadOfList>();
			const touched = list ? [ofAccount.get(listKey(list))] : [...ofAccount.values()];
			touched.forEach((of) => of && counted.delete(of));
		},
		/** The unread ones, by row URI. */
		unreadAmong: (connection: Connection, list: ListRef, patchsets: readonly Patchset[]) =>
			marked(
				connection,
				'patchsets',
				patchsets.map((patchset) => lookedAt(connection, list, patchset)),
			),
		/** Call after reading a list. The first time, everything counts as read. */
		see(connection: Connection, list: ListRef) {
			const { lists, threadReadMarks, patchsetReadMarks } = connection;
			const of = readOf(connection, list);
			// The callback runs only if it changes marks. No event reports that, so it drops the counts.
			const first = (things: readonly LookedInList[] | undefined): readonly LookedInList[] => {
				counted.delete(of);
				return things ?? [];
			};
			if (lists.posts(list).known()) {
				threadReadMarks.see(list, () => first(threadsIn(of)));
			}
			if (lists.patchsets(list).known()) {
				let formed: readonly LookedInList[] = [];
				patchsetReadMarks.see(list, () => {
					const all = first(patchsetsIn(of));
					formed = all.filter(isFormed);
					return all.filter((each) => !isFormed(each));
				});
				formed.forEach((each) => patchsetReadMarks.look(each, undefined));
			}
		},
		markAllRead(connection: Connection, list: ListRef) {
			const of = readOf(connection, list);
			const [threads, patchsets] = [threadsIn(of), patchsetsIn(of)];
			if (threads) {
				connection.threadReadMarks.markAllRead(list, threads);
			}
			if (patchsets) {
				connection.patchsetReadMarks.markAllRead(
					list,
					patchsets.filter((each) => !isFormed(each)),
				);
				patchsets.filter(isFormed).forEach((each) => connection.patchsetReadMarks.look(each, undefined));
			}
		},
		/** Marks a patchset and its thread as read. `newest`: the newest mail of the thread, if mails were read. */
		lookAtPatchset: (connection: Connection, { list, id }: PatchsetRef, newest?: number) =>
			lookAtPatchset(readOf(connection, list), id, newest),
		/** Marks a thread and its patchsets as read. `newest`: the newest mail, if mails were read. */
		lookAtThread: (connection: Connection, { list, id }: ThreadRef, newest: number | undefined) =>
			lookAtThread(readOf(connection, list), id, newest),
		/** Marks the user's own change to a patchset as read, but not its thread. */
		lookAtOwn: (connection: Connection, list: ListRef, patchset: Patchset) =>
			connection.patchsetReadMarks.look(lookedAt(connection, list, patchset), undefined),
		markPatchsetUnread(connection: Connection, ref: PatchsetRef) {
			const patchset = connection.lists.knownPatchset(ref);
			if (patchset) {
				connection.patchsetReadMarks.markUnread(lookedAt(connection, ref.list, patchset));
			}
		},
		markThreadUnread(connection: Connection, { list, id }: ThreadRef) {
			const summary = knownSummary(readOf(connection, list), id);
			if (summary) {
				connection.threadReadMarks.markUnread(lookedThread(connection, list, summary));
			}
		},
	};
}

/** The unread ones, by row URI. */
function marked(
	{ key, threadReadMarks, patchsetReadMarks }: Connection,
	kind: GroupKind,
	things: readonly LookedInList[],
): ReadonlyMap<string, Mark> {
	const looks = kind === 'threads' ? threadReadMarks : patchsetReadMarks;
	const found = new Map<string, Mark>();
	for (const thing of things) {
		const mark = looks.mark(thing);
		if (mark) {
			found.set(listRowKey(key, kind, thing), mark);
		}
	}
	return found;
}

/** Last read data of a list. */
interface ReadOfList extends ListOfMarks {
	readonly patchsets: readonly Patchset[] | undefined;
	readonly address: string | undefined;
}

/** Threads for the read marks; `undefined` before the first read. */
function threadsIn({ connection, list, posts }: ReadOfList): readonly LookedInList[] | undefined {
	return posts && threadsOf(posts).map((thread) => lookedThread(connection, list, thread));
}

/** Patchsets for the read marks; `undefined` before the first read. */
function patchsetsIn(of: ReadOfList): readonly LookedInList[] | undefined {
	return of.patchsets?.map((patchset) => lookedPatchset(of, patchset));
}

/** Counts each kind on first access. */
function countedWhenAsked(of: ReadOfList): ListUnread {
	const { connection, list } = of;
	const patchsets = once(() => marked(connection, 'patchsets', patchsetsIn(of) ?? []));
	const threads = once(() => marked(connection, 'threads', threadsIn(of) ?? []));
	const things = once(() => {
		const all = new Map(threads());
		for (const { id } of of.patchsets ?? []) {
			const name = listRowKey(connection.key, 'patchsets', { list, id });
			const mark = patchsets().get(name);
			if (mark) {
				const threadId = threadOfPatchset(of, id);
				all.set(threadId === undefined ? name : listRowKey(connection.key, 'threads', { list, id: threadId }), mark);
			}
		}
		return all;
	});
	return {
		get patchsets() {
			return patchsets();
		},
		get threads() {
			return threads();
		},
		get things() {
			return things();
		},
	};
}

function once<T>(make: () => T): () => T {
	let made: { readonly value: T } | undefined;
	return () => (made ??= { value: make() }).value;
}

/** A formed id is no position in the list: as the newest, it would make all later patchsets old. */
function isFormed({ id }: LookedInList): boolean {
	return firstMailOfFormed(id) !== undefined;
}

/*
 * Threads and patchsets in the form that read marks need, from loaded data. Own mails are never news.
 */

/** The parts of a mail that decide about news. */
interface Written {
	readonly id: number;
	readonly createdMs: number;
	readonly isOwn: boolean;
}

function writtenBy(
	connection: Connection,
	writer: string | undefined,
	{ id, createdMs }: ShortEmail | SeriesMail,
): Written {
	return { id, createdMs, isOwn: isOwnWriter(connection, writer) };
}

function newestOf(mails: readonly Written[], from: number): number {
	return mails.reduce((newest, { createdMs }) => Math.max(newest, createdMs), from);
}

/** A list with its loaded data. */
interface ListOfMarks {
	readonly connection: Connection;
	readonly list: ListRef;
	readonly posts: readonly ShortEmail[] | undefined;
	/** Whether the account sent it. */
	readonly isMine: (patchset: Patchset) => boolean;
}

/** A thread with its loaded mails and the list's posts. */
function lookedThread(connection: Connection, list: ListRef, thread: ThreadSummary): LookedInList {
	const { id, first, latest } = thread;
	const known = connection.lists.knownThread(list, id) ?? [];
	const mails = [...known, ...(first ? [first] : []), latest].map((mail) =>
		writtenBy(connection, writerOf(mail), mail),
	);
	const others = mails.filter(({ isOwn }) => !isOwn);
	const isOwn = others.length === 0;
	return { list, id, isOwn, updatedMs: newestOf(isOwn ? mails : others, 0) };
}

/** A patchset with its state and the loaded mails of its thread. */
function lookedPatchset(of: ListOfMarks, patchset: Patchset): LookedInList {
	const { connection, list } = of;
	const { lists, reviews } = connection;
	const ref = { list, id: patchset.id };
	const threadId = threadOfPatchset(of, patchset.id);
	const thread = threadId === undefined ? undefined : lists.knownThread(list, threadId);
	const mails =
		thread?.map((mail) => writtenBy(connection, writerOf(mail), mail)) ??
		reviews.known(ref)?.mails.map((mail) => writtenBy(connection, writerOfRead(mail), mail)) ??
		[];
	const series = mails.length === 0 ? undefined : lists.knownSeries(ref);
	const own = new Set([series?.cover, ...(series?.patches ?? [])].map((mail) => mail?.id));
	const answers = mails.filter(({ id, isOwn }) => !isOwn && !own.has(id));
	return {
		list,
		id: patchset.id,
		isOwn: of.isMine(patchset) && answers.length === 0 && ['proposed', 'none'].includes(patchset.status),
		updatedMs: newestOf(answers, patchset.updatedMs),
	};
}

/** Thread id of a patchset, if loaded. */
function threadOfPatchset({ connection, list, posts }: ListOfMarks, id: number): number | undefined {
	const { lists, reviews } = connection;
	const ref = { list, id };
	const series = lists.knownSeries(ref);
	const patchset = lists.knownPatchset(ref);
	let index = posts && postsOfPatchsets.get(posts);
	if (posts && !index) {
		index = new Map(posts.flatMap((post) => (post.patchsetId === undefined ? [] : [[post.patchsetId, post]])));
		postsOfPatchsets.set(posts, index);
	}
	const mail = patchset?.coverLetter ?? series?.cover ?? series?.patches[0] ?? index?.get(id);
	return reviews.known(ref)?.threadId ?? (mail && (mail.threadId ?? mail.id));
}

/** A thread with at least one loaded mail. */
function knownSummary(of: ListOfMarks, id: number): ThreadSummary | undefined {
	const [summary] = threadsOf([...mailsOfThread(id, of.connection.lists.knownThread(of.list, id)), ...postsOf(of, id)]);
	return summary;
}

function postsOf({ posts }: ListOfMarks, id: number): readonly ShortEmail[] {
	return (posts ?? []).filter((post) => (post.threadId ?? post.id) === id);
}

/** Marks a thread and its mails about patchsets as read. `newest`: the newest loaded mail. */
function lookAtThread(of: ListOfMarks, id: number, newest: number | undefined): void {
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

/** Marks a patchset and its thread as read. Without `newest` the mails stay new on the thread's page. */
function lookAtPatchset(of: ListOfMarks, id: number, newest: number | undefined): void {
	const { connection, list } = of;
	const patchset = connection.lists.knownPatchset({ list, id });
	const threadId = threadOfPatchset(of, id);
	if (patchset) {
		connection.patchsetReadMarks.look(lookedPatchset(of, patchset), undefined);
	}
	const summary = threadId === undefined ? undefined : knownSummary(of, threadId);
	if (summary) {
		connection.threadReadMarks.look(lookedThread(connection, list, summary), newest);
	}
}

/** The two kinds of things in a list. */
export type GroupKind = 'patchsets' | 'threads';

/** Scheme of row addresses. No provider opens them. */
export const listRowScheme = 'forge-list';

/** Address for the file decoration of a patchset's or thread's row. */
export function listRowUri(connectionKey: string, kind: GroupKind, { list, id }: RowRef): vscode.Uri {
	return vscode.Uri.from({ scheme: listRowScheme, authority: connectionKey, path: `/${rowPath(kind, { list, id })}` });
}

/** The same as a key of marks. */
function listRowKey(connectionKey: string, kind: GroupKind, ref: RowRef): string {
	return `${connectionKey}/${rowPath(kind, ref)}`;
}

interface RowRef {
	readonly list: ListRef;
	readonly id: number;
}

function rowPath(kind: GroupKind, { list, id }: RowRef): string {
	return `${refText(list)}/${kind}/${id}`;
}
