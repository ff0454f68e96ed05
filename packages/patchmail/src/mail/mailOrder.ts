interface ThreadMail {
	readonly id: number;
	readonly createdMs: number;
	readonly parentId: number | undefined;
}

/** Order of a thread: by time, first mail first, replies after their parents. */
export function mailOrder<T extends ThreadMail>(mails: readonly T[]): readonly T[] {
	const byId = new Map(mails.map((mail) => [mail.id, mail]));
	const placed = new Set<number>();
	const ordered: T[] = [];
	for (const mail of mails.toSorted((a, b) => a.createdMs - b.createdMs || a.id - b.id)) {
		const line: T[] = [];
		const visited = new Set<number>();
		// A wrong clock may date a reply before its parent, and a broken server may send a cycle.
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
