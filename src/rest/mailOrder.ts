import type { Email, ShortEmail } from '../forge/list.ts';

/** A thread in reading order: by time, its first mail first, and nothing before what it answers. */
export function threadOrder<T extends ShortEmail>(mails: readonly T[]): readonly T[] {
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

/** Patches in the order of their series, as far as their subjects number them; others stay where the server put them. */
export function seriesOrder(patches: readonly Email[]): readonly Email[] {
	const numbered = patches.map((patch) => ({ patch, place: placeInSeries(patch.subject) }));
	return numbered.every(({ place }) => place !== undefined)
		? numbered.toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0)).map(({ patch }) => patch)
		: patches;
}

/** 2 for `[PATCH proj v3 2/7] Subject`. */
function placeInSeries(subject: string): number | undefined {
	const start = subject.indexOf('[');
	const tag = subject.slice(start, subject.indexOf(']', start) + 1).slice(0, 200);
	const place = /(?:^|[\s[])(\d{1,5})\/\d{1,5}\]$/.exec(tag)?.[1];
	return place === undefined ? undefined : Number(place);
}
