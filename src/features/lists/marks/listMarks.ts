import { listRefText, type ListRef, type Patchset, type PatchsetRef } from '../../../forge/list.ts';
import type { Mark } from '../../../forge/mark.ts';
import type { Connection } from '../../../state/connection.ts';
import type { LookedInList, ThreadRef } from '../../../state/listLooks.ts';
import { threadsOf, type ThreadGlance } from '../../../state/listThreads.ts';
import { sentBy } from '../../../state/sentBy.ts';
import type { GroupKind } from '../listRows.ts';
import {
	knownGlance,
	lookAtPatchset,
	lookAtThread,
	lookedPatchset,
	lookedThread,
	threadOfPatchset,
	type ListOfMarks,
} from './looked.ts';
import { listRowKey } from './rowUri.ts';

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
	thread(connection: Connection, list: ListRef, thread: ThreadGlance): Mark | undefined;
	unread(connection: Connection, list: ListRef): ListUnread;
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

	/** What was read of a list. What a refresh forgets stands here until it is read anew: it is as unread as before. */
	function readOf(connection: Connection, list: ListRef): ReadOfList {
		const { lists } = connection;
		const ofAccount = places.get(connection) ?? new Map<string, ReadOfList>();
		places.set(connection, ofAccount);
		const name = listRefText(list).toLowerCase();
		const before = ofAccount.get(name);
		const posts = lists.knownPosts(list)?.items ?? before?.posts;
		const patchsets = lists.knownPatchsets(list)?.items ?? before?.patchsets;
		const address = addressOf(connection);
		const isMine =
			before && before.posts === posts && before.address === address
				? before.isMine
				: sentBy({
						account: connection.me,
						address,
						mails: (posts ?? []).filter(({ sender }) => sender?.canonicalName === connection.me),
					});
		const now = { connection, list, posts, patchsets, address, isMine };
		ofAccount.set(name, now);
		return now;
	}

	const lookedAt = (connection: Connection, list: ListRef, patchset: Patchset): LookedInList =>
		lookedPatchset(readOf(connection, list), patchset);

	/** The things that were read of a list; `undefined` what was not. */
	function known(connection: Connection, list: ListRef): KnownOfList {
		const of = readOf(connection, list);
		const { posts, patchsets } = of;
		return {
			threads: posts && threadsOf(posts).map((thread) => lookedThread(connection, list, thread)),
			patchsets: patchsets?.map((patchset) => lookedPatchset(of, patchset)),
		};
	}

	return {
		patchset: (connection, list, patchset) => connection.patchsetLooks.mark(lookedAt(connection, list, patchset)),
		thread: (connection, list, thread) => connection.threadLooks.mark(lookedThread(connection, list, thread)),
		unread(connection, list) {
			const [of, read] = [readOf(connection, list), known(connection, list)];
			const threads = marked(connection, 'threads', read.threads ?? []);
			const patchsets = marked(connection, 'patchsets', read.patchsets ?? []);
			const things = new Map(threads);
			for (const patchset of read.patchsets ?? []) {
				const name = listRowKey(connection.key, 'patchsets', patchset);
				const mark = patchsets.get(name);
				if (mark) {
					const id = threadOfPatchset(of, patchset.id);
					things.set(id === undefined ? name : listRowKey(connection.key, 'threads', { list, id }), mark);
				}
			}
			return { patchsets, threads, things };
		},
		unreadAmong: (connection, list, patchsets) =>
			marked(
				connection,
				'patchsets',
				patchsets.map((patchset) => lookedAt(connection, list, patchset)),
			),
		see(connection, list) {
			const { lists, threadLooks, patchsetLooks } = connection;
			if (lists.knownPosts(list)) {
				threadLooks.see(list, () => known(connection, list).threads ?? []);
			}
			if (lists.knownPatchsets(list)) {
				patchsetLooks.see(list, () => known(connection, list).patchsets ?? []);
			}
		},
		markAllRead(connection, list) {
			const { threads, patchsets } = known(connection, list);
			if (threads) {
				connection.threadLooks.markAllRead(list, threads);
			}
			if (patchsets) {
				connection.patchsetLooks.markAllRead(list, patchsets);
			}
		},
		lookAtPatchset: (connection, { list, id }) => lookAtPatchset(readOf(connection, list), id),
		lookAtThread: (connection, { list, id }, newest) => lookAtThread(readOf(connection, list), id, newest),
		lookAtOwn: (connection, list, patchset) =>
			connection.patchsetLooks.look(lookedAt(connection, list, patchset), undefined),
		markPatchsetUnread(connection, ref) {
			const patchset = connection.lists.knownPatchset(ref);
			if (patchset) {
				connection.patchsetLooks.markUnread(lookedAt(connection, ref.list, patchset));
			}
		},
		markThreadUnread(connection, { list, id }) {
			const glance = knownGlance(readOf(connection, list), id);
			if (glance) {
				connection.threadLooks.markUnread(lookedThread(connection, list, glance));
			}
		},
	};
}

/** Those that are unread, by the addresses of their rows. */
function marked(
	{ key, threadLooks, patchsetLooks }: Connection,
	kind: GroupKind,
	things: readonly LookedInList[],
): ReadonlyMap<string, Mark> {
	const looks = kind === 'threads' ? threadLooks : patchsetLooks;
	const found = new Map<string, Mark>();
	for (const thing of things) {
		const mark = looks.mark(thing);
		if (mark) {
			found.set(listRowKey(key, kind, thing), mark);
		}
	}
	return found;
}

/** The things of a list as looks at them count. */
interface KnownOfList {
	readonly threads: readonly LookedInList[] | undefined;
	readonly patchsets: readonly LookedInList[] | undefined;
}

/** What was read of a list last. */
interface ReadOfList extends ListOfMarks {
	readonly patchsets: readonly Patchset[] | undefined;
	readonly address: string | undefined;
}
