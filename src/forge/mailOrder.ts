import type { ShortEmail } from './list.ts';

/** The order that `ListApi.thread` promises: by time, the first mail first, and nothing before what it answers. */
export function mailOrder<T extends ShortEmail>(mails: readonly T[]): readonly T[] {
	const byId = new Map(mails.map((mail) => [mail.id, mail]));
	const placed = new Set<number>();
	const ordered: T[] = [];
	for (const mail of mails.toSorted((a, b) => a.createdMs - b.createdMs || a.id - b.id)) {
		const line: T[] = [];
		const visited = new Set<number>();
		// Answers may be older than what they answer when a clock was wrong, and a broken server may send a circle.
		for (let at: T | undefined = mail; at !== undefined && !placed.has(at.id) && !visited.has(at.id);) {
			visited.add(at.id);
			line.push(at);
			at = at.parentId === undefined ? undefined : byId.get(at.parentId);
		}
		for (const next of line.toReversed()) {
			placed.add(next.id);
			ordered.push(next);
		}
	}
	return ordered;
}
