import { subjectPlace, type SubjectPlace } from 'patchmail/series/subjectPlace.ts';
import type { SearchRow } from '../read/searchPage.ts';

/** Rows that look like one version of a series. Only the thread shows its mails for certain. */
export interface ProvisionalSeries {
	/** Title of the cover letter, else of the first patch. */
	readonly subject: string;
	readonly prefix: string;
	readonly version: number;
	/** Announced number of patches. */
	readonly count: number;
	readonly author: string;
	/** The first date; `undefined` if no row has one. */
	readonly dateMs: number | undefined;
	readonly cover: SearchRow | undefined;
	/** By index. */
	readonly patches: readonly SearchRow[];
	/** Numbers of announced patches without any row. */
	readonly missing: readonly number[];
	/** Any of its mails leads to the thread; this is its first one. */
	readonly messageId: string;
	/** Other rows may have the rest, on the next page. */
	readonly isComplete: boolean;
}

const highVersions = Array.from({ length: 18 }, (_, at) => `s:v${at + 2}`).join(' OR ');
/**
 * Finds patches and cover letters, also `[PATCHv2 1/3]`, and `[V2 1/3]` and `[RFC]` with a diff. Replies are not among
 * the hits.
 */
export const seriesQuery = `(s:patch OR s:patchv* OR ((s:rfc OR ${highVersions}) AND (nq:diff OR s:0 OR s:00))) AND NOT s:re:`;

/** Between a cover letter and the first patch. */
const mostBeforeMs = 10 * 60 * 1000;
/** Between two mails of one series. */
const mostBetweenMs = 24 * 60 * 60_000;

interface Group {
	readonly place: SubjectPlace;
	readonly author: string;
	readonly stem: string | undefined;
	readonly rows: Map<number, SearchRow>;
	lastMs: number | undefined;
}

/**
 * Groups rows by sender, version, prefix and count. Series of equal size stay apart by the numbers in their
 * Message-IDs, or else by a repeated index. The newest series comes first.
 */
export function provisionalSeries(rows: readonly SearchRow[]): readonly ProvisionalSeries[] {
	const placed = rows.flatMap((row) => {
		// The search has others only with a diff.
		const place = subjectPlace(row.subject, true);
		return place === undefined || place.isReply ? [] : [{ row, place }];
	});
	const inOrder = placed.toSorted(
		(one, other) => (one.row.dateMs ?? 0) - (other.row.dateMs ?? 0) || one.place.index - other.place.index,
	);
	const open = new Map<string, Group[]>();
	for (const { row, place } of inOrder) {
		const { author, dateMs, messageId } = row;
		const key = JSON.stringify([author, place.version, place.prefix, place.isNumbered ? place.count : messageId]);
		const stem = numberedStem(messageId, place);
		const alike = open.get(key) ?? [];
		const group = alike.findLast(
			(each) =>
				!each.rows.has(place.index) &&
				(each.stem === undefined || stem === undefined || each.stem === stem) &&
				(dateMs ?? 0) - (each.lastMs ?? 0) <= mostBetweenMs,
		);
		if (group) {
			group.rows.set(place.index, row);
			group.lastMs = dateMs;
		} else {
			open.set(key, [...alike, { place, author, stem, rows: new Map([[place.index, row]]), lastMs: dateMs }]);
		}
	}
	const groups = Array.from(open.values()).flat();
	const near = Map.groupBy(groups, ({ author, place: { count } }) => JSON.stringify([author, count]));
	// Rows have minutes only, and people forget versions: a near series of this size may have the rest.
	const isAlone = (group: Group): boolean =>
		near
			.get(JSON.stringify([group.author, group.place.count]))
			?.every((each) => each === group || Math.abs((each.lastMs ?? 0) - (group.lastMs ?? 0)) > mostBetweenMs) === true;
	return groups
		.map((group) => seriesOf(group, isAlone(group)))
		.toSorted((one, other) => (other.dateMs ?? 0) - (one.dateMs ?? 0));
}

/**
 * The series that no later page of `all` continues, and the rows of the others. `page`: its last rows. Rows come by
 * their arrival, newest first.
 */
export function settledSeries(
	all: readonly SearchRow[],
	page: readonly SearchRow[],
	isLast: boolean,
): { readonly settled: readonly ProvisionalSeries[]; readonly rest: readonly SearchRow[] } {
	// A clock may be wrong by decades, so one row does not count.
	const lastMs = page
		.slice(-5)
		.map(({ dateMs = Infinity }) => dateMs)
		.toSorted((one, other) => one - other);
	const oldestMs = lastMs[Math.floor(lastMs.length / 2)] ?? Infinity;
	const found = provisionalSeries(all);
	const isSettled = ({ isComplete, cover, count, dateMs = 0 }: ProvisionalSeries): boolean =>
		isLast ||
		(isComplete && (cover !== undefined || count === 1)) ||
		dateMs - oldestMs > (isComplete ? mostBeforeMs : mostBetweenMs);
	const open = found.filter((each) => !isSettled(each));
	const rest = open.flatMap(({ cover, patches }) => [...(cover ? [cover] : []), ...patches]);
	return { settled: found.filter(isSettled), rest };
}

function seriesOf({ place, author, rows }: Group, isAlone: boolean): ProvisionalSeries {
	const byIndex = [...rows].toSorted(([one], [other]) => one - other);
	const patches = byIndex.flatMap(([index, row]) => (index > 0 ? [row] : []));
	const first = byIndex[0]?.[1];
	const { prefix, version, count } = place;
	const missing = Array.from({ length: count }, (_, at) => at + 1).filter((index) => !rows.has(index));
	return {
		subject: subjectPlace(first?.subject ?? '', true)?.subject ?? '',
		prefix,
		version,
		count,
		author,
		dateMs: byIndex.map(([, { dateMs }]) => dateMs).find((dateMs) => dateMs !== undefined),
		cover: rows.get(0),
		patches,
		missing: isAlone && place.isNumbered ? missing : [],
		messageId: first?.messageId ?? '',
		isComplete: patches.length >= count,
	};
}

/**
 * A Message-ID without the number of its mail, where a program counted: `<date.pid-3-name@host>` of git, and
 * `<date-topic-v2-3-hash@host>` of b4. Git counts from 1, b4 from 0.
 */
function numberedStem(messageId: string, { index }: SubjectPlace): string | undefined {
	const [, above, number, below] = /^(.*-)(\d{1,4})(-[^-]*@[^@]*)$/.exec(messageId) ?? [];
	const counted = Number(number);
	return above !== undefined && (counted === index || counted === index + 1) ? `${above}*${below}` : undefined;
}
