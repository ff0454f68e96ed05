import { refText } from '../../../forge/namedRef.ts';
import type { Patchset } from '../../../forge/list.ts';
import { boardOf, type BoardPart } from '../../../search/mails/board.ts';
import { sentBy } from '../../../state/people/sentBy.ts';
import type { MailSummary } from '../../../state/lists/mailSummary.ts';
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
	/** Those that would need the account's review as far as is known, and that no board has shown yet. */
	undecided(seen: SeenList, view: BoardView, patchsets: readonly Patchset[]): readonly Patchset[];
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
export function reviewBoard(replies: Pick<OwnReplies, 'conversationOf'>): ReviewBoard {
	const lastWords = new Map<string, LastWord>();

	function wordNow(seen: SeenList, patchset: Patchset): LastWord {
		const { reviews, me } = seen.connection;
		const read = reviews.known({ list: seen.list, id: patchset.id })?.mails;
		const said = read ?? (replies.conversationOf(seen, patchset) ?? []).map(saidBy);
		const last = said.toSorted((a, b) => a.createdMs - b.createdMs).at(-1);
		return { atMs: last?.createdMs, isMine: last?.account === me };
	}

	function lastWord(seen: SeenList, patchset: Patchset): LastWord {
		const key = keyOf(seen, patchset);
		const word = lastWords.get(key) ?? wordNow(seen, patchset);
		lastWords.set(key, word);
		return word;
	}

	function partsOf(
		seen: SeenList,
		{ address, nowMs }: BoardView,
		patchsets: readonly Patchset[],
		wordOf: (seen: SeenList, patchset: Patchset) => LastWord,
	): readonly BoardPart[] {
		const { lists, me } = seen.connection;
		const mails = (lists.knownPosts(seen.list)?.items ?? []).filter(({ sender }) => sender?.canonicalName === me);
		return boardOf(patchsets, {
			nowMs,
			isMine: sentBy({ account: me, address, mails }),
			lastSaidMs: (patchset) => wordOf(seen, patchset).atMs,
			isAnsweredByMe: (patchset) => wordOf(seen, patchset).isMine,
		});
	}

	return {
		of: (seen, view, patchsets) => partsOf(seen, view, patchsets, lastWord),
		undecided(seen, view, patchsets) {
			const fresh = patchsets.filter((patchset) => !lastWords.has(keyOf(seen, patchset)));
			const parts = partsOf(seen, view, fresh, wordNow);
			return parts.find(({ group }) => group === 'needsMyReview')?.patchsets ?? [];
		},
		lookAnew: () => lastWords.clear(),
	};
}

function keyOf({ connection, list }: SeenList, { id }: Patchset): string {
	return `${connection.key} ${refText(list).toLowerCase()} ${id}`;
}

function saidBy({ createdMs, sender }: MailSummary): {
	readonly createdMs: number;
	readonly account: string | undefined;
} {
	return { createdMs, account: sender?.canonicalName };
}
