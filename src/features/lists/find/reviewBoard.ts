import { listRefText, type Patchset } from '../../../forge/list.ts';
import { boardOf, type BoardPart } from '../../../search/mails/board.ts';
import { sentBy } from '../../../state/sentBy.ts';
import type { SeenList } from './listFinder.ts';

/** Whose board it is, and when. */
export interface BoardView {
	/** The account's e-mail address, where it is known. */
	readonly address: string | undefined;
	readonly nowMs: number;
}

/** Patchsets by what an account has to do with them. */
export interface ReviewBoard {
	of(seen: SeenList, view: BoardView, patchsets: readonly Patchset[]): readonly BoardPart[];
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
export function reviewBoard(): ReviewBoard {
	const lastWords = new Map<string, LastWord>();

	function lastWord({ connection, list }: SeenList, { id }: Patchset): LastWord {
		const key = `${connection.key} ${listRefText(list).toLowerCase()} ${id}`;
		const known = lastWords.get(key);
		if (known) {
			return known;
		}
		const mails = connection.standings.known({ list, id })?.mails ?? [];
		const last = mails.toSorted((a, b) => a.createdMs - b.createdMs).at(-1);
		const word = { atMs: last?.createdMs, isMine: last?.account === connection.me };
		lastWords.set(key, word);
		return word;
	}

	return {
		of(seen, { address, nowMs }, patchsets) {
			const { lists, me } = seen.connection;
			const mails = (lists.knownPosts(seen.list)?.items ?? []).filter(({ sender }) => sender?.canonicalName === me);
			return boardOf(patchsets, {
				nowMs,
				isMine: sentBy({ account: me, address, mails }),
				lastSaidMs: (patchset) => lastWord(seen, patchset).atMs,
				isAnsweredByMe: (patchset) => lastWord(seen, patchset).isMine,
			});
		},
		lookAnew: () => lastWords.clear(),
	};
}
