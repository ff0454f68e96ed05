import { isSameValue } from '../../../base/isSameValue.ts';
import type { Patchset, ShortEmail } from 'sourcehut/port/list.ts';
import {
	boardGroups,
	boardOf,
	turnOf,
	type BoardGroup,
	type BoardPart,
	type BoardViewer,
	type LastReplyBy,
	type Turn,
} from './board.ts';
import { patchSubject } from 'patchmail/series/patchSubject.ts';
import { isOwnWriter, sentBy, writerOf, writerOfRead } from '../../../store/people/sentBy.ts';
import type { MailSummary } from '../../../store/lists/mailSummary.ts';
import type { PatchsetPlaces } from '../../../store/lists/keptMails.ts';
import { perList, type AccountList } from './accountList.ts';
import type { OwnReplies } from './ownReplies.ts';

/** Account and time of a board. */
export interface BoardView {
	/** The account's e-mail address, if known. */
	readonly address: string | undefined;
	readonly nowMs: number;
}

/** Last mail about a patchset. */
interface LastWord {
	readonly atMs: number | undefined;
	readonly isMine: boolean;
	/** Who replied last; `undefined` if no mails are known. */
	readonly by: LastReplyBy | undefined;
}

/** A mail of the thread of a patchset. */
interface Said {
	readonly createdMs: number;
	/** As of `writerOf`. */
	readonly writer: string | undefined;
	/** A patch or cover letter. */
	readonly isPart: boolean;
}

interface BoardOfList {
	/** Patchsets answered in this window, with the time of the newest mail known then. */
	readonly answered: Map<number, number>;
	/** Stored groups of patchsets. */
	places: PatchsetPlaces;
	isSettled: boolean;
	mine: OwnPatchsets | undefined;
}

/** Predicate for own patchsets, and what it was made from. */
interface OwnPatchsets {
	readonly posts: readonly ShortEmail[];
	readonly address: string | undefined;
	readonly is: BoardViewer['isMine'];
}

/** A board without surprises: new reads move a patchset only after a refresh. A status change moves it immediately. */
export function reviewBoard(replies: OwnReplies) {
	const lists = perList((): BoardOfList => ({
		answered: new Map(),
		places: new Map(),
		isSettled: false,
		mine: undefined,
	}));
	let lastWords = perList(() => new Map<number, LastWord>());

	/** With earlier reads as fallback, and the board of an earlier window, which knew the thread. */
	function lastKnownWord(seen: AccountList, patchset: Patchset): LastWord {
		const word = wordIn(
			seen,
			patchset,
			() => replies.conversationOf(seen, patchset) ?? replies.lastConversationOf(seen, patchset),
		);
		const wasAnswered = lists(seen).places.get(patchset.id) === 'waitingForNewVersion';
		return word.atMs === undefined && wasAnswered ? { ...word, isMine: true, by: 'me' } : word;
	}

	function wordIn(
		seen: AccountList,
		patchset: Patchset,
		conversation: () => readonly MailSummary[] | undefined,
	): LastWord {
		const isMe = (writer: string | undefined): boolean => isOwnWriter(seen.connection, writer);
		const said = (
			readMails(seen, patchset) ??
			(conversation() ?? []).map((mail): Said => ({
				createdMs: mail.createdMs,
				writer: writerOf(mail),
				isPart: isPartBySubject(mail.subject),
			}))
		).toSorted((a, b) => a.createdMs - b.createdMs);
		const last = said.at(-1);
		const before = lists(seen).answered.get(patchset.id);
		const isAnswered = before !== undefined && (last?.createdMs ?? 0) <= before;
		const author = said.findLast(({ isPart }) => isPart)?.writer;
		const by = !last
			? undefined
			: last.isPart
				? 'none'
				: isMe(last.writer)
					? 'me'
					: last.writer !== undefined && last.writer === author
						? 'author'
						: 'others';
		return { atMs: last?.createdMs, isMine: isAnswered || isMe(last?.writer), by: isAnswered ? 'me' : by };
	}

	function lastWord(seen: AccountList, patchset: Patchset): LastWord {
		const words = lastWords(seen);
		const word = words.get(patchset.id) ?? lastKnownWord(seen, patchset);
		words.set(patchset.id, word);
		return word;
	}

	function partsOf(
		seen: AccountList,
		{ address, nowMs }: BoardView,
		patchsets: readonly Patchset[],
		wordOf: (seen: AccountList, patchset: Patchset) => LastWord,
	): readonly BoardPart[] {
		return boardOf(patchsets, viewerOf(seen, { address, nowMs }, wordOf));
	}

	function viewerOf(
		seen: AccountList,
		{ address, nowMs }: BoardView,
		wordOf: (seen: AccountList, patchset: Patchset) => LastWord,
	): BoardViewer {
		const versions = seen.connection.reviews.versionsIn(seen.list);
		return {
			nowMs,
			isMine: isMineIn(seen, address),
			lastSaidMs: (patchset) => wordOf(seen, patchset).atMs,
			isAnsweredByMe: (patchset) => wordOf(seen, patchset).isMine,
			lastReplyBy: (patchset) => wordOf(seen, patchset).by,
			isSnoozed: ({ id, version }) => seen.connection.snoozes.of({ list: seen.list, id }, version) !== undefined,
			hasNewerVersion: ({ id }) => versions(id).newest !== undefined,
		};
	}

	/** Each row asks, so the mails of the account are sorted out once per loaded page. */
	function isMineIn(seen: AccountList, address: string | undefined): BoardViewer['isMine'] {
		const { lists: store, me } = seen.connection;
		const state = lists(seen);
		const posts = store.knownPosts(seen.list);
		if (state.mine?.posts !== posts || state.mine.address !== address) {
			const mails = posts.filter(({ sender }) => sender?.canonicalName === me);
			state.mine = { posts, address, is: sentBy({ account: me, address, mails }) };
		}
		return state.mine.is;
	}

	return {
		of(seen: AccountList, view: BoardView, patchsets: readonly Patchset[]): readonly BoardPart[] {
			const { answered, places, isSettled } = lists(seen);
			if (isSettled) {
				return partsOf(seen, view, patchsets, lastWord);
			}
			// Groups from an earlier window, with current data as fallback. Fixes nothing.
			const now = groupsOf(partsOf(seen, view, patchsets, lastKnownWord));
			const before = Map.groupBy(patchsets, ({ id }) =>
				answered.has(id) || isAboutSnooze(places.get(id)) || isAboutSnooze(now.get(id))
					? now.get(id)
					: (boardGroups.find((group) => group === places.get(id)) ?? now.get(id)),
			);
			return boardGroups.flatMap((group) => {
				const members = before.get(group) ?? [];
				return members.length === 0 ? [] : [{ group, patchsets: members }];
			});
		},
		/** Whose turn it is. `undefined` if nobody's, and while the board shows a group of an earlier window instead. */
		turn(seen: AccountList, view: BoardView, patchset: Patchset): Turn | undefined {
			const { places, isSettled } = lists(seen);
			const turn = turnOf(patchset, viewerOf(seen, view, isSettled ? lastWord : lastKnownWord));
			const before = isSettled ? undefined : turnOfGroup.get(places.get(patchset.id) ?? '');
			return before === undefined || before === turn?.whose ? turn : undefined;
		},
		/** Time of the last mail; `undefined` if unknown. */
		saidMs: (seen: AccountList, patchset: Patchset) =>
			(lists(seen).isSettled ? lastWord : lastKnownWord)(seen, patchset).atMs,
		/** Loads the groups of an earlier window. They apply until `settle`. */
		async recall(seen: AccountList) {
			if (!lists(seen).isSettled) {
				lists(seen).places = await seen.connection.lists.keptPlaces(seen.list);
			}
		},
		/** Call after all reads for a list. They fix its groups, and later windows start with these. */
		settle(seen: AccountList, view: BoardView, patchsets: readonly Patchset[]) {
			const state = lists(seen);
			const now = groupsOf(partsOf(seen, view, patchsets, lastWord));
			state.isSettled = true;
			// Boards redraw often, mostly unchanged: write only changes.
			if (!isSameValue([...state.places], [...now])) {
				state.places = now;
				seen.connection.lists.keepPlaces(seen.list, now);
			}
		},
		/** Patchsets for `needsMyReview` by this round's reads that no board has shown yet. */
		undecided(seen: AccountList, view: BoardView, patchsets: readonly Patchset[]) {
			const fresh = patchsets.filter(({ id }) => !lastWords(seen).has(id));
			const parts = partsOf(seen, view, fresh, (_, patchset) =>
				wordIn(seen, patchset, () => replies.conversationOf(seen, patchset)),
			);
			return toReview(parts);
		},
		/** Patchsets that may belong in `needsMyReview`, without any read of their thread. Empty before `settle`. */
		unsure(seen: AccountList, view: BoardView, patchsets: readonly Patchset[]): readonly Patchset[] {
			if (!lists(seen).isSettled) {
				return [];
			}
			const asUnknown = partsOf(seen, view, patchsets, (_, patchset) => ({
				...lastWord(seen, patchset),
				isMine: false,
				by: undefined,
			}));
			return toReview(asUnknown).filter((patchset) => lastWord(seen, patchset).atMs === undefined);
		},
		/** Records a mail of the account: it counts as the last word until somebody else writes. */
		answered(seen: AccountList, id: number) {
			const patchset = seen.connection.lists.knownPatchset({ list: seen.list, id });
			if (patchset) {
				const knownMs = lastKnownWord(seen, patchset).atMs ?? 0;
				const state = lists(seen);
				state.answered.set(id, Math.max(knownMs, patchset.createdMs));
				lastWords(seen).delete(id);
				// The board may be drawn much later, in another window.
				if (state.places.get(id) === 'needsMyReview') {
					state.places = new Map([...state.places, [id, 'waitingForNewVersion' as const]]);
					seen.connection.lists.keepPlaces(seen.list, state.places);
				}
			}
		},
		/** Applies new reads to these patchsets. */
		lookAgainAt: (seen: AccountList, patchsets: readonly Patchset[]) =>
			patchsets.forEach(({ id }) => lastWords(seen).delete(id)),
		/** Applies new reads to all patchsets. */
		lookAnew() {
			lastWords = perList(() => new Map());
		},
	};
}

/** Groups that say whose turn it is. */
const turnOfGroup: ReadonlyMap<string, Turn['whose']> = new Map([
	['needsMyReview', 'mine'],
	['needsMyWork', 'mine'],
	['waitingForNewVersion', 'author'],
	['waitingForReview', 'reviewers'],
] as const satisfies readonly (readonly [BoardGroup, Turn['whose']])[]);

/** Known without any mail, so no stored group replaces it. */
function isAboutSnooze(group: string | undefined): boolean {
	return group === 'snoozed';
}

/** Mails of a loaded review. */
function readMails({ connection, list }: AccountList, { id }: Patchset): readonly Said[] | undefined {
	const review = connection.reviews.known({ list, id });
	const parts = new Set([review?.series.cover?.id, ...(review?.series.patches.map(({ mail }) => mail.id) ?? [])]);
	return review?.mails.map((mail) => ({
		createdMs: mail.createdMs,
		writer: writerOfRead(mail),
		isPart: parts.has(mail.id) || isPartBySubject(mail.subject),
	}));
}

function isPartBySubject(subject: string): boolean {
	return patchSubject(subject)?.isReply === false;
}

function toReview(parts: readonly BoardPart[]): readonly Patchset[] {
	return parts.find(({ group }) => group === 'needsMyReview')?.patchsets ?? [];
}

function groupsOf(parts: readonly BoardPart[]): ReadonlyMap<number, BoardGroup> {
	return new Map(parts.flatMap(({ group, patchsets }) => patchsets.map(({ id }) => [id, group] as const)));
}
