import { isAbort } from '@forge-desk/base/abort.ts';
import type { PostedSeries } from 'patchmail/series/postedSeries.ts';
import { statedVersions } from 'patchmail/series/statedVersions.ts';
import type { ListRef, Patchset } from 'sourcehut/port/list.ts';
import type { SearchRow } from '../read/searchPage.ts';
import type { ProvisionalSeries } from '../series/provisionalSeries.ts';
import { changeIdQuery, neighboursAmong, titleKey, versionsQuery } from '../series/otherVersions.ts';

/** Patchsets before and after one, and all hits of the search for them. */
export interface Neighbours {
	readonly supersededById: number | undefined;
	readonly supersedesId?: number;
	readonly rows: readonly SearchRow[];
}

/** A series to link. `series`: its mails, if they were read. */
interface LinkedSeries {
	readonly subject: string;
	readonly version: number;
	readonly submitter: string | undefined;
	readonly series?: PostedSeries['series'];
}

/** Searches beside that of a page. The next reading continues. */
const mostLinked = 3;

/** Links versions by `change-id` or title, and by address. Rows of a search have no address. */
export function versionLinks(
	search: (ref: ListRef, query: string, signal: AbortSignal) => Promise<readonly SearchRow[]>,
	numberOf: (ref: ListRef, row: { readonly messageId: string; readonly dateMs: number | undefined }) => number,
) {
	/** Senders of the sets in read threads, and versions in rows, by inbox and title. */
	const senders = new Map<string, string>();
	const versions = new Map<string, ReadonlySet<number>>();
	/** Rows of new versions of these series. */
	const linked = new Map<number, Patchset>();
	const keyOf = (ref: ListRef, title: string): string => `${ref.name} ${titleKey(title)}`;

	/** Searches only for a series with another version, by its number or by earlier rows. */
	async function neighboursOf(
		ref: ListRef,
		{ subject, version, submitter: sender = '', series }: LinkedSeries,
		signal: AbortSignal,
	): Promise<Neighbours> {
		const others = [...(versions.get(keyOf(ref, subject)) ?? [])].filter((each) => each !== version);
		const address = /<([^<>\s]+)>\s*$/.exec(sender)?.[1] ?? sender;
		if ((version <= 1 && others.length === 0) || !address.includes('@')) {
			return { supersededById: undefined, rows: [] };
		}
		const byTitle = { query: versionsQuery(subject, address), title: subject };
		let rows: readonly SearchRow[] = [];
		for (const { query, title } of [...(series ? byChangeId(series, address) : []), byTitle]) {
			try {
				rows = await search(ref, query, signal);
			} catch (error) {
				// A failed search must hide neither the series nor the other rows.
				if (isAbort(error)) {
					throw error;
				}
			}
			const { before, after } = neighboursAmong(rows, version, title);
			if (before || after) {
				return {
					supersededById: after && numberOf(ref, after),
					...(before ? { supersedesId: numberOf(ref, before) } : {}),
					rows,
				};
			}
		}
		return { supersededById: undefined, rows };
	}

	return {
		neighboursOf,
		/** A row shows this version. */
		seen(ref: ListRef, { subject, version }: ProvisionalSeries): void {
			const key = keyOf(ref, subject);
			const known = versions.get(key) ?? new Set();
			if (!known.has(version)) {
				versions.set(key, new Set([...known, version]));
				linked.forEach((row, id) => keyOf(ref, row.subject) === key && linked.delete(id));
			}
		},
		/** A read thread has these sets. */
		read(ref: ListRef, sets: readonly PostedSeries[]): void {
			sets.forEach(({ subject, submitter = '' }) => senders.set(keyOf(ref, subject), submitter));
		},
		/** The row with its links, once `link` has searched for them. */
		of: (row: Patchset): Patchset => (row.isGuess === true ? (linked.get(row.id) ?? row) : row),
		/** Searches for rows that look like new versions of read series. */
		async link(ref: ListRef, guesses: readonly Patchset[], signal: AbortSignal): Promise<void> {
			const wanted = guesses.filter(
				({ id, isGuess, subject, version }) =>
					isGuess === true && version > 1 && senders.has(keyOf(ref, subject)) && !linked.has(id),
			);
			for (const guess of wanted.slice(0, mostLinked)) {
				const sender = senders.get(keyOf(ref, guess.subject)) ?? '';
				const { rows, ...ids } = await neighboursOf(ref, { ...guess, submitter: sender }, signal);
				const isTheirs = rows.some(({ messageId }) => messageId === guess.messageId);
				// The series itself is a hit, so an empty answer is a failure, and the next reading tries again.
				if (rows.length > 0) {
					linked.set(guess.id, isTheirs ? { ...guess, ...ids, submitter: sender } : guess);
				}
			}
		},
	};
}

/** Versions with a new title have the id alone. */
function byChangeId({ cover, patches }: PostedSeries['series'], address: string) {
	const reading = (cover ?? patches[0]?.mail)?.reading;
	const { changeId } = statedVersions(reading?.kind === 'read' ? reading.mail.body : '');
	return changeId === undefined ? [] : [{ query: changeIdQuery(changeId, address), title: undefined }];
}
