import { senderKey } from '../series/ownTrailer.ts';
import type { SeriesReading } from '../series/seriesReading.ts';
import { trailerLines } from '../series/trailerLines.ts';
import type { CommentPlace, ReviewComment } from './reviewComment.ts';

/** All comments at one place of a series. */
export interface ReviewThread {
	/** Unique in the series; stable when comments are added. */
	readonly key: string;
	readonly place: CommentPlace;
	/** At least one. Answers follow their first comment, oldest first. */
	readonly comments: readonly ReviewComment[];
}

/**
 * Groups comments by place in reading order: cover letter, each patch as a whole, its message, its diff, then other
 * mails. Each comment is in exactly one thread. `comments` in the order of `reviewComments`.
 */
export function reviewThreads(
	comments: readonly ReviewComment[],
	series: Pick<SeriesReading, 'cover' | 'patches'>,
): readonly ReviewThread[] {
	const firstOf = new Map<ReviewComment, ReviewComment>();
	for (const comment of comments) {
		const { answers } = comment;
		firstOf.set(comment, (answers && firstOf.get(answers)) ?? comment);
	}
	const below = Map.groupBy(comments, (comment) => firstOf.get(comment)!);
	const places = Map.groupBy(below.keys(), ({ place }) => {
		switch (place.kind) {
			case 'line':
				return ['line', place.mailId, place.file, place.side, place.line].join(' ');
			case 'file':
				return ['file', place.mailId, place.file, ...(place.line === undefined ? [] : [place.line])].join(' ');
			case 'message':
			case 'commentary':
			case 'cover':
			case 'general':
				return `${place.kind} ${place.mailId}`;
			case 'elsewhere':
				return place.kind;
		}
	});
	const threads = Array.from(places, ([key, first]): ReviewThread => ({
		key,
		place: first[0]!.place,
		comments: first.flatMap((each) => below.get(each)!),
	}));
	const order = readingOrder(series);
	return threads.toSorted((a, b) => compare(order(a.place), order(b.place)));
}

/** Compared lexicographically. */
type Order = readonly number[];

function readingOrder({ cover, patches }: Pick<SeriesReading, 'cover' | 'patches'>): (place: CommentPlace) => Order {
	const parts = new Map(patches.map(({ mail }, at) => [mail.id, at + 1]));
	const partOf = (mailId: number | undefined): number =>
		mailId === undefined || mailId === cover?.id ? 0 : (parts.get(mailId) ?? patches.length + 1);
	return (place) => {
		switch (place.kind) {
			case 'elsewhere':
				return [patches.length + 2];
			case 'general':
				return [partOf(place.mailId), 0];
			case 'cover':
			case 'message':
				return [partOf(place.mailId), 1];
			case 'commentary':
				return [partOf(place.mailId), 2];
			case 'file':
				return [partOf(place.mailId), 3, place.file, -1];
			case 'line':
				return [partOf(place.mailId), 3, place.file, place.end];
		}
	};
}

function compare(one: Order, other: Order): number {
	const at = one.findIndex((each, place) => each !== other[place]);
	return at === -1 ? 0 : one[at]! - other[at]!;
}

/**
 * True when a thread needs an answer: it has an open question, or a comment beyond courtesy and approval without any
 * response.
 */
export function isWaiting({ comments }: ReviewThread, open: ReadonlySet<ReviewComment>): boolean {
	const isAlone = new Set(comments.map(({ mail }) => senderKey(mail))).size === 1;
	return comments.some(
		(comment) =>
			open.has(comment) ||
			(isAlone &&
				!comment.isCourtesy &&
				!trailerLines(comment.prose.split('\n')).some(({ key }) => approvals.has(key))),
	);
}

/** Other trailers reject, or are about somebody else, and need an answer. */
const approvals: ReadonlySet<string> = new Set(['Reviewed-by', 'Acked-by', 'Tested-by']);

/** Position of the reader between threads. */
export interface ReadingPlace {
	readonly place: CommentPlace;
	/** True when the threads exactly at this place are unread. */
	readonly isAbove: boolean;
}

/** The next or previous of `threads`, which are in reading order; without a place, the first or last. */
export function threadBeside(
	threads: readonly ReviewThread[],
	series: Pick<SeriesReading, 'cover' | 'patches'>,
	{ from, by }: { readonly from: ReadingPlace | undefined; readonly by: 1 | -1 },
): ReviewThread | undefined {
	if (!from) {
		return threads.at(by === 1 ? 0 : -1);
	}
	const order = readingOrder(series);
	const here = order(from.place);
	return by === 1
		? threads.find(({ place }) => compare(order(place), here) >= (from.isAbove ? 0 : 1))
		: threads.findLast(({ place }) => compare(order(place), here) < 0);
}
