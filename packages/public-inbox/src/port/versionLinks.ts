import { isAbort } from '@forge-desk/base/abort.ts';
import { SharedReads } from '@forge-desk/base/sharedFlights.ts';
import type { PostedSeries } from 'patchmail/series/postedSeries.ts';
import { statedVersions } from 'patchmail/series/statedVersions.ts';
import type { ListRef, Patchset } from 'sourcehut/port/list.ts';
import type { SearchRow } from '../read/searchPage.ts';
import type { ProvisionalSeries } from '../series/provisionalSeries.ts';
import { changeIdQuery, titleKey, versionsIn, versionsQuery } from '../series/otherVersions.ts';

/** A series to link. `series`: its mails, if they were read. */
interface LinkedSeries {
	readonly id: number;
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
	rowOf: (ref: ListRef, found: ProvisionalSeries) => Patchset,
) {
	const searching = new SharedReads<readonly Patchset[]>();
	/** Senders of the sets in read threads, and versions in rows, by inbox and title. */
	const senders = new Map<string, string>();
	const versions = new Map<string, ReadonlySet<number>>();
	/** Series in the pages of lists. Their newer versions are in the pages above. */
	const listed = new Set<number>();
	/** The versions of a series by the number of each, as a search found them. */
	const linked = new Map<number, readonly Patchset[]>();
	const keyOf = (ref: ListRef, title: string): string => `${ref.name} ${titleKey(title)}`;

	/** Searches only for a series that may have another version, by its number or by the rows. */
	async function searchNow(
		ref: ListRef,
		{ id, subject, version, submitter: sender = '', series }: LinkedSeries,
		signal: AbortSignal,
	): Promise<readonly Patchset[]> {
		const isOnly = [...(versions.get(keyOf(ref, subject)) ?? [])].every((each) => each === version);
		const address = /<([^<>\s]+)>\s*$/.exec(sender)?.[1] ?? sender;
		if ((version <= 1 && isOnly && listed.has(id)) || !address.includes('@')) {
			return [];
		}
		const byTitle = { query: versionsQuery(subject, address), title: subject };
		let found: readonly Patchset[] = [];
		for (const { query, title } of [...(series ? byChangeId(series, address) : []), byTitle]) {
			const all = versionsIn(await search(ref, query, signal), title);
			found = all.map(({ row: each, before, after }) => ({
				...rowOf(ref, each),
				submitter: sender,
				supersededById: after && rowOf(ref, after).id,
				...(before ? { supersedesId: rowOf(ref, before).id } : {}),
			}));
			if (found.some((each) => each.version !== version)) {
				break;
			}
		}
		found.forEach((each) => linked.set(each.id, found));
		return found;
	}

	/** All versions of a series, itself included, with one search for all of them. Empty: no search was needed. */
	function versionsOf(ref: ListRef, of: LinkedSeries, signal: AbortSignal): Promise<readonly Patchset[]> {
		const known = linked.get(of.id);
		// Several rows may ask at once.
		const key = JSON.stringify([ref.name, of.id]);
		return known ? Promise.resolve(known) : searching.read(key, (shared) => searchNow(ref, of, shared), signal);
	}

	/** A row or a read patchset with its links, once a search has found them. */
	function withLinks(row: Patchset): Patchset {
		const found = linked.get(row.id)?.find(({ id }) => id === row.id);
		if (!found || row.isGuess === true) {
			return found ?? row;
		}
		const { supersededById, supersedesId } = found;
		return { ...row, supersededById, ...(supersedesId === undefined ? {} : { supersedesId }) };
	}

	return {
		versionsOf,
		withLinks,
		/** A row of a list shows this version. */
		seen(ref: ListRef, { id, subject, version }: Patchset): void {
			listed.add(id);
			const key = keyOf(ref, subject);
			const known = versions.get(key) ?? new Set();
			if (!known.has(version)) {
				versions.set(key, new Set([...known, version]));
				linked.forEach((all, of) => {
					const isOf = all.some((each) => keyOf(ref, each.subject) === key);
					void (isOf && !all.some((each) => each.id === id) && linked.delete(of));
				});
			}
		},
		/** A read thread has these sets. */
		read(ref: ListRef, sets: readonly PostedSeries[]): void {
			sets.forEach(({ subject, submitter = '' }) => senders.set(keyOf(ref, subject), submitter));
		},
		/** A version and the older ones of its series, highest first. */
		downFrom(id: number): readonly number[] {
			const all = linked.get(id) ?? [];
			const highest = all.find((each) => each.id === id)?.version ?? 0;
			return all
				.filter((each) => each.id === id || each.version < highest)
				.toSorted((one, other) => other.version - one.version)
				.map((each) => each.id);
		},
		/** Searches for rows that look like new versions of read series. */
		async link(ref: ListRef, guesses: readonly Patchset[], signal: AbortSignal): Promise<void> {
			const wanted = guesses.filter(
				({ id, isGuess, subject, version }) =>
					isGuess === true && version > 1 && senders.has(keyOf(ref, subject)) && !linked.has(id),
			);
			for (const guess of wanted.slice(0, mostLinked)) {
				const submitter = senders.get(keyOf(ref, guess.subject)) ?? '';
				try {
					const found = await versionsOf(ref, { ...guess, submitter }, signal);
					// The series itself is a hit, so an empty answer is a failure, and the next reading tries again.
					if (found.length > 0 && !linked.has(guess.id)) {
						linked.set(guess.id, [guess]);
					}
				} catch (error) {
					// A failed search must not hide the rows.
					if (isAbort(error)) {
						throw error;
					}
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
