import { isSameValue } from '../../../base/isSameValue.ts';
import type { Patchset } from 'sourcehut/port/list.ts';
import { boardGroups, boardOf, type BoardGroup, type BoardPart } from './board.ts';
import { sentBy } from '../../../store/people/sentBy.ts';
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
}

interface BoardOfList {
	/** Patchsets answered in this window, with the time of the newest mail known then. */
	readonly answered: Map<number, number>;
	/** Stored groups of patchsets. */
	places: PatchsetPlaces;
	isSettled: boolean;
}

/** A board without surprises: new reads move a patchset only after a refresh. A status change moves it immediately. */
export function reviewBoard(replies: OwnReplies) {
	const lists = perList((): BoardOfList => ({ answered: new Map(), places: new Map(), isSettled: false }));
	let lastWords = perList(() => new Map<number, LastWord>());

	/** With earlier reads as fallback, and the board of an earlier window, which knew the thread. */
	function lastKnownWord(seen: AccountList, patchset: Patchset): LastWord {
		const word = wordIn(
			seen,
			patchset,
			() => replies.conversationOf(seen, patchset) ?? replies.lastConversationOf(seen, patchset),
		);
		const wasAnswered = lists(seen).places.get(patchset.id) === 'waitingForNewVersion';
		return word.atMs === undefined && wasAnswered ? { ...word, isMine: true } : word;
	}

	function wordIn(seen: AccountList, patchset: Patchset, conversation: () => readonly MailSummary[] | undefined) {
		const { me, reviews } = seen.connection;
		const said =
			reviews.known({ list: seen.list, id: patchset.id })?.mails ??
			(conversation() ?? []).map(({ createdMs, sender }) => ({ createdMs, account: sender?.canonicalName }));
		const last = said.toSorted((a, b) => a.createdMs - b.createdMs).at(-1);
		const before = lists(seen).answered.get(patchset.id);
		const isAnswered = before !== undefined && (last?.createdMs ?? 0) <= before;
		return { atMs: last?.createdMs, isMine: isAnswered || last?.account === me };
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
		const { lists, reviews, me } = seen.connection;
		const mails = lists.knownPosts(seen.list).filter(({ sender }) => sender?.canonicalName === me);
		return boardOf(patchsets, {
			nowMs,
			isMine: sentBy({ account: me, address, mails }),
			lastSaidMs: (patchset) => wordOf(seen, patchset).atMs,
			isAnsweredByMe: (patchset) => wordOf(seen, patchset).isMine,
			hasNewerVersion: ({ id }) => reviews.hasNewerVersion({ list: seen.list, id }),
		});
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
				answered.has(id) ? now.get(id) : (boardGroups.find((group) => group === places.get(id)) ?? now.get(id)),
			);
			return boardGroups.flatMap((group) => {
				const members = before.get(group) ?? [];
				return members.length === 0 ? [] : [{ group, patchsets: members }];
			});
		},
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

function toReview(parts: readonly BoardPart[]): readonly Patchset[] {
	return parts.find(({ group }) => group === 'needsMyReview')?.patchsets ?? [];
}

function groupsOf(parts: readonly BoardPart[]): ReadonlyMap<number, BoardGroup> {
	return new Map(parts.flatMap(({ group, patchsets }) => patchsets.map(({ id }) => [id, group] as const)));
}
