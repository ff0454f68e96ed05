import { isSameValue } from '../../../base/isSameValue.ts';
import { refText } from '../../../forge/namedRef.ts';
import type { Patchset } from '../../../forge/list.ts';
import { boardGroups, boardOf, type BoardGroup, type BoardPart } from '../../../search/mails/board.ts';
import { sentBy } from '../../../state/people/sentBy.ts';
import type { MailSummary } from '../../../state/lists/mailSummary.ts';
import type { PatchsetPlaces } from '../../../state/lists/keptMails.ts';
import type { SeenList } from './seenList.ts';
import type { OwnReplies } from './ownReplies.ts';

/** Whose board it is, and when. */
export interface BoardView {
	/** The account's e-mail address, where it is known. */
	readonly address: string | undefined;
	readonly nowMs: number;
}

/** Patchsets by what an account has to do with them. */
export interface ReviewBoard {
	of(seen: SeenList, view: BoardView, patchsets: readonly Patchset[]): readonly BoardPart[];
	/** Takes where patchsets stood on the board of an earlier window. They stand there until the list is settled. */
	recall(seen: SeenList): Promise<void>;
	/** All is read that decides where the patchsets of a list stand. They stay there, and later windows begin with it. */
	settle(seen: SeenList, view: BoardView, patchsets: readonly Patchset[]): void;
	/** Those that would need the account's review as far as this look knows, and that no board has shown yet. */
	undecided(seen: SeenList, view: BoardView, patchsets: readonly Patchset[]): readonly Patchset[];
	/** Those that are shown as if they needed the account's review, and whose conversation was never read. */
	unsure(seen: SeenList, view: BoardView, patchsets: readonly Patchset[]): readonly Patchset[];
	/** The account has sent a mail about a patchset: the last word is its own until somebody else writes. */
	answered(seen: SeenList, id: number): void;
	/** Takes into account what came to be known of their conversations. */
	lookAgainAt(seen: SeenList, patchsets: readonly Patchset[]): void;
	/** Takes into account what came to be known of conversations meanwhile. */
	lookAnew(): void;
}

/** What a conversation says of a patchset. */
interface LastWord {
	readonly atMs: number | undefined;
	readonly isMine: boolean;
}

/**
 * A board on which nothing moves by itself: who unfolds a patchset has its conversation read, and what is learnt from that
 * counts only once somebody asks for a new look. Another status moves a patchset at once.
 */
export function reviewBoard(replies: Pick<OwnReplies, 'conversationOf' | 'lastConversationOf'>): ReviewBoard {
	const lastWords = new Map<string, LastWord>();
	/** Patchsets that the account answered in this window, with the time of the newest mail that was known by then. */
	const answered = new Map<string, number>();
	/** Lists, by their names. */
	const settled = new Set<string>();
	/** Where their patchsets stand as it is kept, by this window or an earlier one. */
	const places = new Map<string, PatchsetPlaces>();

	function wordNow(seen: SeenList, patchset: Patchset): LastWord {
		return wordIn(seen, patchset, () => replies.conversationOf(seen, patchset));
	}

	/** The same with what was read before this look where nothing newer is known. */
	function lastKnownWord(seen: SeenList, patchset: Patchset): LastWord {
		return wordIn(
			seen,
			patchset,
			() => replies.conversationOf(seen, patchset) ?? replies.lastConversationOf(seen, patchset),
		);
	}

	function wordIn(
		seen: SeenList,
		patchset: Patchset,
		conversation: () => readonly MailSummary[] | undefined,
	): LastWord {
		const { me, reviews } = seen.connection;
		const said = reviews.known({ list: seen.list, id: patchset.id })?.mails ?? (conversation() ?? []).map(saidBy);
		const last = said.toSorted((a, b) => a.createdMs - b.createdMs).at(-1);
		const before = answered.get(keyOf(seen, patchset));
		const isAnswered = before !== undefined && (last?.createdMs ?? 0) <= before;
		return { atMs: last?.createdMs, isMine: isAnswered || last?.account === me };
	}

	function lastWord(seen: SeenList, patchset: Patchset): LastWord {
		const key = keyOf(seen, patchset);
		const word = lastWords.get(key) ?? lastKnownWord(seen, patchset);
		lastWords.set(key, word);
		return word;
	}

	function partsOf(
		seen: SeenList,
		{ address, nowMs }: BoardView,
		patchsets: readonly Patchset[],
		wordOf: (seen: SeenList, patchset: Patchset) => LastWord,
	): readonly BoardPart[] {
		const { lists, reviews, me } = seen.connection;
		const mails = (lists.knownPosts(seen.list)?.items ?? []).filter(({ sender }) => sender?.canonicalName === me);
		return boardOf(patchsets, {
			nowMs,
			isMine: sentBy({ account: me, address, mails }),
			lastSaidMs: (patchset) => wordOf(seen, patchset).atMs,
			isAnsweredByMe: (patchset) => wordOf(seen, patchset).isMine,
			hasNewerVersion: ({ id }) => reviews.hasNewerVersion({ list: seen.list, id }),
		});
	}

	/** As an earlier window had them; what it had not, as far as can be told now, and nothing of that is settled. */
	function partsBefore(seen: SeenList, view: BoardView, patchsets: readonly Patchset[]): readonly BoardPart[] {
		const before = places.get(listKeyOf(seen));
		const now = groupsOf(partsOf(seen, view, patchsets, lastKnownWord));
		const groupOf = (patchset: Patchset): BoardGroup | undefined =>
			answered.has(keyOf(seen, patchset))
				? now.get(patchset.id)
				: (boardGroups.find((group) => group === before?.get(patchset.id)) ?? now.get(patchset.id));
		return boardGroups
			.map((group): BoardPart => ({ group, patchsets: patchsets.filter((each) => groupOf(each) === group) }))
			.filter((part) => part.patchsets.length > 0);
	}

	return {
		of: (seen, view, patchsets) =>
			settled.has(listKeyOf(seen)) ? partsOf(seen, view, patchsets, lastWord) : partsBefore(seen, view, patchsets),
		async recall(seen) {
			places.set(listKeyOf(seen), await seen.connection.lists.keptPlaces(seen.list));
		},
		settle(seen, view, patchsets) {
			const key = listKeyOf(seen);
			const now = groupsOf(partsOf(seen, view, patchsets, lastWord));
			settled.add(key);
			// A board is drawn often, and mostly as it was.
			if (!isSameValue([...(places.get(key) ?? [])], [...now])) {
				places.set(key, now);
				seen.connection.lists.keepPlaces(seen.list, now);
			}
		},
		undecided(seen, view, patchsets) {
			const fresh = patchsets.filter((patchset) => !lastWords.has(keyOf(seen, patchset)));
			return toReview(partsOf(seen, view, fresh, wordNow));
		},
		unsure(seen, view, patchsets) {
			if (!settled.has(listKeyOf(seen))) {
				return [];
			}
			return toReview(partsOf(seen, view, patchsets, lastWord)).filter(
				(patchset) => lastWord(seen, patchset).atMs === undefined,
			);
		},
		answered(seen, id) {
			const patchset = seen.connection.lists.knownPatchset({ list: seen.list, id });
			if (patchset) {
				const key = keyOf(seen, patchset);
				answered.set(key, Math.max(lastKnownWord(seen, patchset).atMs ?? 0, patchset.createdMs));
				lastWords.delete(key);
			}
		},
		lookAgainAt: (seen, patchsets) => patchsets.forEach((patchset) => lastWords.delete(keyOf(seen, patchset))),
		lookAnew: () => lastWords.clear(),
	};
}

function toReview(parts: readonly BoardPart[]): readonly Patchset[] {
	return parts.find(({ group }) => group === 'needsMyReview')?.patchsets ?? [];
}

function groupsOf(parts: readonly BoardPart[]): ReadonlyMap<number, BoardGroup> {
	return new Map(parts.flatMap(({ group, patchsets }) => patchsets.map(({ id }) => [id, group] as const)));
}

function listKeyOf({ connection, list }: SeenList): string {
	return `${connection.key} ${refText(list).toLowerCase()}`;
}

function keyOf(seen: SeenList, { id }: Patchset): string {
	return `${listKeyOf(seen)} ${id}`;
}

function saidBy({ createdMs, sender }: MailSummary): {
	readonly createdMs: number;
	readonly account: string | undefined;
} {
	return { createdMs, account: sender?.canonicalName };
}
