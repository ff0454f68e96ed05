import { firstMailOfFormed, type ListRef, type Patchset, type PatchsetRef, listKey } from '../../../forge/list.ts';
import type { Mark } from '../../../forge/mark.ts';
import type { Connection } from '../../../state/connection.ts';
import type { LookedInList, ThreadRef } from '../../../state/readMarks/listReadMarks.ts';
import { threadsOf, type ThreadSummary } from '../../../state/lists/listThreads.ts';
import { sentBy } from '../../../state/people/sentBy.ts';
import {
	knownSummary,
	lookAtPatchset,
	lookAtThread,
	lookedPatchset,
	lookedThread,
	threadOfPatchset,
	type ListOfMarks,
} from './looked.ts';
import { listRowKey, type GroupKind } from './rowUri.ts';

/** What is unread of a list. */
export interface ListUnread {
	/** By the `authority + path` of the rows' addresses. */
	readonly patchsets: ReadonlyMap<string, Mark>;
	readonly threads: ReadonlyMap<string, Mark>;
	/** By conversation: a patchset and the conversation that it stands in count once. */
	readonly things: ReadonlyMap<string, Mark>;
}

/** What somebody has not looked at of lists, by what is known. Needs no request. */
export interface ListMarks {
	patchset(connection: Connection, list: ListRef, patchset: Patchset): Mark | undefined;
	thread(connection: Connection, list: ListRef, thread: ThreadSummary): Mark | undefined;
	/** Counted when it is asked for, and kept until `changed`. */
	unread(connection: Connection, list: ListRef): ListUnread;
	/** Mails, patchsets or looks changed: of one list, or of all of an account. */
	changed(connection: Connection, list: ListRef | undefined): void;
	/** Those of some patchsets that are unread, by the addresses of their rows. */
	unreadAmong(connection: Connection, list: ListRef, patchsets: readonly Patchset[]): ReadonlyMap<string, Mark>;
	/** What was read of a list: the first time, all of it counts as looked at. */
	see(connection: Connection, list: ListRef): void;
	markAllRead(connection: Connection, list: ListRef): void;
	/** Somebody looked at a patchset, and so at the conversation that it stands in. */
	lookAtPatchset(connection: Connection, ref: PatchsetRef): void;
	/** Somebody looked at a conversation, and so at its patchsets. `newest`: where its mails were read. */
	lookAtThread(connection: Connection, ref: ThreadRef, newest: number | undefined): void;
	/** What somebody did with a patchset themselves is no news; its conversation stays as it is. */
	lookAtOwn(connection: Connection, list: ListRef, patchset: Patchset): void;
	markPatchsetUnread(connection: Connection, ref: PatchsetRef): void;
	markThreadUnread(connection: Connection, ref: ThreadRef): void;
}

/** `addressOf`: an account's e-mail address, by which patchsets tell who sent them. */
export function listMarks(addressOf: (connection: Connection) => string | undefined): ListMarks {
	const places = new WeakMap<Connection, Map<string, ReadOfList>>();
	const counted = new WeakMap<ReadOfList, ListUnread>();

	/** What was read of a list. What a refresh forgets stands here until it is read anew: it is as unread as before. */
	function readOf(connection: Connection, list: ListRef): ReadOfList {
		const { lists } = connection;
		const ofAccount = places.get(connection) ?? new Map<string, ReadOfList>();
		places.set(connection, ofAccount);
		const name = listKey(list);
		const before = ofAccount.get(name);
		const posts = lists.knownPosts(list)?.items ?? before?.posts;
		const patchsets = lists.knownPatchsets(list)?.items ?? before?.patchsets;
		const address = addressOf(connection);
		if (before && isSame(before, { posts, patchsets, address })) {
			return before;
		}
		const now = { connection, list, posts, patchsets, address, isMine: isMineBy(connection, { posts, address }) };
		ofAccount.set(name, now);
		return now;
	}

	const lookedAt = (connection: Connection, list: ListRef, patchset: Patchset): LookedInList =>
		lookedPatchset(readOf(connection, list), patchset);

	return {
		patchset: (connection, list, patchset) => connection.patchsetReadMarks.mark(lookedAt(connection, list, patchset)),
		thread: (connection, list, thread) => connection.threadReadMarks.mark(lookedThread(connection, list, thread)),
		unread(connection, list) {
			const of = readOf(connection, list);
			const unread = counted.get(of) ?? countedWhenAsked(of);
			counted.set(of, unread);
			return unread;
		},
		changed(connection, list) {
			const ofAccount = places.get(connection) ?? new Map<string, ReadOfList>();
			const touched = list ? [ofAccount.get(listKey(list))] : [...ofAccount.values()];
			touched.forEach((of) => of && counted.delete(of));
		},
		unreadAmong: (connection, list, patchsets) =>
			marked(
				connection,
				'patchsets',
				patchsets.map((patchset) => lookedAt(connection, list, patchset)),
			),
		see(connection, list) {
			const { lists, threadReadMarks, patchsetReadMarks } = connection;
			const of = readOf(connection, list);
			// Asked for the things only when it changes what is unread of them, which it does not tell.
			const first = (things: readonly LookedInList[] | undefined): readonly LookedInList[] => {
				counted.delete(of);
				return things ?? [];
			};
			if (lists.knownPosts(list)) {
				threadReadMarks.see(list, () => first(threadsIn(of)));
			}
			if (lists.knownPatchsets(list)) {
				let formed: readonly LookedInList[] = [];
				patchsetReadMarks.see(list, () => {
					const all = first(patchsetsIn(of));
					formed = all.filter(isFormed);
					return all.filter((each) => !isFormed(each));
				});
				formed.forEach((each) => patchsetReadMarks.look(each, undefined));
			}
		},
		markAllRead(connection, list) {
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
		lookAtPatchset: (connection, { list, id }) => lookAtPatchset(readOf(connection, list), id),
		lookAtThread: (connection, { list, id }, newest) => lookAtThread(readOf(connection, list), id, newest),
		lookAtOwn: (connection, list, patchset) =>
			connection.patchsetReadMarks.look(lookedAt(connection, list, patchset), undefined),
		markPatchsetUnread(connection, ref) {
			const patchset = connection.lists.knownPatchset(ref);
			if (patchset) {
				connection.patchsetReadMarks.markUnread(lookedAt(connection, ref.list, patchset));
			}
		},
		markThreadUnread(connection, { list, id }) {
			const summary = knownSummary(readOf(connection, list), id);
			if (summary) {
				connection.threadReadMarks.markUnread(lookedThread(connection, list, summary));
			}
		},
	};
}

/** Those that are unread, by the addresses of their rows. */
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

/** What was read of a list last. */
interface ReadOfList extends ListOfMarks {
	readonly patchsets: readonly Patchset[] | undefined;
	readonly address: string | undefined;
}

function isSame(read: ReadOfList, now: Pick<ReadOfList, 'posts' | 'patchsets' | 'address'>): boolean {
	return read.posts === now.posts && read.patchsets === now.patchsets && read.address === now.address;
}

function isMineBy({ me }: Connection, { posts, address }: Pick<ReadOfList, 'posts' | 'address'>): ReadOfList['isMine'] {
	const mails = (posts ?? []).filter(({ sender }) => sender?.canonicalName === me);
	return sentBy({ account: me, address, mails });
}

/** The conversations of a list as looks at them count; `undefined` when none were read. */
function threadsIn({ connection, list, posts }: ReadOfList): readonly LookedInList[] | undefined {
	return posts && threadsOf(posts).map((thread) => lookedThread(connection, list, thread));
}

/** The same of its patchsets. */
function patchsetsIn(of: ReadOfList): readonly LookedInList[] | undefined {
	return of.patchsets?.map((patchset) => lookedPatchset(of, patchset));
}

/** Each kind is looked through when somebody asks for it, and once. */
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

/** Its number is no place in the list: with it as the newest, every later patchset of the server would count as old. */
function isFormed({ id }: LookedInList): boolean {
	return firstMailOfFormed(id) !== undefined;
}
