import { listRefText, type ListRef, type Patchset } from '../../../forge/list.ts';
import type { Mark } from '../../../forge/mark.ts';
import type { Connection } from '../../../state/connection.ts';
import type { LookedInList } from '../../../state/listLooks.ts';
import { threadsOf, type ThreadGlance } from '../../../state/listThreads.ts';
import { sentBy } from '../../../state/sentBy.ts';
import type { GroupKind } from '../listRows.ts';
import { lookedPatchset, lookedThread, threadOfPatchset } from './looked.ts';
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
}

/** `addressOf`: an account's e-mail address, by which patchsets tell who sent them. */
export function listMarks(addressOf: (connection: Connection) => string | undefined): ListMarks {
	/** Asked for each patchset of a list; made anew when more is known. */
	const mine = new Map<
		string,
		{ readonly from: readonly unknown[]; readonly isMine: (patchset: Patchset) => boolean }
	>();

	function isMine(connection: Connection, list: ListRef): (patchset: Patchset) => boolean {
		const { lists, me, key } = connection;
		const posts = lists.knownPosts(list)?.items ?? noPosts;
		const address = addressOf(connection);
		const name = `${key} ${listRefText(list).toLowerCase()}`;
		const before = mine.get(name);
		if (before?.from[0] === posts && before.from[1] === address) {
			return before.isMine;
		}
		const mails = posts.filter(({ sender }) => sender?.canonicalName === me);
		const made = sentBy({ account: me, address, mails });
		mine.set(name, { from: [posts, address], isMine: made });
		return made;
	}

	const lookedAt = (connection: Connection, list: ListRef, patchset: Patchset): LookedInList =>
		lookedPatchset(connection, list, patchset, isMine(connection, list)(patchset));

	/** What was read of a list; `undefined` what was not. */
	function known(connection: Connection, list: ListRef): KnownOfList {
		const { lists } = connection;
		const posts = lists.knownPosts(list)?.items;
		return {
			threads: posts && threadsOf(posts).map((thread) => lookedThread(connection, list, thread)),
			patchsets: lists.knownPatchsets(list)?.items.map((patchset) => lookedAt(connection, list, patchset)),
		};
	}

	return {
		patchset: (connection, list, patchset) => connection.patchsetLooks.mark(lookedAt(connection, list, patchset)),
		thread: (connection, list, thread) => connection.threadLooks.mark(lookedThread(connection, list, thread)),
		unread(connection, list) {
			const read = known(connection, list);
			const threads = marked(connection, 'threads', read.threads ?? []);
			const patchsets = marked(connection, 'patchsets', read.patchsets ?? []);
			const things = new Map(threads);
			for (const patchset of read.patchsets ?? []) {
				const name = listRowKey(connection.key, 'patchsets', patchset);
				const mark = patchsets.get(name);
				if (mark) {
					const id = threadOfPatchset(connection, patchset);
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

const noPosts = [] as const;
