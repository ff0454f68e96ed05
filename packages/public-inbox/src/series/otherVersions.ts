import type { SearchRow } from '../read/searchPage.ts';
import { phrase } from '../read/searchTerms.ts';
import { provisionalSeries, type ProvisionalSeries } from './provisionalSeries.ts';

/** A search for all versions of a series, by its title and the address of its sender. */
export function versionsQuery(title: string, address: string): string {
	// Any part of a title is a good phrase. For the few titles without words, the newest mails of the sender may have them.
	const words = phrase(title);
	return `${words === undefined ? '' : `s:${words} AND `}f:"${address.replaceAll('"', '')}" AND NOT s:re:`;
}

/** A search for all versions with the `change-id` of b4. Series that depend on it name the id, too. */
export function changeIdQuery(changeId: string, address: string): string {
	const [id, from] = [changeId, address].map((text) => text.replaceAll('"', ''));
	return `nq:"change-id: ${id}" AND f:"${from}" AND NOT nq:"prerequisite-change-id: ${id}" AND NOT s:re:`;
}

/** A version among the hits of a search. */
interface FoundVersion {
	readonly row: ProvisionalSeries;
	readonly before: ProvisionalSeries | undefined;
	readonly after: ProvisionalSeries | undefined;
}

/**
 * The versions among the hits of a search, each with its neighbours. Of a version sent twice the later one counts.
 * `subject`: only versions with this title.
 */
export function versionsIn(rows: readonly SearchRow[], subject: string | undefined): readonly FoundVersion[] {
	const alike = provisionalSeries(rows).filter(
		(each) => subject === undefined || titleKey(each.subject) === titleKey(subject),
	);
	const rising = alike.toSorted((one, other) => one.version - other.version);
	return alike.map((row) => {
		const below = rising.findLast(({ version }) => version < row.version)?.version;
		return {
			row,
			before: rising.find(({ version }) => version === below),
			after: rising.find(({ version }) => version > row.version),
		};
	});
}

/** Equal for titles that differ only in case and space. */
export function titleKey(title: string): string {
	return title.replaceAll(/\s+/g, ' ').trim().toLowerCase();
}
