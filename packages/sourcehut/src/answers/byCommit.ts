import { moreOfUnknown, type PagingWay } from './pages.ts';

/** Minimum commits of a log page with a successor. */
const fullLogPage = 50;

/**
 * Log pages (docs/protocol.md#log-pages). A page starts with its cursor's commit, maybe a repeat of the previous page.
 * Later servers and bare arrays name no next page. Servers omit commits of side branches that are older than the cursor
 * but not below it. Unseen parents reveal them, and this fetches them last, so the end is not in order of time. A
 * history is complete when no parent is missing.
 */
export function byCommit<T extends { readonly id: string; readonly parents: readonly string[] }>(): PagingWay<T> {
	const seen = new Set<string>();
	const owed = new Set<string>();

	function learn(commits: readonly T[]): void {
		for (const { id, parents } of commits) {
			seen.add(id);
			owed.delete(id);
			for (const parent of parents) {
				if (!seen.has(parent)) {
					owed.add(parent);
				}
			}
		}
	}

	return (page, _seen, added) => {
		learn(page.items);
		if (owed.size === 0) {
			return { end: { kind: 'complete' } };
		}
		if (!page.isEnvelope && added === 0) {
			return { end: moreOfUnknown };
		}
		const cursor = page.next ?? (page.items.length >= fullLogPage ? page.items.at(-1)?.id : undefined);
		// At the end of a side branch all ancestors of the cursor are known.
		const below = page.items.find(({ id }) => id === cursor)?.parents;
		if (cursor !== undefined && (!seen.has(cursor) || below?.some((parent) => owed.has(parent)) === true)) {
			return page.isEnvelope ? { start: cursor } : { start: cursor, isGuess: true };
		}
		const [missing = ''] = owed;
		// One request only: a shallow history never has it.
		owed.delete(missing);
		return { start: missing, isGuess: true };
	};
}
